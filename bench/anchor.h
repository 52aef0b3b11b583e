// Who says what the timed steps have to be.
#ifndef EARSHOT_BENCH_ANCHOR_H_
#define EARSHOT_BENCH_ANCHOR_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/thread_pool.h"
#include "bench/bench.pb.h"
#include "bench/verify.h"
#include "data/batch.h"

namespace earshot {

// The first steps of the reference on the batch or, where a step of it takes longer than kLongStepSeconds, of `basic`,
// the simplest of the implementations that the conformance suite compares with it. Without losses of utterances.
absl::StatusOr<Trace> AnchorTrace(const BenchConfig& config, absl::Span<const float> params, const Batch& batch,
                                  ThreadPool* pool);

}  // namespace earshot

#endif  // EARSHOT_BENCH_ANCHOR_H_
