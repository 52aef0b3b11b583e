#include "base/thread_pool.h"

#include <immintrin.h>
#include <sched.h>

#include <algorithm>

#include "base/check.h"

namespace earshot {
namespace {

constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
// About 50 microseconds of pauses: long enough for the gap between two steps of a recurrence, short enough not to take
// a core away from somebody else on a busy machine.
constexpr int kSpins = 1500;

}  // namespace

ScopedFlushDenormals::ScopedFlushDenormals(bool flush) : saved_(_mm_getcsr()) {
  constexpr unsigned kBits = kFlushToZero | kDenormalsAreZero;
  _mm_setcsr(flush ? saved_ | kBits : saved_ & ~kBits);
}
ScopedFlushDenormals::~ScopedFlushDenormals() { _mm_setcsr(saved_); }

ThreadPool::ThreadPool(int num_threads) {
  CHECK_GE(num_threads, 1);
  for (int i = 1; i < num_threads; ++i) threads_.emplace_back([this, i] { Work(i); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_.store(true);
    round_.fetch_add(1);
  }
  wake_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void ThreadPool::Work(int index) {
  ScopedFlushDenormals flush;
  uint64_t seen = 0;
  while (true) {
    for (int spin = 0; spin < kSpins && round_.load(std::memory_order_acquire) == seen; ++spin) _mm_pause();
    if (round_.load(std::memory_order_acquire) == seen) {
      std::unique_lock<std::mutex> lock(mutex_);
      sleepers_.fetch_add(1);
      wake_.wait(lock, [&] { return round_.load() != seen; });
      sleepers_.fetch_sub(1);
    }
    seen = round_.load(std::memory_order_acquire);
    if (stop_.load()) return;
    (*work_)(index);
    pending_.fetch_sub(1, std::memory_order_release);
  }
}

void ThreadPool::Run(absl::FunctionRef<void(int)> work) {
  ScopedFlushDenormals flush;
  if (threads_.empty()) return work(0);
  CHECK_EQ(pending_.load(), 0);  // Run inside Run
  work_ = &work;
  pending_.store(static_cast<int>(threads_.size()));
  // Sequentially consistent with the worker's "count me as sleeping, then look at the round": one of the two sees the
  // other, so nobody sleeps through a round.
  round_.fetch_add(1);
  if (sleepers_.load() > 0) {
    std::lock_guard<std::mutex> lock(mutex_);
    wake_.notify_all();
  }
  work(0);
  for (int spin = 0; pending_.load(std::memory_order_acquire) > 0; ++spin) {
    if (spin < kSpins) {
      _mm_pause();
    } else {
      std::this_thread::yield();  // more threads than cores: let the others finish
    }
  }
}

void ThreadPool::ParallelFor(int64_t n, int64_t grain, absl::FunctionRef<void(int64_t, int64_t)> work) {
  const int64_t shares = std::min<int64_t>(num_threads(), n / std::max<int64_t>(grain, 1));
  if (shares <= 1) {
    ScopedFlushDenormals flush;
    if (n > 0) work(0, n);
    return;
  }
  Run([&](int i) {
    if (i < shares) work(n * i / shares, n * (i + 1) / shares);
  });
}

int AvailableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return std::max(1u, std::thread::hardware_concurrency());
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace earshot
