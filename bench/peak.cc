#include "bench/peak.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/peak.cc"
#include <hwy/foreach_target.h>  // compiles this file once an instruction set
#include <hwy/highway.h>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/gemm.h"
#include "base/tensor.h"

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

// Streams n floats (a multiple of 64, aligned) from a, to b or from a to b. The sum of what Read reads goes to *sink.
void Read(const float* a, int64_t n, float* sink) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (int64_t i = 0; i < n; i += 4 * lanes) {
    s0 = hn::Add(s0, hn::Load(d, a + i));
    s1 = hn::Add(s1, hn::Load(d, a + i + lanes));
    s2 = hn::Add(s2, hn::Load(d, a + i + 2 * lanes));
    s3 = hn::Add(s3, hn::Load(d, a + i + 3 * lanes));
  }
  *sink += hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

// Past the caches, or each line would first be read.
void Write(float value, float* b, int64_t n) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto v = hn::Set(d, value);
  for (int64_t i = 0; i < n; i += lanes) hn::Stream(v, d, b + i);
  hwy::FlushStream();
}

void Copy(const float* a, float* b, int64_t n) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < n; i += lanes) hn::Stream(hn::Load(d, a + i), d, b + i);
  hwy::FlushStream();
}

void Update(float* a, int64_t n) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto scale = hn::Set(d, 0.999f), offset = hn::Set(d, 0.001f);  // stays near 1
  for (int64_t i = 0; i < n; i += lanes) hn::Store(hn::MulAdd(hn::Load(d, a + i), scale, offset), d, a + i);
}

const char* TargetName() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace earshot {
namespace {

HWY_EXPORT(MultiplyAdds);
HWY_EXPORT(Read);
HWY_EXPORT(Write);
HWY_EXPORT(Copy);
HWY_EXPORT(Update);
HWY_EXPORT(TargetName);

// The compiler may not assume that nobody reads the results.
volatile float g_sink = 0;

// The best rate, in GFLOP/s or GB/s, of trials that run for about `seconds` together, at least three of them. `trial`
// returns the operations or bytes that it did.
template <typename Trial>
double BestRate(double seconds, Trial trial) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  double best = 0;
  for (int i = 0; i < 3 || std::chrono::duration<double>(Clock::now() - begin).count() < seconds; ++i) {
    const Clock::time_point start = Clock::now();
    const double done = trial();
    best = std::max(best, done / std::chrono::duration<double>(Clock::now() - start).count());
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

Bandwidth MeasureBandwidth(ThreadPool* pool, double seconds) {
  constexpr int64_t kFloats = int64_t{32} << 20;  // 128 MB an array: beyond the caches
  const int threads = pool->num_threads();
  const int64_t share = kFloats / threads / 64 * 64;  // whole cache lines and rounds of Read
  const double bytes = static_cast<double>(share * threads * sizeof(float));
  Tensor<float, 1> a, b;
  a.Resize({share * threads});
  b.Resize({share * threads});
  std::vector<float> sinks(threads);
  // The first touch of each share is by the thread that streams it.
  pool->Run([&](int i) {
    std::fill_n(a.data() + i * share, share, 0.5f);
    std::fill_n(b.data() + i * share, share, 0.25f);
  });
  Bandwidth result;
  result.read = BestRate(seconds / 4, [&] {
    pool->Run([&](int i) { HWY_DYNAMIC_DISPATCH(Read)(a.data() + i * share, share, &sinks[i]); });
    for (float sink : sinks) g_sink = sink;
    return bytes;
  });
  result.write = BestRate(seconds / 4, [&] {
    pool->Run([&](int i) { HWY_DYNAMIC_DISPATCH(Write)(0.75f, b.data() + i * share, share); });
    return bytes;
  });
  result.copy = BestRate(seconds / 4, [&] {
    pool->Run([&](int i) { HWY_DYNAMIC_DISPATCH(Copy)(a.data() + i * share, b.data() + i * share, share); });
    return 2 * bytes;
  });
  CHECK_EQ(b.data()[share * threads - 1], 0.5f);  // the copy was made
  result.update = BestRate(seconds / 4, [&] {
    pool->Run([&](int i) { HWY_DYNAMIC_DISPATCH(Update)(a.data() + i * share, share); });
    return 2 * bytes;
  });
  return result;
}

const char* PeakInstructionSet() { return HWY_DYNAMIC_DISPATCH(TargetName)(); }

std::string HighwayVersion() { return absl::StrCat(HWY_MAJOR, ".", HWY_MINOR, ".", HWY_PATCH); }

}  // namespace earshot
#endif  // HWY_ONCE
