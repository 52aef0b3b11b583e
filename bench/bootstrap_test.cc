#include "bench/bootstrap.h"

#include <cstdint>
#include <iostream>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace earshot {
namespace {

using Blocks = std::vector<std::vector<double>>;

// Normal samples around `median`: blocks differ by the deviation 1, samples of a block likewise.
Blocks RandomBlocks(int num_blocks, int num_samples, double median, uint64_t seed) {
  RandomStream random(seed, RandomPurpose::kTest);
  Blocks blocks(num_blocks);
  for (std::vector<double>& block : blocks) {
    const double center = median + random.Normal();
    for (int i = 0; i < num_samples; ++i) block.push_back(center + random.Normal());
  }
  return blocks;
}

TEST(BootstrapTest, NinetyFivePercentOfTheIntervalsHoldTheMedian) {
  const auto coverage = [](int num_blocks) {  // of 200 experiments
    int hold = 0;
    for (int seed = 0; seed < 200; ++seed) {
      const Interval interval = MedianInterval(RandomBlocks(num_blocks, 5, 100, seed), seed);
      hold += interval.low <= 100 && 100 <= interval.high;
    }
    return hold;
  };
  const int with_20_blocks = coverage(20), with_5_blocks = coverage(5);
  std::cout << with_20_blocks << " of 200 intervals from 20 blocks, " << with_5_blocks << " from 5" << std::endl;
  EXPECT_GE(with_20_blocks, 184);
  EXPECT_LE(with_20_blocks, 197);
  EXPECT_GE(with_5_blocks, 170);
}

TEST(BootstrapTest, NinetyFivePercentOfTheIntervalsHoldTheRatio) {
  int hold = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const Blocks numerator = RandomBlocks(12, 5, 50, 2 * seed), denominator = RandomBlocks(12, 5, 40, 2 * seed + 1);
    const Interval interval = MedianRatioInterval(numerator, denominator, seed);
    hold += interval.low <= 1.25 && 1.25 <= interval.high;
  }
  std::cout << hold << " of 200 intervals of a ratio" << std::endl;
  EXPECT_GE(hold, 184);
  EXPECT_LE(hold, 197);
}

TEST(BootstrapTest, WhatDoesNotVaryHasAnIntervalWithoutWidth) {
  const Blocks blocks = {{7, 7, 7}, {7}};
  const Interval interval = MedianInterval(blocks, 1);
  EXPECT_EQ(interval.low, 7);
  EXPECT_EQ(interval.high, 7);
  const Interval ratio = MedianRatioInterval(blocks, Blocks{{2, 2}}, 1);
  EXPECT_EQ(ratio.low, 3.5);
  EXPECT_EQ(ratio.high, 3.5);
}

TEST(BootstrapTest, BlocksAreDrawnNotOnlySamples) {
  // Two processes with constant times: the median is that of one of them in a quarter of the draws each.
  const Interval interval = MedianInterval(Blocks{{1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}}, 1);
  EXPECT_EQ(interval.low, 1);
  EXPECT_EQ(interval.high, 2);
}

TEST(BootstrapTest, SamplesOfABlockAreDrawnToo) {
  // One sample each of 1 and 3 has the median 1, 2 or 3 with the probabilities 1/4, 1/2 and 1/4.
  const Interval interval = MedianInterval(Blocks{{1, 3}}, 1);
  EXPECT_EQ(interval.low, 1);
  EXPECT_EQ(interval.high, 3);
}

TEST(BootstrapTest, TheSeedDecides) {
  const Blocks blocks = RandomBlocks(30, 10, 100, 3);
  const Interval first = MedianInterval(blocks, 1), again = MedianInterval(blocks, 1),
                 other = MedianInterval(blocks, 2);
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
  EXPECT_NE(first.low, other.low);
}

TEST(BootstrapDeathTest, NeedsSamples) {
  EXPECT_DEATH(MedianInterval({}, 1), "CHECK failed");
  EXPECT_DEATH(MedianInterval(Blocks{{1}, {}}, 1), "CHECK failed");
}

}  // namespace
}  // namespace earshot
