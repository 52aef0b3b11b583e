#include "bench/training_curve.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/read_error.h"
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
  if (google::protobuf::util::JsonStringToMessage(std::string(json), &object).ok()) return object;
  return absl::InvalidArgumentError(
      absl::StrCat(where, ": expected a JSON object, found ", json.empty() ? "nothing" : Quoted(json)));
}

absl::StatusOr<Value> FieldOf(const Struct& object, const std::string& key, Value::KindCase kind, const char* expected,
                              const std::string& where) {
  const auto found = object.fields().find(key);
  if (found != object.fields().end() && found->second.kind_case() == kind) return found->second;
  return absl::InvalidArgumentError(absl::StrCat(where, ": ", found == object.fields().end() ? "no \"" : "another \"",
                                                 key, "\", expected ", expected));
}

// Errors, losses, seconds and counts: all finite and not negative.
absl::StatusOr<double> NumberOf(const Struct& object, const std::string& key, const std::string& where) {
  constexpr char kExpected[] = "a number, at least 0";
  ASSIGN_OR_RETURN(const Value value, FieldOf(object, key, Value::kNumberValue, kExpected, where));
  const double number = value.number_value();
  if (number >= 0 && std::isfinite(number)) return number;
  return absl::InvalidArgumentError(absl::StrCat(where, ": \"", key, "\": ", number, ", expected ", kExpected));
}

// `epochs`: how many it says the run had.
absl::Status ReadResult(const std::string& directory, TrainingCurve* curve, double* epochs) {
  const std::string path = directory + "/result.json";
  ASSIGN_OR_RETURN(const std::string json, ReadFile(path, kMaxFileBytes));
  ASSIGN_OR_RETURN(const Struct result, ParseObject(json, path));
  ASSIGN_OR_RETURN(const Value lstm, FieldOf(result, "lstm", Value::kStringValue, "an LSTM implementation", path));
  ASSIGN_OR_RETURN(const Value test, FieldOf(result, "test", Value::kStructValue, "an object", path));
  ASSIGN_OR_RETURN(const double seed, NumberOf(result, "seed", path));
  ASSIGN_OR_RETURN(*epochs, NumberOf(result, "epochs", path));
  ASSIGN_OR_RETURN(const double error, NumberOf(test.struct_value(), "wer", path));
  constexpr double kWhole = 9007199254740992;  // up to 2^53 a double holds every whole number
  if (seed > kWhole)
    return absl::InvalidArgumentError(absl::StrCat(path, ": \"seed\": ", seed, ", expected at most 2^53"));
  curve->set_implementation(lstm.string_value());
  curve->set_seed(static_cast<uint64_t>(seed));
  curve->set_test_error(error);
  return absl::OkStatus();
}

// "alike (p = 0.3)" of two rows, by their test errors.
std::string Alike(const CurveSummary& first, const CurveSummary& one) {
  if (first.seeds < 2 || one.seeds < 2) return "needs two runs of each";
  const double p = SameErrorP(first, one);
  return absl::StrFormat("%s (p = %.2g)", p < kAlpha ? "NOT alike" : "alike", p);
}

// Mean dev error after epoch `e` over the curves of an implementation that have so many; "-" when none has.
std::string MeanDevError(const BenchReport& report, const std::string& implementation, int e) {
  double sum = 0;
  int curves = 0;
  for (const TrainingCurve& curve : report.curves()) {
    if (curve.implementation() != implementation || e >= curve.epoch_size()) continue;
    sum += curve.epoch(e).dev_error();
    ++curves;
  }
  return curves == 0 ? "-" : absl::StrFormat("%.2f", sum / curves);
}

}  // namespace

absl::StatusOr<TrainingCurve> ReadTrainingCurve(const std::string& directory, double target_error) {
  TrainingCurve curve;
  double epochs = 0;
  RETURN_IF_ERROR(ReadResult(directory, &curve, &epochs));
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
  if (curve.epoch_size() == epochs && epochs > 0) return curve;
  return absl::InvalidArgumentError(absl::StrCat(path, ":", number, ": ends after ", curve.epoch_size(),
                                                 " lines with \"dev_wer\", expected one for each of the ", epochs,
                                                 " epochs that result.json counts, and at least one"));
}

std::vector<CurveSummary> SummarizeCurves(const BenchReport& report) {
  std::vector<CurveSummary> summaries;
  std::vector<std::vector<double>> seconds;  // to the target, of each
  for (const TrainingCurve& curve : report.curves()) {
    size_t i = 0;
    while (i < summaries.size() && summaries[i].implementation != curve.implementation()) ++i;
    if (i == summaries.size()) {
      summaries.emplace_back();
      seconds.emplace_back();
      summaries[i].implementation = curve.implementation();
    }
    CurveSummary& summary = summaries[i];
    ++summary.seeds;
    summary.test_errors.push_back(curve.test_error());
    summary.epochs = std::max<double>(summary.epochs, curve.epoch_size());
    if (curve.has_seconds_to_target()) seconds[i].push_back(curve.seconds_to_target());
  }
  for (size_t i = 0; i < summaries.size(); ++i) {
    CurveSummary& summary = summaries[i];
    summary.reached = static_cast<int>(seconds[i].size());
    if (summary.reached > 0) summary.median_seconds_to_target = Quantile(seconds[i], 0.5);
    double sum = 0, squares = 0;
    for (double error : summary.test_errors) sum += error;
    summary.mean_test_error = sum / summary.seeds;
    for (double error : summary.test_errors) squares += std::pow(error - summary.mean_test_error, 2);
    if (summary.seeds > 1) summary.sd_test_error = std::sqrt(squares / (summary.seeds - 1));
  }
  return summaries;
}

double SameErrorP(const CurveSummary& a, const CurveSummary& b) {
  if (a.seeds < 2 || b.seeds < 2) return 1;
  return WelchTest(a.test_errors, b.test_errors).p;
}

std::string TrainingCurvesTable(const BenchReport& report) {
  const std::vector<CurveSummary> summaries = SummarizeCurves(report);
  std::string text = absl::StrFormat("%-16s %5s %10s %8s %14s %8s  %s\n", "implementation", "runs", "test WER %", "sd",
                                     "s to target", "reached", "test WER, beside the first");
  int epochs = 0;
  for (const CurveSummary& one : summaries) {
    epochs = std::max(epochs, static_cast<int>(one.epochs));
    absl::StrAppendFormat(&text, "%-16s %5d %10.2f %8.2f %14s %8d  %s\n", one.implementation, one.seeds,
                          one.mean_test_error, one.sd_test_error,
                          one.reached == 0 ? "-" : absl::StrFormat("%.1f", one.median_seconds_to_target), one.reached,
                          &one == &summaries[0] ? "" : Alike(summaries[0], one));
  }
  absl::StrAppendFormat(&text, "\ndev WER %% after an epoch, mean over the runs (target %.1f %%)\nepoch",
                        report.target_error());
  for (const CurveSummary& one : summaries) absl::StrAppendFormat(&text, " %16s", one.implementation);
  absl::StrAppend(&text, "\n");
  for (int e = 0; e < epochs; ++e) {
    absl::StrAppendFormat(&text, "%5d", e + 1);
    for (const CurveSummary& one : summaries) {
      absl::StrAppendFormat(&text, " %16s", MeanDevError(report, one.implementation, e));
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

}  // namespace earshot
