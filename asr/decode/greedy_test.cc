#include "asr/decode/greedy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace earshot {
namespace {

using Ids = std::vector<int32_t>;

// Logits of frames given as probabilities, in packed order.
Tensor<float, 2> Logits(const std::vector<std::vector<double>>& rows) {
  Tensor<float, 2> x({static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows[0].size())});
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t c = 0; c < rows[i].size(); ++c) x.view()(i, c) = static_cast<float>(std::log(rows[i][c]));
  }
  return x;
}

TEST(GreedyTest, CollapsesFirstThenDropsBlanks) {
  EXPECT_EQ(CollapsePath({2, 1, 1, 0, 1, 1, 3}, 0), (Ids{2, 1, 1, 3}));
  EXPECT_EQ(CollapsePath({0, 0, 0}, 0), Ids());
  EXPECT_EQ(CollapsePath({1, 0, 1}, 0), (Ids{1, 1}));
  EXPECT_EQ(CollapsePath({1, 1, 0, 0, 1}, 0), (Ids{1, 1}));
  EXPECT_EQ(CollapsePath({2, 2, 2, 1, 1, 0, 1}, 0), (Ids{2, 1, 1}));
  EXPECT_EQ(CollapsePath({}, 0), Ids());
  EXPECT_EQ(CollapsePath({2, 2, 0, 2, 1}, 2), (Ids{0, 1}));  // another blank
}

// Two utterances of 3 and 2 frames, interleaved: neither is read past its end, nor the other one's frames.
TEST(GreedyTest, ReadsOnlyTheUtterancesOwnFrames) {
  const Tensor<float, 2> logits =
      Logits({{0.05, 0.9, 0.05}, {0.1, 0.1, 0.8}, {0.9, 0.05, 0.05}, {0.2, 0.1, 0.7}, {0.05, 0.05, 0.9}});
  const Packing packing = Packing::CreateOrDie({3, 2});
  EXPECT_EQ(DecodeBestPath(LossConfig::CTC, logits.view(), packing, 0).tokens, (Ids{1, 2}));
  EXPECT_EQ(DecodeBestPath(LossConfig::CTC, logits.view(), packing, 1).tokens, (Ids{2}));
}

TEST(GreedyTest, TimesAndConfidences) {
  const Tensor<float, 2> logits = Logits({{0.9, 0.1}, {0.4, 0.6}, {0.2, 0.8}, {0.5, 0.5}, {0.3, 0.7}, {0.8, 0.2}});
  const BestPath path = DecodeBestPath(LossConfig::CTC, logits.view(), Packing::CreateOrDie({6}), 0);
  EXPECT_EQ(path.tokens, (Ids{1, 1}));  // the tie is a blank
  EXPECT_EQ(path.begin, (Ids{1, 4}));
  EXPECT_EQ(path.end, (Ids{3, 5}));
  ASSERT_EQ(path.token_confidence.size(), 2u);
  EXPECT_NEAR(path.token_confidence[0], 0.8, 1e-6);
  EXPECT_NEAR(path.token_confidence[1], 0.7, 1e-6);
  EXPECT_NEAR(path.confidence, std::pow(0.9 * 0.6 * 0.8 * 0.5 * 0.7 * 0.8, 1 / 6.0), 1e-6);
}

TEST(GreedyTest, BlankMayBeAnyClass) {
  const Tensor<float, 2> logits = Logits({{0.9, 0.1}, {0.2, 0.8}, {0.9, 0.1}});
  const Packing packing = Packing::CreateOrDie({3});
  EXPECT_EQ(DecodeBestPath(LossConfig::CTC, logits.view(), packing, 0).tokens, (Ids{1}));
  EXPECT_EQ(DecodeBestPath(LossConfig::CTC, logits.view(), packing, 0, 1).tokens, (Ids{0, 0}));
}

TEST(GreedyTest, CrossEntropyKeepsClassZeroAndRepeats) {
  const Tensor<float, 2> logits = Logits({{0.9, 0.1}, {0.8, 0.2}, {0.3, 0.7}});
  const Packing packing = Packing::CreateOrDie({3});
  const BestPath frames = DecodeBestPath(LossConfig::CROSS_ENTROPY_FRAME, logits.view(), packing, 0);
  EXPECT_EQ(frames.tokens, (Ids{0, 0, 1}));
  EXPECT_EQ(frames.begin, (Ids{0, 1, 2}));
  const BestPath last = DecodeBestPath(LossConfig::CROSS_ENTROPY_LAST_FRAME, logits.view(), packing, 0);
  EXPECT_EQ(last.tokens, (Ids{1}));
  EXPECT_EQ(last.begin, (Ids{2}));
  EXPECT_NEAR(last.confidence, 0.7, 1e-6);
}

TEST(GreedyTest, CertainLogitsDoNotOverflow) {
  Tensor<float, 2> logits({2, 2});
  logits.data()[0] = 3e38f;
  logits.data()[1] = -3e38f;
  logits.data()[3] = 2000;
  const BestPath path = DecodeBestPath(LossConfig::CTC, logits.view(), Packing::CreateOrDie({2}), 0);
  EXPECT_EQ(path.tokens, (Ids{1}));
  EXPECT_EQ(path.confidence, 1);
}

}  // namespace
}  // namespace earshot
