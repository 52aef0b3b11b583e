#include "bench/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/textproto.h"
#include "bench/bench_config.h"

namespace earshot {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

TEST(ShareTimeTest, EnoughForAll) { EXPECT_THAT(ShareTime({3.0, 1.0}, 10), ElementsAre(3, 1)); }

TEST(ShareTimeTest, WhatTheModestLeaveGoesToTheOthers) {
  EXPECT_THAT(ShareTime({100.0, 2.0, 50.0}, 12), ElementsAre(DoubleEq(5), DoubleEq(2), DoubleEq(5)));
  EXPECT_THAT(ShareTime({100.0, 2.0, 4.0}, 12), ElementsAre(DoubleEq(6), DoubleEq(2), DoubleEq(4)));
}

TEST(ShareTimeTest, NoTimeLeft) { EXPECT_THAT(ShareTime({1.0, 2.0}, -5), ElementsAre(0, 0)); }

TEST(CostFromStepTest, SeparatesWhatDoesNotGrow) {
  const StepCost cost = CostFromStep(2.5, 0.5, 100);
  EXPECT_DOUBLE_EQ(cost.Seconds(100), 2.5);
  EXPECT_DOUBLE_EQ(cost.Seconds(1000), 20.5);
}

TEST(FramesThatFitTest, IsTheLargestThatDoes) {
  BenchBatch batch;
  batch.set_utterances(2);
  batch.set_max_frames(1000);
  const StepCost cost = {1, 0.01};  // 1 + 0.02 seconds a frame of the longest utterance
  EXPECT_EQ(FramesThatFit(batch, cost, kMinSteps * 21.0), 1000);
  EXPECT_EQ(FramesThatFit(batch, cost, kMinSteps * 20.99), 999);
  EXPECT_EQ(FramesThatFit(batch, cost, kMinSteps * 3.0), 100);
  EXPECT_EQ(FramesThatFit(batch, cost, kMinSteps * 1.1601), kFewestFrames);
  EXPECT_EQ(FramesThatFit(batch, cost, kMinSteps * 1.1599), 0);
  EXPECT_EQ(FramesThatFit(batch, cost, -1), 0);
  batch.set_max_frames(3);
  EXPECT_EQ(FramesThatFit(batch, cost, kMinSteps * 1.0601), 3);  // fewer are enough where there are no more
  EXPECT_EQ(FramesThatFit(batch, cost, kMinSteps * 1.0599), 0);
}

TEST(PlanFramesTest, LongStepsAreShortenedUnlessTheyAreListed) {
  BenchConfig config;
  ASSERT_TRUE(ParseTextproto("batch { utterances: 1 max_frames: 1000 } full_length: \"listed\"", "test", &config).ok());
  const std::string names[] = {"quick", "long", "listed"};
  const StepCost costs[] = {{0, 4e-3}, {0, 6e-3}, {0, 7e-3}};
  EXPECT_THAT(PlanFrames(config, names, costs, 1e4), ElementsAre(1000, 100, 1000));
  // 3 steps of 4, 0.6 and 7 s are 34.8 s; with 24 s, what `long` leaves of its third the two others divide.
  EXPECT_THAT(PlanFrames(config, names, costs, 24), ElementsAre(925, 100, 528));
}

TEST(PlanStepsTest, WithinBoundsAndTheTime) {
  EXPECT_THAT(PlanSteps({2.0}, 21, 50, false), ElementsAre(10));
  EXPECT_THAT(PlanSteps({2.0}, 1e9, 50, false), ElementsAre(50));
  EXPECT_THAT(PlanSteps({2.0}, -1, 50, false), ElementsAre(kMinSteps - 1));
  // 10 steps of the quick row take 1 s; the other one gets the rest.
  EXPECT_THAT(PlanSteps({0.1, 2.0}, 9, 10, false), ElementsAre(10, 4));
  EXPECT_THAT(PlanSteps({0.1, 2.0}, 9, 10, true), ElementsAre(4, 4));
}

TEST(TakesPartTest, SpreadsTheStepsOverTheRounds) {
  const auto rounds_of = [](int steps) {
    std::vector<int> rounds;
    for (int r = 0; r < 10; ++r) {
      if (TakesPart(r, 10, steps)) rounds.push_back(r);
    }
    return rounds;
  };
  EXPECT_THAT(rounds_of(10), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_THAT(rounds_of(5), ElementsAre(1, 3, 5, 7, 9));
  EXPECT_THAT(rounds_of(3), ElementsAre(3, 6, 9));
}

TEST(EstimatedBytesTest, CoversTheActivationsOfALargeNet) {
  BenchConfig config;
  ASSERT_TRUE(ParseTextproto("train { model { lstm { num_levels: 4 hidden_size: 320 bidirectional: true } } } "
                             "batch { utterances: 32 max_frames: 1000 }",
                             "test", &config)
                  .ok());
  // At least gates, their gradients, cell states and outputs of 32000 frames: 10 floats for each of 4 x 640 outputs.
  EXPECT_GT(EstimatedBytes(config), int64_t{32000} * 4 * 640 * 10 * 4);
  EXPECT_LT(EstimatedBytes(config), int64_t{10} << 30);
}

}  // namespace
}  // namespace earshot
