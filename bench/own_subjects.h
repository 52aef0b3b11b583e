// Our own rows of a configuration, whatever it measures.
#ifndef EARSHOT_BENCH_OWN_SUBJECTS_H_
#define EARSHOT_BENCH_OWN_SUBJECTS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/thread_pool.h"
#include "bench/bench.pb.h"
#include "bench/subject.h"

namespace earshot {

// The row `name`: the trainer's step with that LSTM implementation, or the published benchmark's
// (BenchBatch.misaligned_lengths), or, of a configuration that measures the loss alone, that. NotFound or Unavailable
// for an implementation that is not here. The pool outlives it.
absl::StatusOr<std::unique_ptr<Subject>> OwnSubject(const BenchConfig& config, const std::string& name,
                                                    ThreadPool* pool);

// The reference implementation of what the configuration measures.
std::unique_ptr<Subject> ReferenceSubject(const BenchConfig& config, ThreadPool* pool);

}  // namespace earshot

#endif  // EARSHOT_BENCH_OWN_SUBJECTS_H_
