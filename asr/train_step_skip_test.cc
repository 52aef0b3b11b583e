// What a step does with utterances and numbers that it must not learn from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "asr/testing/batches.h"
#include "asr/testing/snapshot.h"
#include "asr/train_step.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kInput = 6, kClasses = 5;
constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

class SkipTest : public testing::Test {
 protected:
  std::unique_ptr<TrainStep> MakeStep(LossConfig::Kind kind = LossConfig::CTC, float max_grad_norm = 1,
                                      LossConfig::Reduction reduction = LossConfig::MEAN_UTTERANCE) {
    TrainConfig config;
    config.mutable_model()->mutable_lstm()->set_hidden_size(8);
    config.mutable_model()->mutable_lstm()->set_bidirectional(true);
    config.mutable_loss()->set_kind(kind);
    config.mutable_loss()->set_reduction(reduction);
    config.mutable_optimizer()->set_max_grad_norm(max_grad_norm);
    auto step = TrainStep::Create(config, kInput, kClasses, &pool_);
    EXPECT_TRUE(step.ok()) << step.status();
    (*step)->model().Initialize(3);
    return std::move(*step);
  }
  StepStats Run(TrainStep* step, const Batch& batch) {
    const absl::StatusOr<StepStats> stats = step->Run(batch, 0.01f, 0);
    EXPECT_TRUE(stats.ok()) << stats.status();
    return *stats;
  }
  static Batch GoodBatch() { return RandomBatch({9, 7, 7, 4}, kInput, {{1, 2, 2}, {3}, {}, {4, 1}}, 1); }

  ThreadPool pool_{2};
};

TEST_F(SkipTest, BadFeatureIsNamedAndNothingChanges) {
  const auto step = MakeStep();
  Run(step.get(), GoodBatch());  // so that there is a state
  const Snapshot before(step.get());
  int cases = 0;
  for (int b = 0; b < 4; ++b) {
    for (float bad : {kNan, kInf, -kInf}) {
      Batch batch = GoodBatch();
      const int t = (cases * 5) % batch.packing.lengths()[b], d = cases % kInput;
      ++cases;
      batch.features.view()(batch.packing.row(t, b), d) = bad;
      const StepStats stats = Run(step.get(), batch);
      EXPECT_EQ(stats.skipped, absl::StrCat("utterance utt-", b, ": feature ", d, " of frame ", t, " is ", bad));
      EXPECT_TRUE(stats.not_finite);
      EXPECT_TRUE(SameBits(Snapshot(step.get()), before));
    }
  }
  // Afterwards everything works as if nothing had been.
  const auto undisturbed = MakeStep();
  Run(undisturbed.get(), GoodBatch());
  Run(undisturbed.get(), GoodBatch());
  EXPECT_EQ(Run(step.get(), GoodBatch()).skipped, "");
  EXPECT_TRUE(SameBits(Snapshot(step.get()), Snapshot(undisturbed.get())));
}

TEST_F(SkipTest, TheFirstOfManyBadFeaturesIsNamed) {
  Batch batch = RandomBatch({4000, 3000}, kInput, {{1}, {2}}, 1);  // every thread has a share
  const auto step = MakeStep();
  for (int t : {2999, 1500, 7}) {
    batch.features.view()(batch.packing.row(t, 1), 2) = kNan;
    EXPECT_EQ(Run(step.get(), batch).skipped, absl::StrCat("utterance utt-1: feature 2 of frame ", t, " is nan"));
  }
}

TEST_F(SkipTest, BadLossNamesTheUtterance) {
  const auto step = MakeStep();
  for (float bad : {kNan, kInf, -kInf}) {
    const float good = step->model().params().back();
    step->model().params().back() = bad;  // an output bias: all logits of a class
    const Snapshot before(step.get());
    const StepStats stats = Run(step.get(), GoodBatch());
    EXPECT_THAT(stats.skipped, StartsWith("utterance utt-0: loss is "));
    EXPECT_TRUE(stats.not_finite);
    EXPECT_TRUE(SameBits(Snapshot(step.get()), before));
    step->model().params().back() = good;
  }
  EXPECT_EQ(Run(step.get(), GoodBatch()).skipped, "");
}

