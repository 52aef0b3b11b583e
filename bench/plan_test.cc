#include "bench/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  EXPECT_EQ(FramesThatFit(batch, cost, (1 + kMinTimedSteps) * 21.0), 1000);
  EXPECT_EQ(FramesThatFit(batch, cost, (1 + kMinTimedSteps) * 20.99), 999);
  EXPECT_EQ(FramesThatFit(batch, cost, (1 + kMinTimedSteps) * 3.0), 100);
  EXPECT_EQ(FramesThatFit(batch, cost, 0), 1);
}

TEST(StepsThatFitTest, WithinBounds) {
  EXPECT_EQ(StepsThatFit(2, 21, 50), 10);
  EXPECT_EQ(StepsThatFit(2, 1e9, 50), 50);
  EXPECT_EQ(StepsThatFit(2, 1, 50), kMinTimedSteps);
  EXPECT_EQ(StepsThatFit(2, -1, 50), kMinTimedSteps);
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

// 1000 frames; own rows of 1 and 4 s a step, peers of 2 and 3 s, 10 timed steps and 5 untimed ones.
std::vector<RowPlan> Plans(double seconds) {
  BenchConfig config;
  EXPECT_TRUE(ParseTextproto("batch { utterances: 1 max_frames: 1000 } max_steps: 10", "test", &config).ok());
  return PlanRows(config, {{0, 4e-3}, {0, 1e-3}}, {{0, 2e-3}, {1, 2e-3}}, seconds);
}

TEST(PlanRowsTest, APeersTimeIsAlsoTheFastestOwnRows) {
  const std::vector<RowPlan> plans = Plans(1e4);
  ASSERT_EQ(plans.size(), 4u);
  for (const RowPlan& plan : plans) EXPECT_EQ(plan.batch.max_frames(), 1000);
  // Twice 15 steps.
  EXPECT_NEAR(plans[0].seconds, 120, 1e-6);
  EXPECT_NEAR(plans[1].seconds, 30, 1e-6);
  EXPECT_NEAR(plans[2].seconds, 60, 1e-6);
  EXPECT_NEAR(plans[3].seconds, 90, 1e-6);
  EXPECT_EQ(plans[0].beside_seconds, 0);
  EXPECT_NEAR(plans[2].beside_seconds, 30, 1e-6);
  EXPECT_NEAR(plans[3].beside_seconds, 30, 1e-6);
}

TEST(PlanRowsTest, LittleTimeMeansFewerFrames) {
  const std::vector<RowPlan> plans = Plans(24);  // 6 s each: a step and three more of 4, 1, 3 and 4 s
  EXPECT_NEAR(plans[0].batch.max_frames(), 375, 1);
  EXPECT_EQ(plans[1].batch.max_frames(), 1000);
  EXPECT_NEAR(plans[2].batch.max_frames(), 500, 1);
  EXPECT_NEAR(plans[3].batch.max_frames(), 166, 1);  // 1 s of each step is for no frames
  EXPECT_NEAR(plans[2].seconds + plans[2].beside_seconds, 6, 1e-6);
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
