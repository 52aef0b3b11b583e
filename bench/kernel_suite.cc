#include "bench/kernel_suite.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/check.h"

namespace earshot {
namespace {

double LimitOf(const MachineLimits& limits, Bound bound) {
  switch (bound) {
    case Bound::kPeak:
      return limits.peak_gflops;
    case Bound::kRead:
      return limits.bandwidth.read;
    case Bound::kCopy:
      return limits.bandwidth.copy;
    case Bound::kUpdate:
      break;
  }
  return limits.bandwidth.update;
}

void SetCounters(const KernelWork& work, const MachineLimits& limits, std::vector<double>* seconds,
                 benchmark::State* state) {
  if (seconds->empty()) return;
  std::sort(seconds->begin(), seconds->end());
  const double best = seconds->front(), middle = (*seconds)[seconds->size() / 2];
  const bool arithmetic = work.bound == Bound::kPeak;
  const double limit = LimitOf(limits, work.bound), giga = (arithmetic ? work.flops : work.bytes) * 1e-9;
  const auto set = [state](const char* name, double value) { state->counters[name] = benchmark::Counter(value); };
  if (giga > 0) {
    set(arithmetic ? "GFLOP/s" : "GB/s", giga / middle);
    set(arithmetic ? "share_of_peak" : "share_of_bandwidth", giga / middle / limit);
    set("best_share", giga / best / limit);
  }
  if (work.cells > 0) set("ns_per_cell", middle * 1e9 / work.cells);
  if (work.steps > 0) set("us_per_step", middle * 1e6 / work.steps);
}

std::string Threads(int n) { return absl::StrCat(n, n == 1 ? " thread" : " threads"); }

}  // namespace

KernelSuite::KernelSuite(int threads, double seconds) : seconds_(seconds) {
  CHECK_GE(threads, 1);
  for (const int n : {1, 2, threads}) {
    if (n > threads || has_threads(n)) continue;
    pools_[n] = std::make_unique<ThreadPool>(n);
    limits_[n] = Measure(n);
  }
}

MachineLimits KernelSuite::Measure(int threads) {
  ThreadPool* const p = pool(threads);
  return {MeasurePeakGflops(p, seconds_ / 2), MeasureBandwidth(p, seconds_ / 2)};
}

std::vector<int> KernelSuite::thread_counts() const {
  std::vector<int> counts;
  for (const auto& entry : pools_) counts.push_back(entry.first);
  return counts;
}

void KernelSuite::Register(const std::string& name, int threads, MakeKernel make) {
  const std::string row = absl::StrCat(name, "/threads:", threads);
  const auto run = [this, row, threads, make = std::move(make)](benchmark::State& state) {
    if (current_ != row) {
      kernel_.reset();  // the memory of one goes before that of the next comes
      kernel_ = make(pool(threads));
      current_ = row;
      kernel_->Run();
      if (checked_.insert(row).second) {
        const absl::Status status = kernel_->Check();
        if (!status.ok()) {
          failed_ = true;
          checked_.erase(row);
          current_.clear();
          return state.SkipWithError(std::string(status.message()).c_str());
        }
      }
    }
    std::vector<double> seconds;
    for (auto _ : state) {
      seconds.push_back(kernel_->Run());
      state.SetIterationTime(seconds.back());
    }
    SetCounters(kernel_->work(), limits(threads), &seconds, &state);
  };
  benchmark::RegisterBenchmark(row.c_str(), run)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

std::string KernelSuite::Describe() const {
  std::string text;
  for (const auto& entry : limits_) {
    const MachineLimits& l = entry.second;
    absl::StrAppendFormat(&text, "%s%s: %.1f GFLOP/s (%s), %.1f GB/s read, %.1f written, %.1f copied, %.1f updated",
                          text.empty() ? "" : "; ", Threads(entry.first), l.peak_gflops, PeakInstructionSet(),
                          l.bandwidth.read, l.bandwidth.write, l.bandwidth.copy, l.bandwidth.update);
  }
  return text;
}

std::string KernelSuite::DescribeDrift() {
  std::string text;
  for (const auto& entry : limits_) {
    const MachineLimits &then = entry.second, now = Measure(entry.first);
    const auto percent = [](double before, double after) { return (after / before - 1) * 100; };
    absl::StrAppendFormat(
        &text, "%s%s: peak %+.1f %%, read %+.1f %%, write %+.1f %%, copy %+.1f %%, update %+.1f %%",
        text.empty() ? "" : "; ", Threads(entry.first), percent(then.peak_gflops, now.peak_gflops),
        percent(then.bandwidth.read, now.bandwidth.read), percent(then.bandwidth.write, now.bandwidth.write),
        percent(then.bandwidth.copy, now.bandwidth.copy), percent(then.bandwidth.update, now.bandwidth.update));
  }
  return text;
}

}  // namespace earshot
