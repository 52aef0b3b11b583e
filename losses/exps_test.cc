#include "losses/exps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "base/testing/every_target.h"

namespace earshot {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <typename T>
struct Row {
  std::vector<double> exps;
  double sum = 0, largest = 0;
};

template <typename T>
Row<T> Compute(const std::vector<T>& x, int left_out = -1) {
  Row<T> row;
  const int n = static_cast<int>(x.size());
  row.exps.assign(WholeVectors(n), 77);
  row.sum = ComputeExps(x.data(), n, left_out, row.exps.data(), &row.largest);
  return row;
}

template <typename T>
void CompareWithLibrary(int n, double range) {
  RandomStream random(n, RandomPurpose::kTest);
  std::vector<T> x(n);
  for (T& v : x) v = static_cast<T>(random.Uniform(-range, range));
  const Row<T> row = Compute(x);
  EXPECT_EQ(row.largest, *std::max_element(x.begin(), x.end()));
  for (int i = 0; i < n; ++i) {
    const double expected = std::exp(x[i] - row.largest);
    // Below the normal doubles there may be zeros; above, two units of the last place.
    EXPECT_NEAR(row.exps[i], expected, expected < 1e-306 ? 1e-306 : 0x1p-52 * expected) << x[i] - row.largest;
  }
  for (size_t i = n; i < row.exps.size(); ++i) EXPECT_EQ(row.exps[i], 0);
  const double sum = std::accumulate(row.exps.begin(), row.exps.end(), 0.0);
  EXPECT_NEAR(row.sum, sum, 1e-15 * n * sum);
  const int left_out = n / 2;
  const Row<T> others = Compute(x, left_out);
  EXPECT_EQ(others.largest, row.largest);
  EXPECT_NEAR(others.sum, sum - row.exps[left_out], 1e-15 * n * sum);
  EXPECT_EQ(others.exps[left_out], 0);
  std::vector<T> scaled(n + 1, 77);
  ScaleExps(row.exps.data(), n, 0.3, scaled.data());
  for (int i = 0; i < n; ++i) EXPECT_EQ(scaled[i], static_cast<T>(row.exps[i] * 0.3));
  EXPECT_EQ(scaled[n], 77);
}

TEST(ExpsTest, EqualTheLibrarysForAnyWidth) {
  OnEveryTarget([] {
    for (double range : {1e-9, 1.0, 20.0, 400.0, 1e30}) {
      for (int n = 1; n <= 70; ++n) {
        CompareWithLibrary<float>(n, range);
        CompareWithLibrary<double>(n, range);
      }
      CompareWithLibrary<float>(10001, range);
    }
  });
}

TEST(ExpsTest, OneThatIsLeftOutIsExactlyAbsent) {
  OnEveryTarget([] {
    // 1 + 2^-100 would lose the others.
    const std::vector<double> x = {-69.3, 0, -69.3};
    EXPECT_NEAR(Compute(x, 1).sum, 2 * std::exp(-69.3), 1e-15 * std::exp(-69.3));
    EXPECT_EQ(Compute(std::vector<float>{3}, 0).sum, 0);
  });
}

TEST(ExpsTest, EndsOfTheRange) {
  OnEveryTarget([] {
    const Row<double> row = Compute(std::vector<double>{0, -707.9, -708.1, -745, -1e308, 0});
    EXPECT_NEAR(row.exps[1] / std::exp(-707.9), 1, 1e-15);
    EXPECT_EQ(row.exps[2] + row.exps[3] + row.exps[4], 0);
    EXPECT_EQ(row.sum, 2 + row.exps[1]);
    EXPECT_EQ(Compute(std::vector<float>{3e38f, -3e38f}).sum, 1);
    EXPECT_EQ(Compute(std::vector<double>{1.7e308, -1.7e308}).sum, 1);
  });
}

TEST(ExpsTest, NumbersThatAreNotFiniteMakeTheSumNaN) {
  OnEveryTarget([] {
    for (double bad : {kNan, kInfinity, -kInfinity}) {
      for (int n : {1, 2, 7, 8, 9, 21}) {
        for (int at = 0; at < n; ++at) {
          std::vector<float> x(n, 1.0f);
          x[at] = static_cast<float>(bad);
          EXPECT_TRUE(std::isnan(Compute(x).sum)) << bad << " " << n << " " << at;
          EXPECT_TRUE(std::isnan(Compute(x, at).sum)) << bad << " " << n << " " << at;
        }
      }
    }
  });
}

}  // namespace
}  // namespace earshot
