// Runs a benchmark: verifies every subject against the reference, then times the right ones, taking turns step by step.
#ifndef EARSHOT_BENCH_RUNNER_H_
#define EARSHOT_BENCH_RUNNER_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/thread_pool.h"
#include "bench/bench.pb.h"
#include "bench/subject.h"

namespace earshot {

// One row a subject, in their order. A subject that disagrees with the reference, or fails, is a row that says so and
// holds no times. InvalidArgument for a configuration that cannot be run. Lines about what is going on go to *progress.
absl::StatusOr<BenchReport> RunBench(const BenchConfig& config, absl::Span<const std::unique_ptr<Subject>> subjects,
                                     ThreadPool* pool, std::ostream* progress);

}  // namespace earshot

#endif  // EARSHOT_BENCH_RUNNER_H_
