#include "base/packing.h"

#include <gtest/gtest.h>

#include <set>

namespace earshot {
namespace {

TEST(PackingTest, TimeMajorRowsOfRealFrames) {
  const Packing p = Packing::CreateOrDie({4, 2, 2, 1});
  EXPECT_EQ(p.batch(), 4);
  EXPECT_EQ(p.steps(), 4);
  EXPECT_EQ(p.rows(), 9);
  EXPECT_EQ(p.batch_sizes(), (std::vector<int32_t>{4, 3, 1, 1}));
  EXPECT_EQ(p.offsets(), (std::vector<int64_t>{0, 4, 7, 8}));
  EXPECT_EQ(p.row(1, 2), 6);
  EXPECT_EQ(p.row(3, 0), 8);
}

TEST(PackingTest, ReversedRowsStartAtEachLastFrame) {
  const Packing p = Packing::CreateOrDie({4, 2, 2, 1});
  EXPECT_EQ(p.reversed_row(0, 0), 8);
  EXPECT_EQ(p.reversed_row(3, 0), 0);
  EXPECT_EQ(p.reversed_row(0, 1), 5);
  EXPECT_EQ(p.reversed_row(0, 3), 3);
}

TEST(PackingTest, EveryRowIsOneFrameInBothDirections) {
  const Packing p = Packing::CreateOrDie({7, 7, 5, 3, 3, 1, 1, 1});
  std::set<int64_t> forward, backward;
  for (int b = 0; b < p.batch(); ++b) {
    for (int t = 0; t < p.lengths()[b]; ++t) {
      ASSERT_LT(b, p.batch_sizes()[t]);
      forward.insert(p.row(t, b));
      backward.insert(p.reversed_row(t, b));
    }
  }
  EXPECT_EQ(static_cast<int64_t>(forward.size()), p.rows());
  EXPECT_EQ(forward, backward);
  EXPECT_EQ(*forward.begin(), 0);
  EXPECT_EQ(*forward.rbegin(), p.rows() - 1);
}

TEST(PackingTest, EmptyBatch) {
  const Packing p = Packing::CreateOrDie({});
  EXPECT_EQ(p.batch(), 0);
  EXPECT_EQ(p.steps(), 0);
  EXPECT_EQ(p.rows(), 0);
}

TEST(PackingTest, LengthsWithoutMeaningAreNamed) {
  EXPECT_EQ(Packing::Create({5, 0}).status().message(),
            "utterance 1 of the batch: length 0, expected at least 1 frame");
  EXPECT_EQ(Packing::Create({-3}).status().message(), "utterance 0 of the batch: length -3, expected at least 1 frame");
  EXPECT_EQ(Packing::Create({2, 1, 3}).status().message(),
            "utterance 2 of the batch: length 3 after length 1, expected longest first");
  EXPECT_EQ(Packing::Create({2, 1, 3}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_DEATH(Packing::CreateOrDie({1, 2}), "expected longest first");
}

}  // namespace
}  // namespace earshot
