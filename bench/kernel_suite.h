// The frame of //bench:kernels: what a timed kernel is, and how it becomes a row of Google Benchmark whose rates stand
// beside what this machine can do at most.
#ifndef EARSHOT_BENCH_KERNEL_SUITE_H_
#define EARSHOT_BENCH_KERNEL_SUITE_H_

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/thread_pool.h"
#include "bench/peak.h"

namespace earshot {

// The measured limits of some number of threads.
struct MachineLimits {
  double peak_gflops = 0;
  Bandwidth bandwidth;
};

// Which of them bounds a kernel.
enum class Bound { kPeak, kRead, kCopy, kUpdate };

// What one run of a kernel does.
struct KernelWork {
  double flops = 0;  // useful ones: without those on padding
  double bytes = 0;  // that have to cross the memory bus
  Bound bound = Bound::kPeak;
  double cells = 0;  // LSTM units times rows, or CTC states times frames; 0: has none
  double steps = 0;  // of a recurrence; 0: has none
};

// One kernel with its data: made for its row, run once, checked, then timed.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual KernelWork work() const = 0;
  virtual double Run() = 0;  // returns the seconds that count
  // Called once, after the first Run: what it computed against an independent computation of the same.
  virtual absl::Status Check() = 0;
};

class KernelSuite {
 public:
  using MakeKernel = std::function<std::unique_ptr<Kernel>(ThreadPool* pool)>;

  // Measures the limits of each of thread_counts() in about `seconds`.
  KernelSuite(int threads, double seconds);

  // 1, 2 and `threads`, as far as they are different and not above `threads`.
  std::vector<int> thread_counts() const;
  bool has_threads(int threads) const { return pools_.count(threads) > 0; }
  ThreadPool* pool(int threads) { return pools_.at(threads).get(); }
  const MachineLimits& limits(int threads) const { return limits_.at(threads); }

  // A row NAME/threads:N of Google Benchmark. Its counters: GFLOP/s and share_of_peak, or GB/s and share_of_bandwidth,
  // of the run in the middle; best_share, of the fastest run (the limits are the best of their trials, too);
  // ns_per_cell and us_per_step. The time column is the mean. A kernel whose Check fails becomes an error.
  void Register(const std::string& name, int threads, MakeKernel make);

  // Whether a kernel failed its Check.
  bool failed() const { return failed_; }

  // "1 thread: 150.1 GFLOP/s ..., ...", and how far a second measurement is from the first.
  std::string Describe() const;
  std::string DescribeDrift();

 private:
  MachineLimits Measure(int threads);

  const double seconds_;
  std::map<int, std::unique_ptr<ThreadPool>> pools_;
  std::map<int, MachineLimits> limits_;
  // The kernel of the row that ran last: Google Benchmark calls a row several times, with more and more iterations.
  std::string current_;
  std::unique_ptr<Kernel> kernel_;
  std::set<std::string> checked_;
  bool failed_ = false;
};

}  // namespace earshot

#endif  // EARSHOT_BENCH_KERNEL_SUITE_H_
