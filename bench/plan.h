// How a benchmark spends its time: which rows are measured on fewer frames, how many steps each takes, in what order.
#ifndef EARSHOT_BENCH_PLAN_H_
#define EARSHOT_BENCH_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "bench/bench.pb.h"

namespace earshot {

// Steps of a row in a process, its first one included, which never counts.
constexpr int kMinSteps = 3;
// A row whose step takes longer is measured on utterances of at most kShortFrames frames, unless the configuration
// lists it under full_length.
constexpr double kLongStepSeconds = 5;
constexpr int kShortFrames = 100;
// Fewer frames say nothing of a long utterance: what a step costs besides its frames counts most, and there is hardly a
// recurrence.
constexpr int kFewestFrames = 8;

// The time of a step as a function of its frames: fixed + frames * per_frame, in seconds.
struct StepCost {
  double fixed = 0;      // phases that only depend on the number of parameters (clip, optimizer)
  double per_frame = 0;  // everything else
  double Seconds(int64_t frames) const { return fixed + per_frame * static_cast<double>(frames); }
};

// The cost of full batches from one step of `frames` frames.
StepCost CostFromStep(double seconds, double fixed_seconds, int64_t frames);

// Cuts `total` seconds into shares: nobody gets more than its need, and what one does not need the others divide
// equally.
std::vector<double> ShareTime(absl::Span<const double> needs, double total);

// The largest max_frames, at most the batch's own, with which kMinSteps steps cost at most `seconds`; 0
// where not even kFewestFrames do.
int FramesThatFit(const BenchBatch& batch, const StepCost& cost, double seconds);

// max_frames that each of the rows is measured on: all of them, or kShortFrames for those with long steps, or what lets
// the rows' fewest steps end within `seconds` together; 0: there is no time for the row.
std::vector<int> PlanFrames(const BenchConfig& config, absl::Span<const std::string> names,
                            absl::Span<const StepCost> costs, double seconds);

// Further steps of rows that take so many seconds a step, within `seconds` for all: at least kMinSteps - 1 each, at
// most max_steps. `in_turns`: all take equally many.
std::vector<int> PlanSteps(absl::Span<const double> step_seconds, double seconds, int max_steps, bool in_turns);

// Whether a row with `steps` steps takes one in this round of `rounds`: its steps are spread evenly over the run, so
// that a disturbance hits all rows alike. steps <= rounds.
bool TakesPart(int round, int rounds, int steps);

// Rough memory of a row's model and activations, in bytes.
int64_t EstimatedBytes(const BenchConfig& config);

}  // namespace earshot

#endif  // EARSHOT_BENCH_PLAN_H_
