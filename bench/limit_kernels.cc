#include "bench/limit_kernels.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "bench/peak.h"

namespace earshot {
namespace {

constexpr double kSeconds = 0.02;  // of trials, a run

// The rate is the best of some trials; a run counts as the time that 10^9 operations or bytes take at it.
class LimitKernel : public Kernel {
 public:
  LimitKernel(ThreadPool* pool, Bound bound) : pool_(pool), bound_(bound) {}

  KernelWork work() const override {
    KernelWork work;
    work.flops = work.bytes = 1e9;
    work.bound = bound_;
    return work;
  }

  double Run() override {
    if (bound_ == Bound::kPeak) return 1 / MeasurePeakGflops(pool_, kSeconds);
    const Bandwidth bandwidth = MeasureBandwidth(pool_, kSeconds);
    return 1 / (bound_ == Bound::kRead ? bandwidth.read : bound_ == Bound::kCopy ? bandwidth.copy : bandwidth.update);
  }

  // No product is faster than the peak.
  absl::Status Check() override {
    if (bound_ != Bound::kPeak) return absl::OkStatus();
    double peak = 0, gemm = 0;
    for (int i = 0; i < 5 && (gemm == 0 || gemm > 1.05 * peak); ++i) {  // other programs may disturb either
      peak = std::max(peak, MeasurePeakGflops(pool_, 0.1));
      gemm = MeasureGemmGflops(pool_, 0.1);
    }
    if (gemm <= 1.05 * peak) return absl::OkStatus();
    return absl::InternalError(absl::StrCat("peak of ", peak, " GFLOP/s, but OpenBLAS has ", gemm));
  }

 private:
  ThreadPool* const pool_;
  const Bound bound_;
};

}  // namespace

void RegisterLimitKernels(KernelSuite* suite) {
  const auto add = [suite](const char* name, Bound bound) {
    for (const int threads : suite->thread_counts()) {
      suite->Register(name, threads, [bound](ThreadPool* pool) { return std::make_unique<LimitKernel>(pool, bound); });
    }
  };
  add("peak", Bound::kPeak);
  add("bandwidth/read", Bound::kRead);
  add("bandwidth/copy", Bound::kCopy);
  add("bandwidth/update", Bound::kUpdate);
}

}  // namespace earshot
