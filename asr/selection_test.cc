#include "asr/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/textproto.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;

struct Outcome {
  std::vector<int> saves;  // epochs at which a new best model was saved
  int last_epoch = -1;
};

// Trains "epochs" with these dev errors. After epoch `resume_after` the state goes through text, as in a checkpoint.
Outcome Train(const std::vector<double>& errors, int patience, int resume_after) {
  ScheduleConfig schedule;
  TrainState state;
  Outcome outcome;
  for (size_t epoch = 0; epoch < errors.size(); ++epoch) {
    state.set_epoch(epoch);
    if (UpdateSelection(schedule, errors[epoch], 1, &state)) outcome.saves.push_back(static_cast<int>(epoch));
    outcome.last_epoch = static_cast<int>(epoch);
    if (PatienceUsedUp(state, patience)) break;
    if (static_cast<int>(epoch) != resume_after) continue;
    TrainState resumed;
    EXPECT_TRUE(ParseTextproto(PrintTextproto(state), "state", &resumed).ok());
    state = resumed;
  }
  EXPECT_EQ(state.best_epoch(), outcome.saves.back());
  return outcome;
}

// The best value and patience survive an interruption: a first evaluation afterwards must not count as an improvement.
TEST(SelectionTest, TheSameWithAndWithoutResume) {
  const std::vector<double> errors = {0.9, 0.5, 0.6, 0.7, 0.55, 0.8, 0.45, 0.6, 0.6, 0.6};
  for (int resume_after = -1; resume_after < 10; ++resume_after) {
    const Outcome four = Train(errors, 4, resume_after);
    EXPECT_THAT(four.saves, ElementsAre(0, 1)) << resume_after;
    EXPECT_EQ(four.last_epoch, 5) << resume_after;  // epochs 2, 3, 4 and 5 after the best at 1
    const Outcome five = Train(errors, 5, resume_after);
    EXPECT_THAT(five.saves, ElementsAre(0, 1, 6)) << resume_after;
    EXPECT_EQ(five.last_epoch, 9) << resume_after;
    EXPECT_EQ(Train(errors, 0, resume_after).last_epoch, 9) << resume_after;
  }
}

TEST(SelectionTest, EqualErrorsAreDecidedByTheLoss) {
  ScheduleConfig schedule;
  TrainState state;
  EXPECT_TRUE(UpdateSelection(schedule, 10, 0.5, &state));
  EXPECT_FALSE(UpdateSelection(schedule, 10, 0.5, &state));
  EXPECT_FALSE(UpdateSelection(schedule, 10, 0.6, &state));
  EXPECT_EQ(state.epochs_since_best(), 2);
  EXPECT_TRUE(UpdateSelection(schedule, 10, 0.4, &state));
  EXPECT_EQ(state.epochs_since_best(), 0);
  EXPECT_TRUE(UpdateSelection(schedule, 9, 0.9, &state));
  EXPECT_FALSE(UpdateSelection(schedule, 10, 0.1, &state));
}

TEST(SelectionTest, NanIsNeverBetterAndNeverInTheWay) {
  ScheduleConfig schedule;
  TrainState state;
  EXPECT_TRUE(UpdateSelection(schedule, std::nan(""), std::nan(""), &state));  // somebody has to be the first
  EXPECT_FALSE(UpdateSelection(schedule, std::nan(""), std::nan(""), &state));
  EXPECT_TRUE(UpdateSelection(schedule, 100, std::nan(""), &state));
  EXPECT_TRUE(UpdateSelection(schedule, 100, 7, &state));
  EXPECT_FALSE(UpdateSelection(schedule, 100, std::nan(""), &state));
  EXPECT_FALSE(UpdateSelection(schedule, std::nan(""), 0, &state));
}

TEST(SelectionTest, PlateausAreCountedAgainstTheBestBefore) {
  ScheduleConfig schedule;
  schedule.set_min_improvement(0.1f);
  TrainState state;
  std::vector<int> halvings;
  for (double error : {50.0, 40.0, 37.0, 30.0, 31.0, 20.0}) {
    UpdateSelection(schedule, error, 1, &state);
    halvings.push_back(state.halvings());
  }
  EXPECT_THAT(halvings, ElementsAre(0, 0, 1, 1, 2, 2));
}

}  // namespace
}  // namespace earshot
