#include "bench/training_curve.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "bench/stats.h"
#include "bench/welch.h"

namespace earshot {
namespace {

using google::protobuf::Struct;
using google::protobuf::Value;

constexpr double kAlpha = 0.01;
constexpr int64_t kMaxFileBytes = int64_t{64} << 20;

absl::StatusOr<Struct> ParseObject(absl::string_view json, const std::string& where) {
  Struct object;
  const auto status = google::protobuf::util::JsonStringToMessage(std::string(json), &object);
  if (status.ok()) return object;
  return absl::InvalidArgumentError(absl::StrCat(where, ": ", status.ToString(), ", expected a JSON object"));
}

absl::StatusOr<double> NumberOf(const Struct& object, const std::string& key, const std::string& where) {
  const auto found = object.fields().find(key);
  if (found != object.fields().end() && found->second.kind_case() == Value::kNumberValue) {
    return found->second.number_value();
  }
  return absl::InvalidArgumentError(absl::StrCat(where, ": no number \"", key, "\""));
}

absl::Status ReadResult(const std::string& directory, TrainingCurve* curve) {
  const std::string path = directory + "/result.json";
  ASSIGN_OR_RETURN(const std::string json, ReadFile(path, kMaxFileBytes));
  ASSIGN_OR_RETURN(const Struct result, ParseObject(json, path));
  const auto lstm = result.fields().find("lstm"), test = result.fields().find("test");
  if (lstm == result.fields().end() || test == result.fields().end()) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": no \"lstm\" and \"test\""));
  }
  curve->set_implementation(lstm->second.string_value());
  ASSIGN_OR_RETURN(const double seed, NumberOf(result, "seed", path));
  curve->set_seed(static_cast<uint64_t>(seed));
  ASSIGN_OR_RETURN(const double error, NumberOf(test->second.struct_value(), "wer", path));
  curve->set_test_error(error);
  return absl::OkStatus();
}

// Curves of each implementation, in the order in which they first occur.
std::vector<std::pair<std::string, std::vector<const TrainingCurve*>>> ByImplementation(const BenchReport& report) {
  std::vector<std::pair<std::string, std::vector<const TrainingCurve*>>> groups;
  for (const TrainingCurve& curve : report.curves()) {
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == curve.implementation(); });
    if (group == groups.end()) group = groups.insert(groups.end(), {curve.implementation(), {}});
    group->second.push_back(&curve);
  }
  return groups;
}

std::vector<double> TestErrors(const std::vector<const TrainingCurve*>& curves) {
  std::vector<double> errors;
  for (const TrainingCurve* curve : curves) errors.push_back(curve->test_error());
  return errors;
}

double Mean(const std::vector<double>& x) {
  double sum = 0;
  for (double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

// Of a sample: over n - 1.
double Deviation(const std::vector<double>& x) {
  const double mean = Mean(x);
  double squares = 0;
  for (double v : x) squares += (v - mean) * (v - mean);
  return x.size() < 2 ? 0 : std::sqrt(squares / static_cast<double>(x.size() - 1));
}

std::string Alike(const std::vector<double>& errors, const std::vector<double>& first) {
  if (errors.size() < 2 || first.size() < 2) return "needs two runs of each";
  const double p = WelchTest(first, errors).p;
  return absl::StrFormat("%s (p = %.2g)", p < kAlpha ? "NOT alike" : "alike", p);
}

}  // namespace

absl::StatusOr<TrainingCurve> ReadTrainingCurve(const std::string& directory, double target_error) {
  TrainingCurve curve;
  RETURN_IF_ERROR(ReadResult(directory, &curve));
  const std::string path = directory + "/metrics.jsonl";
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path, kMaxFileBytes));
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::string where = absl::StrCat(path, ":", ++number);
    if (line.empty()) continue;
    ASSIGN_OR_RETURN(const Struct object, ParseObject(line, where));
    if (object.fields().count("dev_wer") == 0) continue;  // of a step
    TrainingCurve::Epoch* epoch = curve.add_epoch();
    ASSIGN_OR_RETURN(const double seconds, NumberOf(object, "seconds", where));
    ASSIGN_OR_RETURN(const double error, NumberOf(object, "dev_wer", where));
    ASSIGN_OR_RETURN(const double loss, NumberOf(object, "train_loss", where));
    epoch->set_seconds(seconds);
    epoch->set_dev_error(error);
    epoch->set_train_loss(loss);
    if (error <= target_error && !curve.has_seconds_to_target()) curve.set_seconds_to_target(seconds);
  }
  return curve;
}

std::string TrainingCurvesTable(const BenchReport& report) {
  const auto groups = ByImplementation(report);
  std::string text = absl::StrFormat("%-16s %5s %10s %8s %14s %8s  %s\n", "implementation", "runs", "test WER %", "sd",
                                     "s to target", "reached", "test WER, beside the first");
  size_t epochs = 0;
  for (const auto& group : groups) {
    const std::vector<double> errors = TestErrors(group.second);
    std::vector<double> seconds;
    for (const TrainingCurve* curve : group.second) {
      if (curve->has_seconds_to_target()) seconds.push_back(curve->seconds_to_target());
      epochs = std::max(epochs, static_cast<size_t>(curve->epoch_size()));
    }
    const bool first = &group == &groups.front();
    absl::StrAppendFormat(&text, "%-16s %5d %10.2f %8.2f %14s %8d  %s\n", group.first, errors.size(), Mean(errors),
                          Deviation(errors), seconds.empty() ? "-" : absl::StrFormat("%.1f", Quantile(seconds, 0.5)),
                          seconds.size(), first ? "" : Alike(errors, TestErrors(groups.front().second)));
  }
  absl::StrAppendFormat(&text, "\ndev WER %% after an epoch, mean over the runs (target %.1f %%)\nepoch",
                        report.target_error());
  for (const auto& group : groups) absl::StrAppendFormat(&text, " %16s", group.first);
  absl::StrAppend(&text, "\n");
  for (size_t e = 0; e < epochs; ++e) {
    absl::StrAppendFormat(&text, "%5d", e + 1);
    for (const auto& group : groups) {
      std::vector<double> errors;
      for (const TrainingCurve* curve : group.second) {
        if (e < static_cast<size_t>(curve->epoch_size()))
          errors.push_back(curve->epoch(static_cast<int>(e)).dev_error());
      }
      absl::StrAppendFormat(&text, " %16s", errors.empty() ? "-" : absl::StrFormat("%.2f", Mean(errors)));
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

}  // namespace earshot
