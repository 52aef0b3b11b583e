// Runs of the trainer to a stated error: what their run directories say, and whether implementations converge alike.
#ifndef EARSHOT_BENCH_TRAINING_CURVE_H_
#define EARSHOT_BENCH_TRAINING_CURVE_H_

#include <string>

#include "absl/status/statusor.h"
#include "bench/bench.pb.h"

namespace earshot {

// From metrics.jsonl and result.json of a finished run (README, "Training"). NotFound when there is no result yet;
// InvalidArgument naming the file for what is no such file. seconds_to_target is the end of the first epoch whose dev
// error is at most `target_error` percent.
absl::StatusOr<TrainingCurve> ReadTrainingCurve(const std::string& directory, double target_error);

// A line an implementation: runs, mean and standard deviation of the test error, median seconds to the target, and by
// Welch's t-test whether its test errors differ from those of the first implementation at alpha 0.01 ("alike": they do
// not). Then a line an epoch: the mean dev error of each.
std::string TrainingCurvesTable(const BenchReport& report);

}  // namespace earshot

#endif  // EARSHOT_BENCH_TRAINING_CURVE_H_