// Every loss is finite, yet the gradient is not: the sum over frames of gate gradients times huge features.
TEST_F(SkipTest, BadGradientNamesTheBatch) {
  const auto step = MakeStep(LossConfig::CROSS_ENTROPY_FRAME, 1, LossConfig::SUM);
  const absl::Span<float> params = step->model().params();
  constexpr int64_t kGates = 4 * 8;
  // w_ih of both directions: with 0 the gates are not saturated.
  for (int d = 0; d < 2; ++d) std::fill_n(params.begin() + d * kGates * (kInput + 8 + 1), kGates * kInput, 0.0f);
  Batch batch = RandomBatch({60}, kInput, {std::vector<int32_t>(60, 1)}, 1);
  for (float& x : batch.features.span()) x = 3e38f;
  for (float& p : params.subspan(params.size() - kClasses * (2 * 8 + 1))) p *= 30;  // output weights
  const Snapshot before(step.get());
  const StepStats stats = Run(step.get(), batch);
  EXPECT_THAT(stats.skipped, HasSubstr("gradient norm is inf in the batch of utterance utt-0"));
  EXPECT_TRUE(stats.not_finite);
  EXPECT_TRUE(SameBits(Snapshot(step.get()), before));

  // Finite, but its square is not: Adam's second moment would be infinite for ever. Clipped it is harmless.
  for (float& x : batch.features.span()) x = 1e25f;
  for (float max_grad_norm : {0.0f, 1.0f}) {
    const auto other = MakeStep(LossConfig::CROSS_ENTROPY_FRAME, max_grad_norm, LossConfig::SUM);
    std::copy(before.params.begin(), before.params.end(), other->model().params().begin());
    const StepStats large = Run(other.get(), batch);
    EXPECT_GT(large.grad_norm, 1e20);
    EXPECT_TRUE(std::isfinite(large.grad_norm));
    EXPECT_EQ(large.not_finite, max_grad_norm == 0) << large.skipped;
    for (float v : Snapshot(other.get()).state) ASSERT_TRUE(std::isfinite(v));
  }
}

// Anything anywhere: whatever happens, a step that was skipped changed no bit and one that was taken left only finite
// numbers; and the next good step works.
TEST_F(SkipTest, InjectedNumbersNeverReachTheParameters) {
  int skipped = 0, taken = 0;
  for (int i = 0; i < 60; ++i) {
    RandomStream random(8, RandomPurpose::kTest, i);
    const float value = std::vector<float>{kNan, kInf, -kInf, 1e38f, -1e38f, 1e-40f}[i % 6];
    const auto step = MakeStep(LossConfig::CTC, i % 4 < 2 ? 1 : 0);
    Run(step.get(), GoodBatch());
    const Snapshot healthy(step.get());
    Batch batch = GoodBatch();
    const bool in_weights = i % 10 < 5;
    const absl::Span<float> target = in_weights ? step->model().params() : batch.features.span();
    const uint32_t at = random.Below(static_cast<uint32_t>(target.size()));
    target[at] = value;
    const Snapshot before(step.get());
    const StepStats stats = Run(step.get(), batch);
    if (stats.skipped.empty()) {
      ++taken;
      for (float p : Snapshot(step.get()).state) ASSERT_TRUE(std::isfinite(p)) << i;
      for (float p : step->model().params()) ASSERT_TRUE(std::isfinite(p)) << i;
    } else {
      ++skipped;
      EXPECT_THAT(stats.skipped, HasSubstr("utterance utt-")) << i;
      EXPECT_TRUE(SameBits(Snapshot(step.get()), before)) << i;
    }
    EXPECT_TRUE(std::isfinite(value) || !stats.skipped.empty()) << i << ": " << value << " at " << at;
    std::copy(healthy.params.begin(), healthy.params.end(), step->model().params().begin());
    EXPECT_EQ(Run(step.get(), GoodBatch()).skipped, "") << i;
  }
  EXPECT_GE(skipped, 30);
  EXPECT_GE(taken, 10);
}

