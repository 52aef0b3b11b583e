#include "bench/peak.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/peak.cc"
#include <hwy/foreach_target.h>  // compiles this file once an instruction set
#include <hwy/highway.h>

#include "base/gemm.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 12 independent sums hide the latency of the multiply-add on every current core (4 cycles, 2 a cycle: 8 are needed)
// and fit into 16 registers. Adds up the results into *sink, so that the work is not optimised away. Returns the number
// of floating-point operations.
double MultiplyAdds(int64_t rounds, float* sink) {
  const hn::ScalableTag<float> d;
  const auto scale = hn::Set(d, 0.999f), offset = hn::Set(d, 0.001f);  // stays near 1
  // Different starts: the compiler would merge equal sums.
  auto a0 = hn::Set(d, 0.1f), a1 = hn::Set(d, 0.2f), a2 = hn::Set(d, 0.3f), a3 = hn::Set(d, 0.4f);
  auto a4 = hn::Set(d, 0.5f), a5 = hn::Set(d, 0.6f), a6 = hn::Set(d, 0.7f), a7 = hn::Set(d, 0.8f);
  auto a8 = hn::Set(d, 0.9f), a9 = hn::Set(d, 1.1f), a10 = hn::Set(d, 1.2f), a11 = hn::Set(d, 1.3f);
  for (int64_t i = 0; i < rounds; ++i) {
    a0 = hn::MulAdd(a0, scale, offset);
    a1 = hn::MulAdd(a1, scale, offset);
    a2 = hn::MulAdd(a2, scale, offset);
    a3 = hn::MulAdd(a3, scale, offset);
    a4 = hn::MulAdd(a4, scale, offset);
    a5 = hn::MulAdd(a5, scale, offset);
    a6 = hn::MulAdd(a6, scale, offset);
    a7 = hn::MulAdd(a7, scale, offset);
    a8 = hn::MulAdd(a8, scale, offset);
    a9 = hn::MulAdd(a9, scale, offset);
    a10 = hn::MulAdd(a10, scale, offset);
    a11 = hn::MulAdd(a11, scale, offset);
  }
  const auto low = hn::Add(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)), hn::Add(a4, a5));
  const auto high = hn::Add(hn::Add(hn::Add(a6, a7), hn::Add(a8, a9)), hn::Add(a10, a11));
  *sink += hn::GetLane(hn::SumOfLanes(d, hn::Add(low, high)));
  return 2.0 * 12 * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

const char* TargetName() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace earshot {
namespace {

HWY_EXPORT(MultiplyAdds);
HWY_EXPORT(TargetName);

// The compiler may not assume that nobody reads the results.
volatile float g_sink = 0;

// The best rate, in GFLOP/s, of trials that run for about `seconds` together, at least three of them. `trial` returns
// the operations that it did.
template <typename Trial>
double BestRate(double seconds, Trial trial) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  double best = 0;
  for (int i = 0; i < 3 || std::chrono::duration<double>(Clock::now() - begin).count() < seconds; ++i) {
    const Clock::time_point start = Clock::now();
    const double flops = trial();
    best = std::max(best, flops / std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best * 1e-9;
}

}  // namespace

double MeasurePeakGflops(ThreadPool* pool, double seconds) {
  constexpr int64_t kRounds = 1'000'000;  // some ms: long beside waking a thread, short beside a time slice
  std::vector<double> flops(pool->num_threads());
  std::vector<float> sinks(pool->num_threads());
  return BestRate(seconds, [&] {
    pool->Run([&](int i) {
      float sink = 0;
      flops[i] = HWY_DYNAMIC_DISPATCH(MultiplyAdds)(kRounds, &sink);
      sinks[i] = sink;
    });
    for (float sink : sinks) g_sink = sink;
    return std::accumulate(flops.begin(), flops.end(), 0.0);
  });
}

double MeasureGemmGflops(ThreadPool* pool, double seconds) {
  constexpr int64_t kSize = 1024;
  std::vector<float> a(kSize * kSize, 0.5f), b(kSize * kSize, 0.25f), c(kSize * kSize);
  return BestRate(seconds, [&] {
    Gemm(pool, Transpose::kNo, Transpose::kNo, kSize, kSize, kSize, 1, a.data(), kSize, b.data(), kSize, 0, c.data(),
         kSize);
    return 2.0 * kSize * kSize * kSize;
  });
}

const char* PeakInstructionSet() { return HWY_DYNAMIC_DISPATCH(TargetName)(); }

}  // namespace earshot
#endif  // HWY_ONCE
