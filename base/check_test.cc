#include "base/check.h"

#include <gtest/gtest.h>

namespace earshot {
namespace {

TEST(CheckTest, FailureNamesPlaceConditionAndMessage) {
  const int frames = -1;
  EXPECT_DEATH(CHECK(frames > 0) << "frames " << frames, "check_test.cc:[0-9]+: CHECK failed: frames > 0 frames -1");
  EXPECT_DEATH(CHECK_EQ(frames, 2) << "of utterance 3", "\\(-1 against 2\\) of utterance 3");
  EXPECT_DEATH(CHECK_NE(frames, -1), "-1 against -1");
  EXPECT_DEATH(CHECK_LT(2, frames), "2 against -1");
  EXPECT_DEATH(CHECK_LE(2, frames), "2 against -1");
  EXPECT_DEATH(CHECK_GT(frames, 2), "-1 against 2");
  EXPECT_DEATH(CHECK_GE(frames, 2), "-1 against 2");
}

TEST(CheckTest, SuccessEvaluatesOnceAndNoMessage) {
  int evaluations = 0;
  const auto count = [&] { return ++evaluations; };
  CHECK(count() == 1) << count();
  CHECK_EQ(count(), 2) << count();
  EXPECT_EQ(evaluations, 2);
}

TEST(CheckTest, IsOneStatement) {
  for (const bool first : {true, false}) {
    bool reached_else = false;
    if (first)
      CHECK(first);
    else
      reached_else = true;
    EXPECT_EQ(reached_else, !first);
  }
}

}  // namespace
}  // namespace earshot
