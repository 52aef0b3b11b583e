#include "base/phase_timer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <thread>

namespace earshot {
namespace {

TEST(PhaseTimerTest, AddsUpAndClears) {
  PhaseTimer timer;
  timer.Add(Phase::kLoss, 0.25);
  timer.Add(Phase::kLoss, 0.5);
  timer.Add(Phase::kOptimizer, 1);
  EXPECT_EQ(timer.seconds(Phase::kLoss), 0.75);
  EXPECT_EQ(timer.seconds(Phase::kCopy), 0);
  EXPECT_EQ(timer.total(), 1.75);
  timer.Clear();
  EXPECT_EQ(timer.total(), 0);
}

TEST(PhaseTimerTest, ScopeMeasuresItself) {
  PhaseTimer timer;
  {
    ScopedPhase phase(&timer, Phase::kRecurrence);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_GE(timer.seconds(Phase::kRecurrence), 0.005);
  EXPECT_EQ(timer.total(), timer.seconds(Phase::kRecurrence));
  ScopedPhase nothing(nullptr, Phase::kLoss);
}

TEST(PhaseTimerTest, NamesBelongToTheirPhases) {
  std::set<std::string> names;
  for (int i = 0; i < kNumPhases; ++i) names.insert(PhaseName(static_cast<Phase>(i)));
  EXPECT_EQ(static_cast<int>(names.size()), kNumPhases);
  EXPECT_STREQ(PhaseName(Phase::kCopy), "copy");
  EXPECT_STREQ(PhaseName(Phase::kLoss), "loss");
  EXPECT_STREQ(PhaseName(Phase::kRecurrentBackward), "recurrent_backward");
  EXPECT_STREQ(PhaseName(Phase::kOptimizer), "optimizer");
}

}  // namespace
}  // namespace earshot
