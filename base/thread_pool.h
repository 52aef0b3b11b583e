// The one pool of a training step. Work is cut into fixed shares, never stolen, so that sums keep their order and a
// rerun gives the same bits. Denormals are flushed to zero in every worker (and in the caller while it works).
#ifndef EARSHOT_BASE_THREAD_POOL_H_
#define EARSHOT_BASE_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"

namespace earshot {

// Sets flush-to-zero and denormals-are-zero (MXCSR) in this thread for its lifetime, then restores what was there.
class ScopedFlushDenormals {
 public:
  explicit ScopedFlushDenormals(bool flush = true);
  ~ScopedFlushDenormals();
  ScopedFlushDenormals(const ScopedFlushDenormals&) = delete;
  ScopedFlushDenormals& operator=(const ScopedFlushDenormals&) = delete;

 private:
  unsigned saved_;
};

class ThreadPool {
 public:
  explicit ThreadPool(int num_threads);  // at least 1; the calling thread is one of them
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls work(i) once for every i in [0, num_threads()), each in a thread of its own, and waits. i = 0 runs in the
  // caller. Not reentrant.
  void Run(absl::FunctionRef<void(int)> work);

  // Cuts [0, n) into at most num_threads() contiguous shares of at least `grain` items and calls work(begin, end) for
  // each. The cut depends on n, grain and num_threads() only.
  void ParallelFor(int64_t n, int64_t grain, absl::FunctionRef<void(int64_t begin, int64_t end)> work);

 private:
  void Work(int index);

  std::vector<std::thread> threads_;
  const absl::FunctionRef<void(int)>* work_ = nullptr;  // of the current round
  std::atomic<uint64_t> round_{0};                      // bumped to start a round
  std::atomic<int> pending_{0};                         // workers that still have to finish this round
  std::atomic<bool> stop_{false};
  std::atomic<int> sleepers_{0};
  std::mutex mutex_;  // for sleeping only: a worker first spins for some microseconds
  std::condition_variable wake_;
};

// Hardware threads that this process may use (its CPU affinity), at least 1.
int AvailableCpus();

}  // namespace earshot

#endif  // EARSHOT_BASE_THREAD_POOL_H_
