#include "base/testing/near.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace earshot {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr double kEpsilon = std::numeric_limits<float>::epsilon();

TEST(NearTest, LimitGrowsWithTermsFactorAndScale) {
  const std::vector<double> expected = {1, -8};
  const auto off_by = [](double error) { return std::vector<float>{static_cast<float>(1 + error), -8}; };
  // 4 * eps * sqrt(9) * 8 = 96 eps.
  EXPECT_TRUE(AllNear(off_by(95 * kEpsilon), expected, 9, 4));
  EXPECT_FALSE(AllNear(off_by(97 * kEpsilon), expected, 9, 4));
  EXPECT_FALSE(AllNear(off_by(95 * kEpsilon), expected, 4, 4));
  EXPECT_FALSE(AllNear(off_by(95 * kEpsilon), expected, 9, 2));
  EXPECT_TRUE(AllNear(off_by(95 * kEpsilon), expected, 1, 4, 100));
  EXPECT_FALSE(AllNear(std::vector<float>{1e-6f}, std::vector<double>{0}, 1));
  // The calibrated factor, at 3 * 8 times eps.
  EXPECT_TRUE(AllNear(off_by(24 * kDefaultToleranceFactor * kEpsilon - kEpsilon), expected, 9));
  EXPECT_FALSE(AllNear(off_by(24 * kDefaultToleranceFactor * kEpsilon + kEpsilon), expected, 9));
}

TEST(NearTest, WhatIsNotANumberNeverPasses) {
  EXPECT_FALSE(AllNear(std::vector<float>{kNaN}, std::vector<double>{0}, 1));
  EXPECT_FALSE(AllNear(std::vector<float>{0}, std::vector<double>{kNaN}, 1));
  EXPECT_FALSE(AllNear(std::vector<float>{kNaN, 1}, std::vector<double>{kNaN, 1}, 1));
  EXPECT_FALSE(AllNear(std::vector<float>{kInfinity}, std::vector<double>{1}, 1));
  EXPECT_FALSE(AllNear(std::vector<float>{0, 1}, std::vector<double>{kInfinity, 1}, 1));
  EXPECT_FALSE(AllClose(std::vector<double>{kNaN}, std::vector<double>{kNaN}, 1, 1));
  EXPECT_FALSE(AllClose(std::vector<double>{kInfinity}, std::vector<double>{1}, 1, 1));
}

TEST(NearTest, SizesMustMatch) {
  EXPECT_FALSE(AllNear(std::vector<float>{1}, std::vector<double>{1, 1}, 1));
  EXPECT_FALSE(AllClose(std::vector<double>{1}, std::vector<double>{}, 1, 1));
  EXPECT_FALSE(SameBits(std::vector<float>{1}, std::vector<float>{}));
  EXPECT_TRUE(SameBits(std::vector<float>{}, std::vector<float>{}));
}

TEST(NearTest, CloseIsRelativeWithAFloor) {
  EXPECT_TRUE(AllClose(std::vector<double>{1000.9, 0.0009}, std::vector<double>{1000, 0}, 1e-3, 1e-3));
  EXPECT_FALSE(AllClose(std::vector<double>{1002.1}, std::vector<double>{1000}, 1e-3, 1e-3));
  EXPECT_FALSE(AllClose(std::vector<double>{0.0011}, std::vector<double>{0}, 1e-6, 1e-3));
}

TEST(NearTest, BitsAreBits) {
  EXPECT_TRUE(SameBits(std::vector<float>{kNaN}, std::vector<float>{kNaN}));
  EXPECT_FALSE(SameBits(std::vector<float>{-0.0f}, std::vector<float>{0.0f}));
  EXPECT_FALSE(SameBits(std::vector<float>{1}, std::vector<float>{std::nextafter(1.0f, 2.0f)}));
}

}  // namespace
}  // namespace earshot
