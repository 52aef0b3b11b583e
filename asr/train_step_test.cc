#include "asr/train_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "asr/testing/batches.h"
#include "asr/testing/snapshot.h"
#include "lstm/rows_here.h"

namespace earshot {
namespace {

using ::testing::HasSubstr;

constexpr int kInput = 6, kClasses = 5;

TrainConfig MakeConfig(LossConfig::Kind kind, const std::string& implementation = "simd") {
  TrainConfig config;
  LstmConfig* lstm = config.mutable_model()->mutable_lstm();
  lstm->set_num_levels(2);
  lstm->set_hidden_size(9);
  lstm->set_bidirectional(true);
  lstm->set_dropout(0.25f);
  lstm->set_implementation(implementation);
  config.mutable_loss()->set_kind(kind);
  config.mutable_optimizer()->set_learning_rate(0.01f);
  return config;
}

std::unique_ptr<TrainStep> MakeStep(const TrainConfig& config, ThreadPool* pool) {
  auto step = TrainStep::Create(config, kInput, kClasses, pool);
  EXPECT_TRUE(step.ok()) << step.status();
  (*step)->model().Initialize(3);
  return std::move(*step);
}

Batch CtcBatch(uint64_t position) { return RandomBatch({9, 7, 7, 4}, kInput, {{1, 2, 2}, {3}, {}, {4, 1}}, position); }

StepStats RunOrDie(TrainStep* step, const Batch& batch, uint64_t position = 0, float rate = 0.01f) {
  const absl::StatusOr<StepStats> stats = step->Run(batch, rate, position);
  EXPECT_TRUE(stats.ok()) << stats.status();
  return *stats;
}

TEST(TrainStepTest, AStepChangesParametersAndLearns) {
  ThreadPool pool(2);
  const auto step = MakeStep(MakeConfig(LossConfig::CTC), &pool);
  const Batch batch = CtcBatch(1);
  const double before = RunOrDie(step.get(), batch).loss_sum;
  for (int k = 1; k < 200; ++k) RunOrDie(step.get(), batch, k);
  std::vector<float> losses;
  TensorView<float, 2> logits;
  ASSERT_TRUE(step->Evaluate(batch, &losses, &logits).ok());
  double after = 0;
  for (float loss : losses) after += loss;
  EXPECT_LT(after, 0.05 * before);
}

TEST(TrainStepTest, EvaluationChangesNothing) {
  ThreadPool pool(2);
  const auto step = MakeStep(MakeConfig(LossConfig::CTC), &pool);
  RunOrDie(step.get(), CtcBatch(1));
  const Snapshot before(step.get());
  std::vector<float> first, second;
  TensorView<float, 2> logits;
  ASSERT_TRUE(step->Evaluate(CtcBatch(2), &first, &logits).ok());
  ASSERT_TRUE(step->Evaluate(CtcBatch(2), &second, &logits).ok());
  EXPECT_TRUE(SameBits(first, second));
  EXPECT_TRUE(SameBits(Snapshot(step.get()), before));
}

// What is reported, and the gradient, are one sum over the batch divided by one count, in every reduction.
TEST(TrainStepTest, ReductionsDivideSumAndGradientByTheSameCount) {
  struct Case {
    LossConfig::Kind kind;
    LossConfig::Reduction reduction;
    double count;
  };
  const std::vector<Case> cases = {
      {LossConfig::CTC, LossConfig::SUM, 1},
      {LossConfig::CTC, LossConfig::MEAN_UTTERANCE, 4},
      {LossConfig::CTC, LossConfig::MEAN_LABEL, 6},
      {LossConfig::CTC, LossConfig::MEAN_FRAME, 27},
      {LossConfig::CROSS_ENTROPY_LAST_FRAME, LossConfig::SUM, 1},
      {LossConfig::CROSS_ENTROPY_LAST_FRAME, LossConfig::MEAN_UTTERANCE, 4},
      {LossConfig::CROSS_ENTROPY_FRAME, LossConfig::SUM, 1},
      {LossConfig::CROSS_ENTROPY_FRAME, LossConfig::MEAN_UTTERANCE, 4},
      {LossConfig::CROSS_ENTROPY_FRAME, LossConfig::MEAN_FRAME, 26},  // one frame is ignored
  };
  ThreadPool pool(2);
  for (const Case& c : cases) {
    TrainConfig config = MakeConfig(c.kind);
    config.mutable_model()->mutable_lstm()->set_dropout(0);
    config.mutable_optimizer()->set_max_grad_norm(0);
    std::vector<std::vector<int32_t>> labels = {{1, 2, 2}, {3}, {}, {4, 1}};
    if (c.kind == LossConfig::CROSS_ENTROPY_LAST_FRAME) labels = {{1}, {2}, {0}, {4}};
    if (c.kind == LossConfig::CROSS_ENTROPY_FRAME) {
      labels = {std::vector<int32_t>(9, 2), std::vector<int32_t>(7, 1), std::vector<int32_t>(7, 0), {3, 3, -1, 4}};
    }
    const Batch batch = RandomBatch({9, 7, 7, 4}, kInput, labels, 1);
    config.mutable_loss()->set_reduction(LossConfig::SUM);
    const auto sum = MakeStep(config, &pool);
    const StepStats of_sum = RunOrDie(sum.get(), batch);
    config.mutable_loss()->set_reduction(c.reduction);
    const auto step = MakeStep(config, &pool);
    std::vector<float> losses;
    TensorView<float, 2> logits;
    ASSERT_TRUE(step->Evaluate(batch, &losses, &logits).ok());
    double expected = 0;
    for (float loss : losses) expected += loss;
    const StepStats stats = RunOrDie(step.get(), batch);
    EXPECT_NEAR(stats.loss_sum, expected, 1e-5 * expected);
    EXPECT_EQ(stats.count, c.count);
    EXPECT_EQ(stats.utterances, 4);
    EXPECT_EQ(stats.frames, 27);
    EXPECT_NEAR(stats.grad_norm * c.count, of_sum.grad_norm, 1e-5 * of_sum.grad_norm);
    std::vector<double> scaled;
    for (float g : sum->model().grads()) scaled.push_back(g / c.count);
    EXPECT_TRUE(AllNear(step->model().grads(), scaled, 100)) << c.kind << " " << c.reduction;
  }
}

// The sum of the batch is the sum of its parts, however they are cut: no mean of means.
TEST(TrainStepTest, ABatchIsTheSumOfItsUtterances) {
  ThreadPool pool(1);
  TrainConfig config = MakeConfig(LossConfig::CTC);
  config.mutable_model()->mutable_lstm()->set_dropout(0);
  config.mutable_optimizer()->set_max_grad_norm(0);
  config.mutable_loss()->set_reduction(LossConfig::MEAN_FRAME);
  const Batch all = CtcBatch(1);
  const auto together = MakeStep(config, &pool);
  const StepStats stats = RunOrDie(together.get(), all);
  double loss_sum = 0, count = 0;
  std::vector<double> gradient(together->model().params().size());
  for (int b = 0; b < 4; ++b) {
    const int32_t frames = all.packing.lengths()[b];
    Batch own;
    own.packing = Packing::CreateOrDie({frames});
    own.features.Resize({frames, kInput});
    for (int t = 0; t < frames; ++t) {
      std::copy_n(all.features.view().row(all.packing.row(t, b)).data(), kInput, own.features.view().row(t).data());
    }
    own.labels.AddRow(all.labels.row(b));
    own.ids = {all.ids[b]};
    const auto alone = MakeStep(config, &pool);
    const StepStats part = RunOrDie(alone.get(), own);
    loss_sum += part.loss_sum;
    count += part.count;
    for (size_t i = 0; i < gradient.size(); ++i) gradient[i] += alone->model().grads()[i] * part.count;
  }
  for (double& g : gradient) g /= count;
  EXPECT_EQ(stats.count, count);
  EXPECT_NEAR(stats.loss_sum, loss_sum, 1e-5 * loss_sum);
  EXPECT_TRUE(AllNear(together->model().grads(), gradient, 100));
}

TEST(TrainStepTest, ClippingShortensTheGradientOnly) {
  ThreadPool pool(1);
  TrainConfig config = MakeConfig(LossConfig::CTC);
  config.mutable_optimizer()->set_kind(OptimizerConfig::SGD);
  config.mutable_optimizer()->set_momentum(0);
  config.mutable_optimizer()->set_max_grad_norm(0);
  const Batch batch = CtcBatch(1);
  const auto free = MakeStep(config, &pool);
  const Snapshot start(free.get());
  const StepStats stats = RunOrDie(free.get(), batch);
  const double limit = stats.grad_norm / 4;
  config.mutable_optimizer()->set_max_grad_norm(static_cast<float>(limit));
  const auto clipped = MakeStep(config, &pool);
  EXPECT_EQ(RunOrDie(clipped.get(), batch).grad_norm, stats.grad_norm);  // as it was before clipping
  std::vector<double> expected;
  for (size_t i = 0; i < start.params.size(); ++i) {
    expected.push_back(start.params[i] + 0.25 * (free->model().params()[i] - start.params[i]));
  }
  EXPECT_TRUE(AllNear(clipped->model().params(), expected, 4));
}

TEST(TrainStepTest, RerunsHaveTheSameBits) {
  for (const LstmImplementation& implementation : RowsHere()) {
    const std::string name(implementation.name);
    ThreadPool pool(2);
    const auto run = [&] {
      const auto step = MakeStep(MakeConfig(LossConfig::CTC, name), &pool);
      for (int k = 0; k < 5; ++k) RunOrDie(step.get(), CtcBatch(k), k);
      return Snapshot(step.get());
    };
    EXPECT_TRUE(SameBits(run(), run())) << name;
  }
}

TEST(TrainStepTest, DropoutIsDrawnAnewForEveryStepAndSeed) {
  ThreadPool pool(1);
  TrainConfig config = MakeConfig(LossConfig::CTC);
  const auto loss = [&](uint64_t seed, uint64_t position) {
    config.set_seed(seed);
    return RunOrDie(MakeStep(config, &pool).get(), CtcBatch(1), position).loss_sum;
  };
  EXPECT_EQ(loss(1, 7), loss(1, 7));
  EXPECT_NE(loss(1, 7), loss(1, 8));
  EXPECT_NE(loss(1, 7), loss(2, 7));
}

TEST(TrainStepTest, PhasesFillTheStep) {
  ThreadPool pool(1);
  const auto step = MakeStep(MakeConfig(LossConfig::CTC), &pool);
  RunOrDie(step.get(), CtcBatch(1));
  step->phases().Clear();
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < 20; ++k) RunOrDie(step.get(), CtcBatch(1), k);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (Phase phase : {Phase::kCopy, Phase::kInputGemm, Phase::kRecurrence, Phase::kOutputLayer, Phase::kLoss,
                      Phase::kRecurrentBackward, Phase::kWeightGradients, Phase::kClip, Phase::kOptimizer}) {
    EXPECT_GT(step->phases().seconds(phase), 0) << PhaseName(phase);
  }
  EXPECT_LE(step->phases().total(), seconds * 1.001);
}

TEST(TrainStepTest, LabelsWithoutMeaningNameTheUtterance) {
  ThreadPool pool(1);
  const auto step = MakeStep(MakeConfig(LossConfig::CTC), &pool);
  const Snapshot before(step.get());
  for (int32_t label : {-1, 0, kClasses}) {
    const Batch batch = RandomBatch({9, 7}, kInput, {{1}, {2, label}}, 1);
    const absl::Status status = step->Run(batch, 0.01f, 0).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("utterance utt-1: label 1 is " + std::to_string(label)));
    EXPECT_THAT(std::string(status.message()), HasSubstr("expected 1 to 4"));
    std::vector<float> losses;
    TensorView<float, 2> logits;
    EXPECT_THAT(std::string(step->Evaluate(batch, &losses, &logits).message()), HasSubstr("utterance utt-1"));
  }
  EXPECT_TRUE(SameBits(Snapshot(step.get()), before));
  const auto last = MakeStep(MakeConfig(LossConfig::CROSS_ENTROPY_LAST_FRAME), &pool);
  const Batch batch = RandomBatch({9, 7}, kInput, {{1}, {2, 3}}, 1);
  EXPECT_THAT(std::string(last->Run(batch, 0.01f, 0).status().message()), HasSubstr("utterance utt-1: 2 labels"));
}

}  // namespace
}  // namespace earshot
