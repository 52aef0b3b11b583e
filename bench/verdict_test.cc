#include "bench/verdict.h"

#include <vector>

#include <gtest/gtest.h>

namespace earshot {
namespace {

using Samples = std::vector<double>;

TEST(VerdictTest, FiveBlocksOfEachAreTheFewest) {
  EXPECT_EQ(MinVerdictBlocks(), 5);
  const Verdict slower = CompareBlocks(Samples{10, 11, 12, 13, 14}, Samples{15, 16, 17, 18, 19});
  EXPECT_EQ(slower.kind, VerdictKind::kSlower);
  EXPECT_EQ(VerdictText(slower), "slower (p = 0.0079, 5 and 5 blocks)");
  const Verdict faster = CompareBlocks(Samples{15, 16, 17, 18, 19}, Samples{10, 11, 12, 13, 14});
  EXPECT_EQ(faster.kind, VerdictKind::kFaster);
  EXPECT_EQ(VerdictText(faster), "faster (p = 0.0079, 5 and 5 blocks)");
  const Verdict overlap = CompareBlocks(Samples{10, 11, 12, 13, 15}, Samples{14, 16, 17, 18, 19});
  EXPECT_EQ(overlap.kind, VerdictKind::kCannotTell);
  EXPECT_EQ(VerdictText(overlap), "cannot tell (p = 0.016, 5 and 5 blocks)");
}

TEST(VerdictTest, FewerBlocksCannotTellHoweverFarApart) {
  const Verdict verdict = CompareBlocks(Samples{1, 2, 3, 4}, Samples{100, 101, 102, 103});
  EXPECT_EQ(verdict.kind, VerdictKind::kCannotTell);
  EXPECT_FALSE(verdict.enough_blocks);
  EXPECT_EQ(VerdictText(verdict), "cannot tell (4 and 4 blocks, needs 5 of each)");
  EXPECT_EQ(VerdictText(CompareBlocks({}, Samples{1, 2})), "cannot tell (0 and 2 blocks, needs 5 of each)");
}

TEST(VerdictTest, ManyBlocksOfOneMakeUpForFewOfTheOther) {
  const Verdict verdict = CompareBlocks(Samples{1, 2, 3}, Samples{10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
  EXPECT_EQ(VerdictText(verdict), "slower (p = 0.007, 3 and 10 blocks)");
}

TEST(VerdictTest, TiesWithinARowDoNotHideADifference) {
  const Verdict verdict = CompareBlocks(Samples{10, 10, 10, 11, 11}, Samples{12, 12, 13, 13, 13});
  EXPECT_EQ(verdict.kind, VerdictKind::kSlower);
}

}  // namespace
}  // namespace earshot
