// How a benchmark spends its time: which rows are measured on fewer frames, how many steps each takes, in what order.
#ifndef EARSHOT_BENCH_PLAN_H_
#define EARSHOT_BENCH_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "bench/bench.pb.h"

namespace earshot {

constexpr int kMaxWarmUpSteps = 5;
constexpr int kMinTimedSteps = 3;

// The time of a step as a function of its frames: fixed + frames * per_frame, in seconds.
struct StepCost {
  double fixed = 0;      // phases that only depend on the number of parameters (clip, optimizer)
  double per_frame = 0;  // everything else
  double Seconds(int64_t frames) const { return fixed + per_frame * static_cast<double>(frames); }
  StepCost operator+(const StepCost& other) const { return {fixed + other.fixed, per_frame + other.per_frame}; }
};

// The cost of full batches from one step of `frames` frames.
StepCost CostFromStep(double seconds, double fixed_seconds, int64_t frames);

// Cuts `total` seconds into shares: nobody gets more than its need, and what one does not need the others divide
// equally.
std::vector<double> ShareTime(absl::Span<const double> needs, double total);

// The largest max_frames, at most the batch's own, with which a warm-up step and kMinTimedSteps timed ones cost at most
// `seconds`; at least 1.
int FramesThatFit(const BenchBatch& batch, const StepCost& cost, double seconds);

// What a row is measured on, and the seconds for all its steps. A peer takes turns with the fastest own row, whose
// steps then have the seconds beside.
struct RowPlan {
  BenchBatch batch;
  double seconds = 0;
  double beside_seconds = 0;
};

// Of the own rows and then of the peers with such costs, within `seconds` for all.
std::vector<RowPlan> PlanRows(const BenchConfig& config, absl::Span<const StepCost> own,
                              absl::Span<const StepCost> peers, double seconds);

// Steps that fit into `seconds`, from kMinTimedSteps to `max_steps`.
int StepsThatFit(double step_seconds, double seconds, int max_steps);

// Whether a row with `steps` steps takes one in this round of `rounds`: its steps are spread evenly over the run, so
// that a disturbance hits all rows alike. steps <= rounds.
bool TakesPart(int round, int rounds, int steps);

// Rough memory of a row's model and activations, in bytes.
int64_t EstimatedBytes(const BenchConfig& config);

}  // namespace earshot

#endif  // EARSHOT_BENCH_PLAN_H_
