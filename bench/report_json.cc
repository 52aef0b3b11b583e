#include "bench/report_json.h"

#include <google/protobuf/util/json_util.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "bench/json_message.h"

namespace earshot {
namespace {

namespace pb = google::protobuf;

absl::Status FieldError(absl::string_view name, absl::string_view path, absl::string_view expected, double found) {
  return absl::InvalidArgumentError(absl::StrCat(name, ": ", path, ": expected ", expected, ", found ", found));
}

absl::Status CheckNumbers(const pb::Message& message, absl::string_view name, const std::string& path);

// Field `index` of a repeated field, or the field itself for -1.
absl::Status CheckNumber(const pb::Message& message, const pb::FieldDescriptor& field, int index,
                         absl::string_view name, const std::string& path) {
  const pb::Reflection& r = *message.GetReflection();
  if (field.cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE) {
    return CheckNumbers(index < 0 ? r.GetMessage(message, &field) : r.GetRepeatedMessage(message, &field, index), name,
                        path);
  }
  if (field.cpp_type() != pb::FieldDescriptor::CPPTYPE_DOUBLE) return absl::OkStatus();
  const double value = index < 0 ? r.GetDouble(message, &field) : r.GetRepeatedDouble(message, &field, index);
  return std::isfinite(value) ? absl::OkStatus() : FieldError(name, path, "a finite number", value);
}

absl::Status CheckNumbers(const pb::Message& message, absl::string_view name, const std::string& path) {
  std::vector<const pb::FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const pb::FieldDescriptor* field : fields) {
    const std::string at = absl::StrCat(path, path.empty() ? "" : ".", field->name());
    if (!field->is_repeated()) {
      RETURN_IF_ERROR(CheckNumber(message, *field, -1, name, at));
      continue;
    }
    const int size = message.GetReflection()->FieldSize(message, field);
    for (int i = 0; i < size; ++i) {
      RETURN_IF_ERROR(CheckNumber(message, *field, i, name, absl::StrCat(at, "[", i, "]")));
    }
  }
  return absl::OkStatus();
}

absl::Status NoName(absl::string_view name, absl::string_view path) {
  return absl::InvalidArgumentError(absl::StrCat(name, ": ", path, ": expected a name, found none"));
}

absl::Status CheckBlock(const BlockSamples& block, absl::string_view name, const std::string& path) {
  const int steps = block.step_seconds_size();
  if (block.warm_up() < 0 || block.warm_up() > steps) {
    return FieldError(name, path + ".warm_up", absl::StrCat("0 to ", steps, " steps"), block.warm_up());
  }
  for (double seconds : block.step_seconds()) {
    if (!(seconds > 0)) return FieldError(name, path + ".step_seconds", "more than 0", seconds);
  }
  return absl::OkStatus();
}

absl::Status CheckRow(const BenchRow& row, absl::string_view name, const std::string& path) {
  const auto refuse = [&](absl::string_view field, absl::string_view expected, double found) {
    return FieldError(name, absl::StrCat(path, ".", field), expected, found);
  };
  if (row.implementation().empty()) return NoName(name, path + ".implementation");
  if (row.n() < 0) return refuse("n", "0 or more", row.n());
  if (row.valid_frames() < 0) return refuse("valid_frames", "0 or more", row.valid_frames());
  if (row.verified() && row.n() > 0 && !(row.median_seconds() > 0)) {
    return refuse("median_seconds", "more than 0 of a row with timed steps", row.median_seconds());
  }
  if (row.p10_seconds() < 0 || row.p10_seconds() > row.p90_seconds()) {
    return refuse("p10_seconds", absl::StrCat("0 to p90_seconds, ", row.p90_seconds()), row.p10_seconds());
  }
  if (row.has_median_seconds() && row.has_p90_seconds() &&
      (row.median_seconds() < row.p10_seconds() || row.median_seconds() > row.p90_seconds())) {
    return refuse("median_seconds",
                  absl::StrCat("p10_seconds to p90_seconds, ", row.p10_seconds(), " to ", row.p90_seconds()),
                  row.median_seconds());
  }
  if (row.low_seconds() < 0 || row.low_seconds() > row.high_seconds()) {
    return refuse("low_seconds", absl::StrCat("0 to high_seconds, ", row.high_seconds()), row.low_seconds());
  }
  for (const auto& phase : row.phases()) {
    if (phase.second < 0) return refuse(absl::StrCat("phases.", phase.first), "0 or more", phase.second);
  }
  for (int i = 0; i < row.blocks_size(); ++i) {
    RETURN_IF_ERROR(CheckBlock(row.blocks(i), name, absl::StrCat(path, ".blocks[", i, "]")));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ReportJson(const BenchReport& report) {
  pb::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  std::string json;
  const auto status = pb::util::MessageToJsonString(report, &json, options);
  if (!status.ok()) return absl::InternalError(absl::StrCat("report as JSON: ", status.ToString()));
  return json;
}

absl::StatusOr<BenchReport> ParseReportJson(absl::string_view json, absl::string_view name) {
  BenchReport report;
  RETURN_IF_ERROR(ParseJsonMessage(json, name, &report));
  RETURN_IF_ERROR(CheckReport(report, name));
  return report;
}

absl::StatusOr<BenchReport> ReadReportJson(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string json, ReadFile(path, kReportMaxBytes));
  return ParseReportJson(json, path);
}

absl::Status CheckReport(const BenchReport& report, absl::string_view name) {
  RETURN_IF_ERROR(CheckNumbers(report, name, ""));
  if (report.config().name().empty()) return NoName(name, "config.name");
  if (report.peak_gflops() < 0) return FieldError(name, "peak_gflops", "0 or more", report.peak_gflops());
  if (report.memory_gb_per_second() < 0) {
    return FieldError(name, "memory_gb_per_second", "0 or more", report.memory_gb_per_second());
  }
  std::set<std::pair<std::string, double>> rows;  // implementation and point of a sweep
  for (int i = 0; i < report.rows_size(); ++i) {
    const BenchRow& row = report.rows(i);
    RETURN_IF_ERROR(CheckRow(row, name, absl::StrCat("rows[", i, "]")));
    if (!rows.insert({row.implementation(), row.at()}).second) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ": rows[", i, "]: expected each row once, found ", row.implementation(), " again"));
    }
  }
  for (int i = 0; i < report.comparisons_size(); ++i) {
    const Comparison& one = report.comparisons(i);
    const std::string path = absl::StrCat("comparisons[", i, "]");
    if (one.row().empty()) return NoName(name, path + ".row");
    if (one.other().empty()) return NoName(name, path + ".other");
    for (const std::string& row : {one.row(), one.other()}) {
      if (rows.count({row, one.at()}) > 0) continue;
      return absl::InvalidArgumentError(absl::StrCat(name, ": ", path, ": expected a row of this report, found ", row));
    }
    if (one.ratio() < 0) return FieldError(name, path + ".ratio", "0 or more", one.ratio());
  }
  for (int i = 0; i < report.curves_size(); ++i) {
    if (report.curves(i).implementation().empty()) return NoName(name, absl::StrCat("curves[", i, "].implementation"));
  }
  return absl::OkStatus();
}

}  // namespace earshot
