// Which of a process's first steps are still warm-up, from their times alone.
//
// The marginal standard error rule (MSER: White, "An effective truncation heuristic for bias reduction in simulation
// output", Simulation 69(6), 1997): of n steps x the first d are left out, with the d that gives the narrowest interval
// of the mean of the rest,
//
//   argmin over d of 1 / (n - d)^2 * sum over i >= d of (x[i] - mean(x[d:]))^2.
//
// So that a single slow step late in the run does not end a warm-up of its own, x is first winsorised: clipped to
// m +- 3 s with the median m of the run's second half and s = 1.4826 times its median absolute deviation from m, which
// is the standard deviation of normally distributed times (where s = 0, nothing is clipped). A slow step within the
// first seventh or so still ends a warm-up; then a few good steps are lost.
#ifndef EARSHOT_BENCH_STEADY_STATE_H_
#define EARSHOT_BENCH_STEADY_STATE_H_

#include "absl/types/span.h"

namespace earshot {

// As many steps at least are kept when there are more than that.
constexpr int kMinSteadySteps = 10;

enum class SteadyState {
  kReached,      // no drift among the steps kept
  kNotReached,   // they drift: the medians of their two halves differ by more than 2 % and significantly
                 // (Mann-Whitney, p < 0.01)
  kTooFewSteps,  // fewer than kMinSteadySteps are kept; 5 and 5 are the fewest with which that test can say anything
};

struct WarmUp {
  // d above: at most half of the steps. The first step is always one, when there are at least two: it takes the memory.
  int steps = 0;
  SteadyState state = SteadyState::kTooFewSteps;
};

// `step_times`: all steps of one process in order, in any unit; at least one.
WarmUp FindWarmUp(absl::Span<const double> step_times);

}  // namespace earshot

#endif  // EARSHOT_BENCH_STEADY_STATE_H_
