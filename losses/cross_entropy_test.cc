// Cross-entropy over packed batches.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "base/testing/complex_step.h"
#include "base/testing/every_target.h"
#include "base/testing/near.h"
#include "losses/loss_testing.h"

namespace earshot {
namespace {

TEST(CrossEntropyTest, UniformAndCertainFrames) {
  // log 4 for each judged frame; the third is ignored.
  const LossResult uniform =
      ComputeLoss(Config(LossConfig::CROSS_ENTROPY_FRAME), {3}, std::vector<float>(12, 5.0f), {{1, 3, -1}});
  ASSERT_TRUE(uniform.status.ok()) << uniform.status;
  EXPECT_NEAR(uniform.losses[0], 2 * std::log(4.0), 1e-6);
  EXPECT_EQ(Doubles(uniform.dlogits.span()),
            (std::vector<double>{0.25, -0.75, 0.25, 0.25, 0.25, 0.25, 0.25, -0.75, 0, 0, 0, 0}));
  // log(1 + e^-30), where the naive form gives 0.
  const LossResult certain = ComputeLoss(Config(LossConfig::CROSS_ENTROPY_FRAME), {1}, {30, 0}, {{0}});
  EXPECT_NEAR(certain.losses[0], std::exp(-30.0), 1e-18);
  EXPECT_NEAR(certain.dlogits.data()[0], -std::exp(-30.0), 1e-18);
  const LossResult wrong = ComputeLoss(Config(LossConfig::CROSS_ENTROPY_FRAME), {1}, {3e38f, -3e38f}, {{1}});
  EXPECT_EQ(wrong.losses[0], std::numeric_limits<float>::infinity());  // 6e38 is no float
  EXPECT_EQ(Doubles(wrong.dlogits.span()), (std::vector<double>{1, -1}));
}

template <typename S>
S SumOfFrames(const std::vector<S>& logits, int classes, const std::vector<int32_t>& labels) {
  S loss(0);
  for (size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] < 0) continue;
    S sum(0);
    for (int c = 0; c < classes; ++c) sum += std::exp(logits[row * classes + c]);
    loss += std::log(sum) - logits[row * classes + labels[row]];
  }
  return loss;
}

TEST(CrossEntropyTest, GradientEqualsComplexStep) {
  const std::vector<int32_t> lengths = {4, 2, 1}, labels_of_rows = {2, 0, 1, 0, -1, 2, 1};
  const LabelRows labels = {{2, 0, 2, 1}, {0, -1}, {1}};
  const std::vector<float> logits = RandomLogits(7 * 3);
  const LossResult r = ComputeLoss(Config(LossConfig::CROSS_ENTROPY_FRAME), lengths, logits, labels, 0.25f);
  const auto f = [&](const std::vector<std::complex<double>>& z) { return 0.25 * SumOfFrames(z, 3, labels_of_rows); };
  EXPECT_TRUE(AllClose(Doubles(r.dlogits.span()), ComplexStepGradient(f, Doubles(logits)), 0, 1e-7));
  EXPECT_NEAR(r.losses[0] + r.losses[1] + r.losses[2], SumOfFrames(Doubles(logits), 3, labels_of_rows), 1e-5);
}

TEST(CrossEntropyTest, AnyNumberOfClassesOnEveryInstructionSet) {
  for (int classes : {1, 2, 7, 8, 9, 15, 16, 17, 59, 70, 4001}) {
    const std::vector<float> logits = RandomLogits(3 * classes);
    const std::vector<double> x = Doubles(logits);
    const LabelRows labels = {{0, classes - 1, classes / 2}};
    double loss = 0;
    std::vector<double> gradient(x.size());
    for (int t = 0; t < 3; ++t) {
      double sum = 0;
      for (int c = 0; c < classes; ++c) sum += std::exp(x[t * classes + c]);
      for (int c = 0; c < classes; ++c) gradient[t * classes + c] = 0.5 * std::exp(x[t * classes + c]) / sum;
      gradient[t * classes + labels[0][t]] -= 0.5;
      loss += std::log(sum) - x[t * classes + labels[0][t]];
    }
    OnEveryTarget([&] {
      const LossResult r = ComputeLoss(Config(LossConfig::CROSS_ENTROPY_FRAME), {3}, logits, labels, 0.5f);
      EXPECT_NEAR(r.losses[0], loss, 1e-6 * loss + 1e-15) << classes;
      EXPECT_TRUE(AllClose(Doubles(r.dlogits.span()), gradient, 0, 1e-7)) << classes;
    });
  }
}

