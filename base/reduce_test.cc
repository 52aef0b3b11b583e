#include "base/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "base/testing/every_target.h"

namespace earshot {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> Normals(int64_t size) {
  std::vector<float> values(size);
  RandomStream random(1, RandomPurpose::kTest, size);
  for (float& v : values) v = random.Normal();
  return values;
}

TEST(SumOfSquaresTest, CountsEveryNumberWhereverThePartsAreCut) {
  OnEveryTarget([] {
    for (int64_t n = 0; n < 300; ++n) EXPECT_EQ(SumOfSquares(std::vector<float>(n, 2.0f), nullptr), 4.0 * n) << n;
    const std::vector<float> x = Normals(70001);
    double expected = 0;
    for (float v : x) expected += static_cast<double>(v) * v;
    EXPECT_NEAR(SumOfSquares(x, nullptr), expected, 1e-12 * expected);
  });
}

TEST(SumOfSquaresTest, HoldsWhatDoesNotFitIntoAFloat) {
  EXPECT_NEAR(SumOfSquares({1e38f, 1e38f}, nullptr) / 2e76, 1, 1e-6);
  EXPECT_NEAR(SumOfSquares({1e-30f, 1e-30f}, nullptr) / 2e-60, 1, 1e-6);
}

TEST(SumOfSquaresTest, SameBitsForAnyNumberOfThreads) {
  for (int64_t n : {100, 40000, 1000003}) {
    const std::vector<float> x = Normals(n);
    const double alone = SumOfSquares(x, nullptr);
    for (int threads : {1, 2, 3, 4, 7}) {
      ThreadPool pool(threads);
      EXPECT_EQ(SumOfSquares(x, &pool), alone) << n << " numbers, " << threads << " threads";
    }
  }
}

TEST(SumOfSquaresTest, ShowsNumbersThatAreNotFinite) {
  ThreadPool pool(2);
  OnEveryTarget([&] {
    for (size_t at = 0; at < 200; at += 7) {
      std::vector<float> x(200, 1.0f);
      x[at] = -kInfinity;
      EXPECT_EQ(SumOfSquares(x, &pool), kInfinity) << at;
      x[at] = kNan;
      EXPECT_TRUE(std::isnan(SumOfSquares(x, &pool))) << at;
    }
  });
}

TEST(FindNotFiniteTest, FindsTheFirst) {
  ThreadPool pool(3);
  OnEveryTarget([&] {
    std::vector<float> x = Normals(300001);
    x[5] = std::numeric_limits<float>::max();
    x[6] = std::numeric_limits<float>::denorm_min();
    EXPECT_EQ(FindNotFinite(x, &pool), static_cast<int64_t>(x.size()));
    EXPECT_EQ(FindNotFinite({}, &pool), 0);
    for (int64_t at : {300000, 299999, 150000, 66000, 1003, 17, 1, 0}) {  // each before the one so far
      x[at] = at % 3 == 0 ? kNan : at % 3 == 1 ? kInfinity : -kInfinity;
      EXPECT_EQ(FindNotFinite(x, &pool), at);
    }
  });
}

}  // namespace
}  // namespace earshot
