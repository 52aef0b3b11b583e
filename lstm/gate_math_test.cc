#include "lstm/gate_math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/testing/every_target.h"
#include "base/testing/near.h"

namespace earshot {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

// Finite floats of every exponent, both signs.
std::vector<float> SpreadFloats(uint32_t stride) {
  std::vector<float> v;
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += stride) {
    const uint32_t low = static_cast<uint32_t>(bits);
    float f;
    std::memcpy(&f, &low, sizeof(f));
    if (std::isfinite(f)) v.push_back(f);
  }
  return v;
}

// The error of `actual` in units of the last place of a float of the size of `expected`.
double Ulps(float actual, double expected) {
  int exponent;
  std::frexp(expected, &exponent);
  const double ulp = std::ldexp(1.0, std::max(exponent, -125) - 24);
  return std::abs(actual - expected) / ulp;
}

TEST(GateMath, SigmoidAndTanhAreAccurateOverAllFloats) {
  const std::vector<float> x = SpreadFloats(4999);
  std::vector<float> sigmoid(x.size()), tanh(x.size());
  OnEveryTarget([&] {
    ComputeSigmoid(x.data(), x.size(), sigmoid.data());
    ComputeTanh(x.data(), x.size(), tanh.data());
    double worst_sigmoid = 0, worst_tanh = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      const double exact = 1 / (1 + std::exp(-static_cast<double>(x[k])));
      // Below the smallest normal float, flushing to zero is allowed.
      if (exact > std::numeric_limits<float>::min()) worst_sigmoid = std::max(worst_sigmoid, Ulps(sigmoid[k], exact));
      ASSERT_GE(sigmoid[k], 0) << x[k];
      ASSERT_LE(sigmoid[k], 1) << x[k];
      if (std::abs(x[k]) < std::numeric_limits<float>::min()) continue;
      worst_tanh = std::max(worst_tanh, Ulps(tanh[k], std::tanh(static_cast<double>(x[k]))));
      ASSERT_LE(std::abs(tanh[k]), 1) << x[k];
    }
    EXPECT_LE(worst_sigmoid, 3);
    EXPECT_LE(worst_tanh, 2.5);
  });
}

TEST(GateMath, SpecialValues) {
  // More than one vector, so that the special values are seen by vector and remainder code.
  std::vector<float> x(67, 0.25f), y(x.size());
  const std::vector<float> special = {kNan, kInfinity, -kInfinity, 0.0f, -0.0f};
  OnEveryTarget([&] {
    for (size_t at : {size_t{3}, x.size() - special.size()}) {
      std::copy(special.begin(), special.end(), x.begin() + at);
      ComputeSigmoid(x.data(), x.size(), y.data());
      EXPECT_TRUE(std::isnan(y[at]));
      EXPECT_LT(std::abs(y[at + 2]), std::numeric_limits<float>::min());  // 0 where denormals are flushed
      y[at + 2] = 0;
      EXPECT_TRUE(SameBits({&y[at + 1], 4}, {1, 0, 0.5f, 0.5f}));
      ComputeTanh(x.data(), x.size(), y.data());
      EXPECT_TRUE(std::isnan(y[at]));
      EXPECT_TRUE(SameBits({&y[at + 1], 4}, {1, -1, 0, -0.0f}));
    }
  });
}

// Whether a number meets vector or remainder code does not change its bits.
TEST(GateMath, TheRemainderGivesTheSameBits) {
  const std::vector<float> x = SpreadFloats(40'000'003);
  std::vector<float> together(x.size()), alone(x.size());
  OnEveryTarget([&] {
    for (auto* compute : {ComputeSigmoid, ComputeTanh}) {
      compute(x.data(), x.size(), together.data());
      for (size_t k = 0; k < x.size(); ++k) compute(&x[k], 1, &alone[k]);
      EXPECT_TRUE(SameBits(alone, together));
    }
  });
}

}  // namespace
}  // namespace earshot
