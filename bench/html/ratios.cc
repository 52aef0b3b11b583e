#include "bench/html/ratios.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bench/html/escape.h"
#include "bench/html/scale.h"

namespace earshot {
namespace {

bool Faster(const BenchRow* a, const BenchRow* b) { return a->median_seconds() < b->median_seconds(); }

}  // namespace

const char* const kConfigs[4] = {"B-C1", "B-C2", "B-C3", "B-C4"};

std::string FrameworksId(const Records& records, absl::string_view config) {
  const Record* record = records.Find(config);
  return record == nullptr ? "" : record->anchor + "_frameworks";
}

std::string VersionsId(absl::string_view config) { return absl::StrCat(Slug(config), "_versions"); }

std::vector<const BenchRow*> RowsOfKind(const Records& records, absl::string_view config, Kind kind,
                                        const Family* family) {
  std::vector<const BenchRow*> rows;
  const Record* record = records.Find(config);
  if (record == nullptr) return rows;
  for (const BenchRow& row : record->report.rows()) {
    if (!Comparable(row) || Refused(record->report, row) || KindOf(row.implementation()) != kind) continue;
    if (BaseName(row.implementation()) != row.implementation()) continue;  // an older version
    if (family == nullptr || FamilyOf(row.implementation()) == *family) rows.push_back(&row);
  }
  return rows;
}

const BenchRow* Fastest(const std::vector<const BenchRow*>& rows) {
  return rows.empty() ? nullptr : *std::min_element(rows.begin(), rows.end(), Faster);
}

const BenchRow* Slowest(const std::vector<const BenchRow*>& rows) {
  return rows.empty() ? nullptr : *std::max_element(rows.begin(), rows.end(), Faster);
}

ClaimAnswer Answer(const Parts& parts, const std::string& what, const std::string& figure, const std::string& needs) {
  if (parts.empty()) return {"", "", needs};
  return {absl::StrCat(what, absl::StrJoin(parts, ", ")), figure, ""};
}

// The first of B-C1 to B-C4 that the records have.
std::string FirstFigure(const Records& records) {
  for (const char* config : {"B-C2", "B-C1", "B-C3", "B-C4"}) {
    if (records.Find(config) != nullptr) return FrameworksId(records, config);
  }
  return "";
}

ClaimAnswer RatioAnswer(const Records& records, absl::string_view slow, absl::string_view fast) {
  ClaimAnswer answer;
  std::vector<std::string> parts;
  for (const char* config : kConfigs) {
    const Record* record = records.Find(config);
    const BenchRow *above = records.Row(config, slow), *below = records.Row(config, fast);
    if (record == nullptr || above == nullptr || below == nullptr || !Comparable(*above) || !Comparable(*below))
      continue;
    parts.push_back(absl::StrFormat("%s %.2f×", config, above->median_seconds() / below->median_seconds()));
    if (answer.figure.empty()) answer.figure = FrameworksId(records, config);
  }
  if (!parts.empty()) {
    answer.text = absl::StrCat(slow, " over ", fast, ": ", absl::StrJoin(parts, ", "));
  } else {
    answer.needs = absl::StrCat(slow, " and ", fast, " on one of B-C1 to B-C4");
  }
  return answer;
}

ClaimAnswer VersionAnswer(const Records& records, const std::vector<std::string>& base_names,
                          const std::vector<std::string>& configs) {
  ClaimAnswer answer;
  std::vector<std::string> parts;
  for (const std::string& name : base_names) {
    for (const std::string& config : configs) {
      const std::vector<VersionedRow> versions = records.Versions(config, name);
      if (versions.size() < 2) continue;
      const auto [fast, slow] =
          std::minmax_element(versions.begin(), versions.end(),
                              [](const VersionedRow& a, const VersionedRow& b) { return Faster(a.row, b.row); });
      parts.push_back(absl::StrFormat("%s, %s: %s over %s %.2f×", config, name, slow->version, fast->version,
                                      slow->row->median_seconds() / fast->row->median_seconds()));
      if (answer.figure.empty()) answer.figure = VersionsId(config);
    }
  }
  if (!parts.empty()) {
    answer.text = absl::StrJoin(parts, "; ");
  } else {
    answer.needs = absl::StrCat("two versions of ", absl::StrJoin(base_names, " or "));
  }
  return answer;
}

}  // namespace earshot
