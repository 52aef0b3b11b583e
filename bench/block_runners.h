// Where blocks are measured: in a new process of this program, or here.
#ifndef EARSHOT_BENCH_BLOCK_RUNNERS_H_
#define EARSHOT_BENCH_BLOCK_RUNNERS_H_

#include <atomic>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/thread_pool.h"
#include "bench/run.h"
#include "bench/subject.h"

namespace earshot {

// The subjects of a request's rows: LSTM implementations, "loss", or peers (FRAMEWORK:LAYER). NotFound or Unavailable
// for a name that is none, or not here. The pool outlives them.
absl::StatusOr<std::vector<std::unique_ptr<Subject>>> SubjectsOf(const BlockRequest& request, ThreadPool* pool);

// Starts `program` with --block=FILE, a BlockRequest in JSON, and reads the report from its standard output. Once *stop
// is true, the process is ended and the block Cancelled.
BlockRunner ProcessRunner(std::string program, const std::atomic<bool>* stop);

}  // namespace earshot

#endif  // EARSHOT_BENCH_BLOCK_RUNNERS_H_