TEST_F(SkipTest, ImpossibleUtterancesAreLeftOutByName) {
  // utt-1 needs 5 frames + 2 for equal neighbours, utt-3 needs 2.
  const std::vector<std::vector<int32_t>> labels = {{1, 2}, {1, 1, 1, 2, 3}, {4}, {1, 2}};
  const auto batch = [&](float scale) {
    Batch b = RandomBatch({9, 6, 5, 1}, kInput, labels, 1);
    for (int impossible : {1, 3}) {
      for (int t = 0; t < b.packing.lengths()[impossible]; ++t) {
        for (float& x : b.features.view().row(b.packing.row(t, impossible))) x *= scale;
      }
    }
    return b;
  };
  const auto step = MakeStep(), other = MakeStep(), without = MakeStep();
  const StepStats stats = Run(step.get(), batch(1));
  EXPECT_THAT(stats.impossible, ElementsAre("utt-1", "utt-3"));
  EXPECT_EQ(stats.skipped, "");
  EXPECT_EQ(stats.utterances, 2);
  EXPECT_EQ(stats.count, 2);
  EXPECT_TRUE(std::isfinite(stats.loss_sum));
  // What they sound like changes no bit.
  Run(other.get(), batch(100));
  EXPECT_TRUE(SameBits(Snapshot(other.get()), Snapshot(step.get())));
  // The batch without them gives the same loss and gradient, up to the order of sums over frames.
  Batch rest;
  rest.packing = Packing::CreateOrDie({9, 5});
  rest.features.Resize({14, kInput});
  const Batch all = batch(1);
  for (int b : {0, 1}) {
    for (int t = 0; t < rest.packing.lengths()[b]; ++t) {
      std::copy_n(all.features.view().row(all.packing.row(t, 2 * b)).data(), kInput,
                  rest.features.view().row(rest.packing.row(t, b)).data());
    }
    rest.labels.AddRow(labels[2 * b]);
    rest.ids.push_back(all.ids[2 * b]);
  }
  const StepStats own = Run(without.get(), rest);
  EXPECT_EQ(own.count, stats.count);
  EXPECT_NEAR(own.loss_sum, stats.loss_sum, 1e-5 * own.loss_sum);
  const std::vector<double> expected(without->model().grads().begin(), without->model().grads().end());
  EXPECT_TRUE(AllNear(step->model().grads(), expected, 100));
}

TEST_F(SkipTest, NothingToLearnFromIsSkippedButNotAnError) {
  const auto expect_skipped = [&](TrainStep* step, const Batch& batch) {
    Run(step, batch);
    const Snapshot before(step);
    const StepStats stats = Run(step, batch);
    EXPECT_EQ(stats.skipped, "no utterance of the batch has anything to learn from");
    EXPECT_FALSE(stats.not_finite);
    EXPECT_TRUE(SameBits(Snapshot(step), before));
    for (float p : before.params) EXPECT_TRUE(std::isfinite(p));
    return stats;
  };
  // All frames ignored: the sum is 0, of nothing.
  const StepStats ignored = expect_skipped(MakeStep(LossConfig::CROSS_ENTROPY_FRAME, 1, LossConfig::MEAN_FRAME).get(),
                                           RandomBatch({2, 1}, kInput, {{-1, -1}, {-1}}, 1));
  EXPECT_EQ(ignored.loss_sum, 0);
  EXPECT_EQ(ignored.count, 0);
  // Every utterance impossible, with every reduction.
  for (LossConfig::Reduction reduction :
       {LossConfig::SUM, LossConfig::MEAN_UTTERANCE, LossConfig::MEAN_LABEL, LossConfig::MEAN_FRAME}) {
    const StepStats stats =
        expect_skipped(MakeStep(LossConfig::CTC, 1, reduction).get(), RandomBatch({2, 1}, kInput, {{1, 1}, {1, 2}}, 1));
    EXPECT_THAT(stats.impossible, ElementsAre("utt-0", "utt-1"));
  }
  // Silence only, when the mean is over labels.
  expect_skipped(MakeStep(LossConfig::CTC, 1, LossConfig::MEAN_LABEL).get(), RandomBatch({2, 1}, kInput, {{}, {}}, 1));
}

}  // namespace
}  // namespace earshot
