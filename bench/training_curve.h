// Runs of the trainer to a stated error: what their run directories say, and whether implementations converge alike.
#ifndef EARSHOT_BENCH_TRAINING_CURVE_H_
#define EARSHOT_BENCH_TRAINING_CURVE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/bench.pb.h"

namespace earshot {

// From metrics.jsonl and result.json of a finished run (README, "Training"). NotFound when there is no result yet;
// InvalidArgument naming the file and the line for what is no such file, or is cut short: the curve has an epoch at
// least. seconds_to_target is the end of the first epoch whose dev error is at most `target_error` percent.
absl::StatusOr<TrainingCurve> ReadTrainingCurve(const std::string& directory, double target_error);

// Of the curves of an implementation: mean and standard deviation of their test errors, and how many reached the
// target.
struct CurveSummary {
  std::string implementation;
  int seeds = 0, reached = 0;
  double median_seconds_to_target = 0;  // of those that reached it
  double mean_test_error = 0, sd_test_error = 0;
  double epochs = 0;                // most
  std::vector<double> test_errors;  // percent, a seed each
};
std::vector<CurveSummary> SummarizeCurves(const BenchReport& report);

// Whether two rows converge alike: p of Welch's t-test on the test errors of their seeds; 1 with fewer than two seeds.
double SameErrorP(const CurveSummary& a, const CurveSummary& b);

// A line an implementation: runs, mean and standard deviation of the test error, median seconds to the target, and by
// Welch's t-test whether its test errors differ from those of the first implementation at alpha 0.01 ("alike": they do
// not). Then a line an epoch: the mean dev error of each.
std::string TrainingCurvesTable(const BenchReport& report);

}  // namespace earshot

#endif  // EARSHOT_BENCH_TRAINING_CURVE_H_
