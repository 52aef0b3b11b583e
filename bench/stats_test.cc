#include "bench/stats.h"

#include <vector>

#include <gtest/gtest.h>

namespace earshot {
namespace {

TEST(QuantileTest, InterpolatesBetweenOrderStatistics) {
  const std::vector<double> samples = {4, 1, 3, 2};  // any order
  EXPECT_DOUBLE_EQ(Quantile(samples, 0), 1);
  EXPECT_DOUBLE_EQ(Quantile(samples, 0.1), 1.3);
  EXPECT_DOUBLE_EQ(Quantile(samples, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(Quantile(samples, 0.9), 3.7);
  EXPECT_DOUBLE_EQ(Quantile(samples, 1), 4);
}

TEST(SummarizeTest, OneSampleIsEveryQuantile) {
  const Summary summary = Summarize(std::vector<double>{7});
  EXPECT_EQ(summary.median, 7);
  EXPECT_EQ(summary.p10, 7);
  EXPECT_EQ(summary.p90, 7);
  EXPECT_EQ(summary.n, 1);
}

TEST(SummarizeTest, OneDisturbedSampleDoesNotMoveTheMedian) {
  const Summary summary = Summarize(std::vector<double>{10, 11, 1000, 12, 9});
  EXPECT_DOUBLE_EQ(summary.median, 11);
  EXPECT_DOUBLE_EQ(summary.p10, 9.4);
  EXPECT_DOUBLE_EQ(summary.p90, 604.8);
  EXPECT_EQ(summary.n, 5);
}

TEST(BlockMediansTest, OneABlock) {
  const std::vector<std::vector<double>> blocks = {{4, 1, 3, 2}, {7}};
  EXPECT_EQ(BlockMedians(blocks), (std::vector<double>{2.5, 7}));
}

TEST(QuantileDeathTest, NeedsSamples) { EXPECT_DEATH(Quantile({}, 0.5), "CHECK failed"); }

}  // namespace
}  // namespace earshot
