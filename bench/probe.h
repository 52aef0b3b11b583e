// What a row's step costs, before there is time to measure it.
#ifndef EARSHOT_BENCH_PROBE_H_
#define EARSHOT_BENCH_PROBE_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "bench/bench.pb.h"
#include "bench/plan.h"
#include "bench/subject.h"

namespace earshot {

// From short steps, longer and longer, until one says enough about the speed.
absl::StatusOr<StepCost> ProbeCost(const BenchConfig& config, absl::Span<const float> params, Subject* subject);

}  // namespace earshot

#endif  // EARSHOT_BENCH_PROBE_H_
