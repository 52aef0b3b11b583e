#include "bench/welch.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/testing/two_sample_cases.h"

namespace earshot {
namespace {

using Samples = std::vector<double>;

TEST(WelchTest, IsScipys) {
  const std::vector<TwoSampleCase> cases = ReadTwoSampleCases("welch");
  ASSERT_EQ(cases.size(), 40u);
  for (const TwoSampleCase& c : cases) {
    const WelchResult result = WelchTest(c.a, c.b);
    const std::string what = testing::PrintToString(c.a) + " " + testing::PrintToString(c.b);
    EXPECT_NEAR(result.t, c.statistic, 1e-10 * std::abs(c.statistic)) << what;
    EXPECT_NEAR(result.p, c.p, 1e-10 * c.p) << what;
  }
}

TEST(WelchTest, ByHand) {
  // Means 2 and 4, each with the variance 2 / 2 = 1: t = -2 / sqrt(2), and with 2 degrees of freedom
  // P(|T| > t) = 1 - t / sqrt(2 + t^2).
  const WelchResult result = WelchTest(Samples{1, 3}, Samples{3, 5});
  EXPECT_DOUBLE_EQ(result.t, -std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(result.degrees, 2);
  EXPECT_NEAR(result.p, 1 - std::sqrt(0.5), 1e-14);
}

TEST(WelchTest, SamplesThatDoNotVary) {
  EXPECT_EQ(WelchTest(Samples{2, 2}, Samples{2, 2, 2}).p, 1);
  const WelchResult apart = WelchTest(Samples{2, 2}, Samples{3, 3});
  EXPECT_EQ(apart.p, 0);
  EXPECT_EQ(apart.t, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(WelchTest(Samples{1, 3}, Samples{2, 2}).p, 1);
}

TEST(IncompleteBetaTest, ClosedForms) {
  EXPECT_EQ(IncompleteBeta(2, 3, 0), 0);
  EXPECT_EQ(IncompleteBeta(2, 3, 1), 1);
  for (double x : {1e-9, 0.1, 0.5, 0.9, 1 - 1e-9}) {
    EXPECT_NEAR(IncompleteBeta(1, 1, x), x, 1e-14);              // uniform
    EXPECT_NEAR(IncompleteBeta(3, 1, x), x * x * x, 1e-14 * x);  // a power
    EXPECT_NEAR(IncompleteBeta(1, 4, x), 1 - std::pow(1 - x, 4), 1e-14);
    EXPECT_NEAR(IncompleteBeta(0.5, 0.5, x), 2 / M_PI * std::asin(std::sqrt(x)), 1e-11);  // arcsine
  }
  EXPECT_NEAR(IncompleteBeta(5e5, 5e5, 0.5), 0.5, 1e-7);  // symmetric
}

TEST(WelchDeathTest, NeedsTwoSamplesEach) { EXPECT_DEATH(WelchTest(Samples{1}, Samples{1, 2}), "CHECK failed"); }

}  // namespace
}  // namespace earshot