TEST(CrossEntropyTest, LastFrameOfEachUtterance) {
  const std::vector<int32_t> lengths = {3, 2, 1};
  const std::vector<int32_t> labels_of_rows = {-1, -1, 2, -1, 1, 0};  // rows: t0 b0 b1 b2, t1 b0 b1, t2 b0
  const std::vector<float> logits = RandomLogits(6 * 3);
  const LossResult r = ComputeLoss(Config(LossConfig::CROSS_ENTROPY_LAST_FRAME), lengths, logits, {{0}, {1}, {2}});
  ASSERT_TRUE(r.status.ok()) << r.status;
  const auto f = [&](const std::vector<std::complex<double>>& z) { return SumOfFrames(z, 3, labels_of_rows); };
  const std::vector<double> gradient = ComplexStepGradient(f, Doubles(logits));
  EXPECT_TRUE(AllClose(Doubles(r.dlogits.span()), gradient, 0, 1e-6));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(r.dlogits.data()[i], 0.0f);
  EXPECT_NEAR(r.losses[0] + r.losses[1] + r.losses[2], SumOfFrames(Doubles(logits), 3, labels_of_rows), 1e-5);
}

TEST(CrossEntropyTest, LabelsWithoutMeaningAreNamed) {
  const std::vector<float> logits(5 * 3, 0.0f);
  struct Case {
    LossConfig::Kind kind;
    LabelRows labels;
    std::string message;
  };
  const std::vector<Case> cases = {
      {LossConfig::CROSS_ENTROPY_FRAME,
       {{0, 1, 2}, {0}},
       "utterance 1 of the batch: 1 labels, expected 2 (one a frame)"},
      {LossConfig::CROSS_ENTROPY_FRAME,
       {{0, 1, 3}, {0, 0}},
       "utterance 0 of the batch: label 2 is 3, expected -1 to 2"},
      {LossConfig::CROSS_ENTROPY_FRAME,
       {{0, 1, -2}, {0, 0}},
       "utterance 0 of the batch: label 2 is -2, expected -1 to 2"},
      {LossConfig::CROSS_ENTROPY_LAST_FRAME,
       {{0}, {0, 1}},
       "utterance 1 of the batch: 2 labels, expected 1 (one an utterance)"},
      {LossConfig::CROSS_ENTROPY_LAST_FRAME,
       {{0}, {}},
       "utterance 1 of the batch: 0 labels, expected 1 (one an utterance)"},
      {LossConfig::CROSS_ENTROPY_LAST_FRAME, {{0}, {-1}}, "utterance 1 of the batch: label 0 is -1, expected 0 to 2"},
      {LossConfig::CROSS_ENTROPY_LAST_FRAME, {{0}}, "labels of 1 utterances, expected 2"},
  };
  for (const Case& c : cases) {
    const LossResult r = ComputeLoss(Config(c.kind), {3, 2}, logits, c.labels);
    EXPECT_EQ(r.status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(r.status.message(), c.message);
  }
}

TEST(CrossEntropyTest, LogitsThatAreNotFiniteMakeTheLossNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
    for (int at = 0; at < 6; ++at) {
      std::vector<float> logits = RandomLogits(6);
      logits[at] = bad;
      EXPECT_TRUE(std::isnan(ComputeLoss(Config(LossConfig::CROSS_ENTROPY_FRAME), {2}, logits, {{0, 1}}).losses[0]));
      const LossResult unscaled = ComputeLoss(Config(LossConfig::CROSS_ENTROPY_FRAME), {2}, logits, {{0, 1}}, 0);
      EXPECT_EQ(Doubles(unscaled.dlogits.span()), std::vector<double>(6, 0.0));
    }
  }
}

}  // namespace
}  // namespace earshot
