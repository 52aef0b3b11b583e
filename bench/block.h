// A block of measurements: one process in which some rows take turns, step by step.
#ifndef EARSHOT_BENCH_BLOCK_H_
#define EARSHOT_BENCH_BLOCK_H_

#include <memory>
#include <ostream>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/thread_pool.h"
#include "bench/bench.pb.h"
#include "bench/subject.h"

namespace earshot {

// Measures `subjects`, which are those of the request's rows, in its order. The report has a row each, with one block
// of raw samples, and one BlockRecord; its statistics are not filled in (bench/summary.h). A subject that disagrees
// with the reference, or fails, is a row that says so and holds no times. Lines about what is going on go to *progress.
//
// With request.check a subject is compared with
// - the reference implementation, on a small copy of the configuration: losses, first gradient, losses of three steps;
// - its own first timed steps with those of the reference, where that takes no longer than kLongStepSeconds a step, or
//   else of the simplest implementation that has been compared with it (`basic`): first gradient and losses. A peer's
//   are compared with those of the own row that it takes turns with.
absl::StatusOr<BenchReport> RunBlock(const BlockRequest& request, absl::Span<const std::unique_ptr<Subject>> subjects,
                                     ThreadPool* pool, std::ostream* progress);

}  // namespace earshot

#endif  // EARSHOT_BENCH_BLOCK_H_
