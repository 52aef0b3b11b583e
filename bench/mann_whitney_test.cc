#include "bench/mann_whitney.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/testing/two_sample_cases.h"

namespace earshot {
namespace {

using Samples = std::vector<double>;

void ExpectScipys(const std::string& test, size_t num_cases, bool exact) {
  const std::vector<TwoSampleCase> cases = ReadTwoSampleCases(test);
  ASSERT_EQ(cases.size(), num_cases);
  for (const TwoSampleCase& c : cases) {
    const MannWhitneyResult result = MannWhitney(c.a, c.b);
    const std::string what = testing::PrintToString(c.a) + " " + testing::PrintToString(c.b);
    EXPECT_EQ(result.u, c.statistic) << what;
    EXPECT_NEAR(result.p, c.p, 1e-10 * c.p) << what;
    EXPECT_EQ(result.exact, exact) << what;
  }
}

TEST(MannWhitneyTest, IsScipysExactTestWithoutTies) { ExpectScipys("exact", 24, /*exact=*/true); }
TEST(MannWhitneyTest, IsScipysPermutationTestWithTies) { ExpectScipys("permutation", 12, /*exact=*/true); }
TEST(MannWhitneyTest, IsScipysNormalApproximationOfManySamples) { ExpectScipys("asymptotic", 36, /*exact=*/false); }

TEST(MannWhitneyTest, CountsByHand) {
  // Of the 6 ways to choose 2 of 4 ranks, 1 has all of a above all of b.
  const MannWhitneyResult apart = MannWhitney(Samples{3, 4}, Samples{1, 2});
  EXPECT_EQ(apart.u, 4);
  EXPECT_DOUBLE_EQ(apart.p, 2.0 / 6);
  // Midranks 1.5 1.5 3: of the 3 choices of one rank, 2 are as low as a's.
  const MannWhitneyResult tied = MannWhitney(Samples{1}, Samples{1, 2});
  EXPECT_EQ(tied.u, 0.5);
  EXPECT_DOUBLE_EQ(tied.p, 1);
}

TEST(MannWhitneyTest, EqualSamplesDoNotDiffer) {
  EXPECT_EQ(MannWhitney(Samples(5, 7.0), Samples(6, 7.0)).p, 1);
  EXPECT_EQ(MannWhitney(Samples(50, 7.0), Samples(60, 7.0)).p, 1);
}

TEST(SmallestPossiblePTest, IsThatOfSamplesThatDoNotOverlap) {
  EXPECT_DOUBLE_EQ(SmallestPossibleP(5, 5), 2.0 / 252);
  EXPECT_DOUBLE_EQ(SmallestPossibleP(4, 4), 2.0 / 70);
  EXPECT_DOUBLE_EQ(SmallestPossibleP(1, 1), 1);
  EXPECT_DOUBLE_EQ(SmallestPossibleP(0, 9), 1);
  EXPECT_DOUBLE_EQ(SmallestPossibleP(3, 7), MannWhitney(Samples{1, 2, 3}, Samples{4, 5, 6, 7, 8, 9, 10}).p);
}

TEST(MannWhitneyDeathTest, NeedsSamplesOnBothSides) { EXPECT_DEATH(MannWhitney(Samples{1}, {}), "CHECK failed"); }

}  // namespace
}  // namespace earshot
