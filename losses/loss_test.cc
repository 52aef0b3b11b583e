// What all losses share: labels and lengths, threads, reductions, configuration.
#include "losses/loss.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/testing/near.h"
#include "losses/loss_testing.h"

namespace earshot {
namespace {

TEST(LossTest, MoreFramesThanRowsAreAProgrammersMistake) {
  const std::vector<float> logits(5 * 2);
  Tensor<float, 2> dlogits({5, 2});
  std::vector<float> losses(1);
  auto loss = CreateLoss(Config(LossConfig::CTC), 2, nullptr);
  EXPECT_DEATH((void)(*loss)->Compute(TensorView<const float, 2>(logits.data(), {5, 2}), Packing::CreateOrDie({6}),
                                      ToRagged({{1}}), 1, absl::MakeSpan(losses), dlogits.view()),
               "against 6");
}

TEST(LossTest, SameBitsForAnyNumberOfThreads) {
  std::vector<int32_t> lengths;
  LabelRows transcripts, frame_labels, last_labels;
  for (int b = 0; b < 13; ++b) {
    lengths.push_back(60 - 3 * b);
    transcripts.push_back(std::vector<int32_t>(b, 1 + b % 4));
    frame_labels.push_back(std::vector<int32_t>(lengths.back(), b % 5));
    last_labels.push_back({b % 5});
  }
  const std::vector<float> logits = RandomLogits(5 * static_cast<int>(Packing::CreateOrDie(lengths).rows()));
  for (LossConfig::Kind kind :
       {LossConfig::CTC, LossConfig::CROSS_ENTROPY_FRAME, LossConfig::CROSS_ENTROPY_LAST_FRAME}) {
    const LabelRows& labels = kind == LossConfig::CTC                   ? transcripts
                              : kind == LossConfig::CROSS_ENTROPY_FRAME ? frame_labels
                                                                        : last_labels;
    const LossResult alone = ComputeLoss(Config(kind), lengths, logits, labels, 0.5f);
    ASSERT_TRUE(alone.status.ok()) << alone.status;
    for (int threads : {1, 2, 3, 4, 8, 20}) {
      ThreadPool pool(threads);
      const LossResult r = ComputeLoss(Config(kind), lengths, logits, labels, 0.5f, &pool);
      EXPECT_TRUE(SameBits(r.losses, alone.losses));
      EXPECT_TRUE(SameBits(r.dlogits.span(), alone.dlogits.span()));
    }
  }
}

TEST(LossTest, AnUtteranceHasTheSameBitsAloneAndInABatch) {
  const std::vector<int32_t> lengths = {70, 50, 33, 9};
  const Packing packing = Packing::CreateOrDie(lengths);
  constexpr int kClasses = 11;
  const std::vector<float> logits = RandomLogits(kClasses * static_cast<int>(packing.rows()));
  for (LossConfig::Kind kind :
       {LossConfig::CTC, LossConfig::CROSS_ENTROPY_FRAME, LossConfig::CROSS_ENTROPY_LAST_FRAME}) {
    LabelRows labels;
    for (int32_t length : lengths) {
      labels.emplace_back(kind == LossConfig::CTC ? length / 3 : kind == LossConfig::CROSS_ENTROPY_FRAME ? length : 1);
      for (size_t k = 0; k < labels.back().size(); ++k) labels.back()[k] = 1 + (k * k + length) % (kClasses - 1);
    }
    ThreadPool pool(2);
    const LossResult together = ComputeLoss(Config(kind), lengths, logits, labels, 0.5f, &pool);
    for (size_t b = 0; b < lengths.size(); ++b) {
      std::vector<float> own, gradient;
      for (int t = 0; t < lengths[b]; ++t) {
        const int64_t at = packing.row(t, b) * kClasses;
        own.insert(own.end(), logits.begin() + at, logits.begin() + at + kClasses);
        const float* const d = together.dlogits.data() + at;
        gradient.insert(gradient.end(), d, d + kClasses);
      }
      const LossResult alone = ComputeLoss(Config(kind), {lengths[b]}, own, {labels[b]}, 0.5f);
      EXPECT_EQ(alone.losses[0], together.losses[b]) << b;
      EXPECT_TRUE(SameBits(alone.dlogits.span(), gradient)) << b;
    }
  }
}

TEST(ReductionTest, EachNameHasItsNumber) {
  const LossResult r =
      ComputeLoss(Config(LossConfig::CTC), {6, 4, 3},
                  // Frame by frame: utterances of 6 ("2 1 2"), 4 ("1 1") and 3 frames ("1").
                  {-0.5116f, -0.6333f, -0.6032f, -0.5108f, -0.4519f, 0.7662f,  -0.5124f, -0.8147f, 0.0274f,  -0.1096f,
                   -0.2403f, -0.3525f, -0.0355f, -0.9073f, -0.8571f, -0.1836f, 0.4268f,  0.152f,   -0.209f,  0.7585f,
                   -0.6184f, 0.6531f,  0.5908f,  0.399f,   0.9289f,  0.9262f,  0.3642f,  0.5764f,  -0.3501f, -0.7628f,
                   0.6913f,  0.5574f,  0.6069f,  -0.7442f, 0.7466f,  0.6032f,  -0.3945f, 0.8479f,  0.2618f},
                  {{2, 1, 2}, {1, 1}, {1}});
  EXPECT_TRUE(AllClose(Doubles(r.losses), {2.34165241511, 3.10985665851, 1.53081149265}, 1e-5, 0));
  const double sum = static_cast<double>(r.losses[0]) + r.losses[1] + r.losses[2];
  struct Case {
    LossConfig::Reduction reduction;
    double mean;
  };
  for (const Case& c :
       {Case{LossConfig::SUM, 6.98232056627}, Case{LossConfig::MEAN_UTTERANCE, 2.32744018876},
        Case{LossConfig::MEAN_LABEL, 6.98232056627 / 6}, Case{LossConfig::MEAN_FRAME, 0.537101582021}}) {
    const LossConfig config = Config(LossConfig::CTC, c.reduction);
    auto loss = CreateLoss(config, 3, nullptr);
    const double count = (*loss)->Count(6, {2, 1, 2}) + (*loss)->Count(4, {1, 1}) + (*loss)->Count(3, {1});
    EXPECT_NEAR(sum / Denominator(config, count), c.mean, 1e-5);
  }
}

// Sums over counts do not care how a batch is cut; means of means would give 4.5 and 4.
TEST(ReductionTest, SumsOverCountsForAnyCut) {
  const LossConfig config = Config(LossConfig::CROSS_ENTROPY_FRAME, LossConfig::MEAN_FRAME);
  auto loss = CreateLoss(config, 2, nullptr);
  const std::vector<int32_t> lengths = {3, 10, 2};
  double count = 0;
  for (int32_t n : lengths) count += (*loss)->Count(n, std::vector<int32_t>(n, 1));
  EXPECT_NEAR((12.0 + 80 + 3) / Denominator(config, count), 6.33333333333, 1e-9);
  // A last small batch weighs as little as it is: (2*500 + 1*1500 + 9*20) / 2020 frames.
  count = 0;
  for (int32_t n : {500, 1500, 20}) count += (*loss)->Count(n, std::vector<int32_t>(n, 0));
  EXPECT_NEAR((2.0 * 500 + 1.0 * 1500 + 9.0 * 20) / Denominator(config, count), 1.3267327, 1e-7);
}

TEST(ReductionTest, NothingToLearnIsZeroOfZero) {
  const std::vector<float> logits = {1, 2, 3, 0.5f, 0.1f, 0};
  const LossResult r = ComputeLoss(Config(LossConfig::CROSS_ENTROPY_FRAME), {2}, logits, {{-1, -1}});
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.losses[0], 0.0f);
  EXPECT_EQ(Doubles(r.dlogits.span()), std::vector<double>(6, 0.0));
  const LossConfig config = Config(LossConfig::CROSS_ENTROPY_FRAME, LossConfig::MEAN_FRAME);
  auto loss = CreateLoss(config, 3, nullptr);
  EXPECT_EQ(Denominator(config, (*loss)->Count(2, {-1, -1})), 0.0);
  EXPECT_EQ((*loss)->Count(3, {-1, 2, 0}), 2.0);
}

TEST(CreateLossTest, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(CreateLoss(Config(LossConfig::CTC), 1, nullptr).status().message(), "CTC: 1 classes, expected at least 2");
  EXPECT_EQ(CreateLoss(Config(LossConfig::CROSS_ENTROPY_FRAME), 0, nullptr).status().message(),
            "CROSS_ENTROPY_FRAME: 0 classes, expected at least 1");
}

}  // namespace
}  // namespace earshot
