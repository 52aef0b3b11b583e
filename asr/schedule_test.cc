#include "asr/schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace earshot {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

ScheduleConfig Config(ScheduleConfig::Kind kind) {
  ScheduleConfig config;
  config.set_kind(kind);
  return config;
}

SchedulePosition AtStep(int64_t step, int64_t total) {
  SchedulePosition position;
  position.step = step;
  position.total_steps = total;
  return position;
}

TEST(ScheduleTest, ConstantIsConstant) {
  for (int step : {0, 7, 99}) EXPECT_EQ(LearningRate(Config(ScheduleConfig::CONSTANT), 0.3, AtStep(step, 100)), 0.3);
}

// One rate an epoch: 0.4 times 0.5 for every milestone that is not after it. Nothing but the position decides, so an
// interruption anywhere leaves the list as it is.
TEST(ScheduleTest, MilestonesActAtTheStartOfTheirEpoch) {
  ScheduleConfig config = Config(ScheduleConfig::MILESTONES);
  config.set_factor(0.5f);
  config.add_milestone(3);
  config.add_milestone(5);
  const std::vector<double> expected = {0.4, 0.4, 0.4, 0.2, 0.2, 0.1, 0.1};
  for (size_t epoch = 0; epoch < expected.size(); ++epoch) {
    for (int64_t step : {0, 1000}) {
      SchedulePosition position = AtStep(step, 7000);
      position.epoch = static_cast<int>(epoch);
      EXPECT_NEAR(LearningRate(config, 0.4, position), expected[epoch], 1e-9) << epoch;
    }
  }
}

TEST(ScheduleTest, OneCycleRisesLinearlyToThePeakAndFallsByACosine) {
  ScheduleConfig config = Config(ScheduleConfig::ONE_CYCLE);
  config.set_warmup_fraction(0.25f);
  config.set_start_fraction(0.04f);
  config.set_final_fraction(0.001f);
  constexpr int kTotal = 101;  // steps 0 to 100
  constexpr double kPeak = 2e-3;
  const auto rate = [&](int step) { return LearningRate(config, kPeak, AtStep(step, kTotal)); };
  EXPECT_NEAR(rate(0), kPeak * 0.04, 1e-9);
  EXPECT_NEAR(rate(10), kPeak * (0.04 + 0.96 * 10 / 25), 1e-9);
  EXPECT_NEAR(rate(25), kPeak, 1e-9);
  EXPECT_NEAR(rate(50), kPeak * (0.001 + 0.999 * 0.5 * (1 + std::cos(M_PI / 3))), 1e-9);
  EXPECT_NEAR(rate(100), kPeak * 0.001, 1e-9);
  for (int step = 1; step < kTotal; ++step) {
    EXPECT_EQ(rate(step) > rate(step - 1), step <= 25) << step;
  }
}

TEST(ScheduleTest, OneCycleOfVeryFewStepsStaysInRange) {
  const ScheduleConfig config = Config(ScheduleConfig::ONE_CYCLE);
  for (int total = 1; total < 5; ++total) {
    for (int step = 0; step <= total; ++step) {  // one past the end, too
      const double rate = LearningRate(config, 1, AtStep(step, total));
      EXPECT_GE(rate, config.final_fraction() * 0.999) << step << " of " << total;
      EXPECT_LE(rate, 1) << step << " of " << total;
    }
  }
}

// Newbob over a list of dev errors: the rate of each epoch follows from those before it.
TEST(ScheduleTest, HalvesAfterEpochsThatDoNotImproveEnough) {
  ScheduleConfig config = Config(ScheduleConfig::HALVE_ON_PLATEAU);
  config.set_factor(0.5f);
  config.set_min_improvement(0.1f);
  const std::vector<double> errors = {50, 40, 37, 30, 31, 20};
  const std::vector<double> rates = {0.8, 0.8, 0.8, 0.4, 0.4, 0.2};  // 37 > 0.9 * 40 and 31 > 0.9 * 30
  SchedulePosition position;
  double best = kInf;
  for (size_t epoch = 0; epoch < errors.size(); ++epoch) {
    EXPECT_NEAR(LearningRate(config, 0.8, position), rates[epoch], 1e-9) << epoch;
    if (IsPlateau(config, best, errors[epoch])) ++position.halvings;
    best = std::min(best, errors[epoch]);
  }
}

TEST(ScheduleTest, PlateauEdges) {
  ScheduleConfig config = Config(ScheduleConfig::HALVE_ON_PLATEAU);
  EXPECT_FALSE(IsPlateau(config, kInf, 100));  // the first epoch
  EXPECT_TRUE(IsPlateau(config, 10, 10));
  EXPECT_TRUE(IsPlateau(config, 10, std::nan("")));
  EXPECT_TRUE(IsPlateau(config, 0, 0));
  config.set_min_improvement(0);
  EXPECT_FALSE(IsPlateau(config, 10, 9.999));
  EXPECT_TRUE(IsPlateau(config, 10, 10));
}

}  // namespace
}  // namespace earshot
