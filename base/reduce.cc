#include "base/reduce.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/reduce.cc"
#include <hwy/foreach_target.h>  // compiles what follows once an instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

double SquaresOf(const float* x, int64_t n) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> half;
  const int64_t lanes = hn::Lanes(d);
  // Four sums hide the latency of an addition.
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  const auto add = [&](int64_t i, decltype(s0) sum) {
    const auto v = hn::PromoteTo(d, hn::LoadU(half, x + i));
    return hn::MulAdd(v, v, sum);
  };
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    s0 = add(i, s0);
    s1 = add(i + lanes, s1);
    s2 = add(i + 2 * lanes, s2);
    s3 = add(i + 3 * lanes, s3);
  }
  double rest = 0;
  for (; i < n; ++i) rest += static_cast<double>(x[i]) * x[i];
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)))) + rest;
}

// x * 0 is 0 for finite numbers and NaN for others: one sum tells without a branch an element.
bool AllFinite(const float* x, int64_t n) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  auto s0 = zero, s1 = zero, s2 = zero, s3 = zero;
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    s0 = hn::MulAdd(hn::LoadU(d, x + i), zero, s0);
    s1 = hn::MulAdd(hn::LoadU(d, x + i + lanes), zero, s1);
    s2 = hn::MulAdd(hn::LoadU(d, x + i + 2 * lanes), zero, s2);
    s3 = hn::MulAdd(hn::LoadU(d, x + i + 3 * lanes), zero, s3);
  }
  float rest = 0;
  for (; i < n; ++i) rest += x[i] * 0.0f;
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)))) + rest == 0;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace earshot {
namespace {

HWY_EXPORT(SquaresOf);
HWY_EXPORT(AllFinite);

// Parts of a sum: many enough to share them out evenly, and the same ones for any number of threads.
constexpr int64_t kParts = 96;
constexpr int64_t kGrain = 1 << 16;  // numbers that are worth a thread

}  // namespace

double SumOfSquares(absl::Span<const float> x, ThreadPool* pool) {
  const int64_t n = x.size();
  double sums[kParts];
  const auto sum_parts = [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const int64_t first = n * p / kParts, last = n * (p + 1) / kParts;
      sums[p] = HWY_DYNAMIC_DISPATCH(SquaresOf)(x.data() + first, last - first);
    }
  };
  if (pool == nullptr) {
    sum_parts(0, kParts);
  } else {
    pool->ParallelFor(kParts, kGrain * kParts / std::max<int64_t>(n, 1) + 1, sum_parts);
  }
  return std::accumulate(sums, sums + kParts, 0.0);
}

int64_t FindNotFinite(absl::Span<const float> x, ThreadPool* pool) {
  std::atomic<int64_t> first_bad{static_cast<int64_t>(x.size())};
  pool->ParallelFor(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    if (HWY_DYNAMIC_DISPATCH(AllFinite)(x.data() + begin, end - begin)) return;
    const auto bad = std::find_if(x.begin() + begin, x.begin() + end, [](float v) { return !std::isfinite(v); });
    int64_t found = first_bad.load();
    while (bad - x.begin() < found && !first_bad.compare_exchange_weak(found, bad - x.begin())) {
    }
  });
  return first_bad;
}

}  // namespace earshot
#endif  // HWY_ONCE
