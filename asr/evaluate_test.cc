#include "asr/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "asr/testing/toy_task.h"

namespace earshot {
namespace {

class EvaluateTest : public testing::Test {
 protected:
  absl::StatusOr<Evaluation> Run(const TrainConfig& config, const LoadedExamples& part) {
    const auto batcher = data_->EvaluationBatcher(config, part);
    EXPECT_TRUE(batcher.ok()) << batcher.status();
    step_ = *TrainStep::Create(config, kToyDimensions, data_->tokens->num_classes(), &pool_);
    step_->model().Initialize(1);
    return Evaluate(config.loss(), **batcher, *data_->tokens, part, step_.get());
  }
  ThreadPool pool_{1};
  std::unique_ptr<TrainingData> data_ = MakeToyData(LossConfig::CTC, 1);
  std::unique_ptr<TrainStep> step_;
};

// The loss is one sum over one count of the whole set in every reduction: not the last batch's, not a mean of means.
TEST_F(EvaluateTest, LossIsThatOfTheWholeSet) {
  TrainConfig config = MakeToyConfig(LossConfig::CTC, "simd");
  double frames = 0, labels = 0;
  const ExampleStore& store = data_->test.store;
  for (int64_t i = 0; i < store.size(); ++i) {
    frames += store.frames(i);
    labels += store.labels(i).size();
  }
  config.mutable_loss()->set_reduction(LossConfig::SUM);
  config.mutable_batch()->set_max_utterances(1000);
  const double sum = Run(config, data_->test)->loss;  // of a single batch
  EXPECT_GT(sum, 0);
  const std::vector<std::pair<LossConfig::Reduction, double>> counts = {{LossConfig::SUM, 1},
                                                                        {LossConfig::MEAN_UTTERANCE, 30},
                                                                        {LossConfig::MEAN_LABEL, labels},
                                                                        {LossConfig::MEAN_FRAME, frames}};
  for (const auto& reduction : counts) {
    config.mutable_loss()->set_reduction(reduction.first);
    for (int max_utterances : {1, 7, 29}) {  // the last batch has only 2 or 1
      config.mutable_batch()->set_max_utterances(max_utterances);
      const auto evaluation = Run(config, data_->test);
      ASSERT_TRUE(evaluation.ok()) << evaluation.status();
      EXPECT_NEAR(evaluation->loss, sum / reduction.second, 1e-5 * sum / reduction.second) << max_utterances;
      EXPECT_EQ(evaluation->errors.sentences(), 30);
      EXPECT_EQ(evaluation->errors.words().reference, labels);
      EXPECT_EQ(evaluation->impossible, 0);
    }
  }
}

// Too few frames for its labels: no loss, but it was not recognised either.
TEST_F(EvaluateTest, ImpossibleUtterancesAreScoredWithoutALoss) {
  const TrainConfig config = MakeToyConfig(LossConfig::CTC, "simd");
  const auto before = Run(config, data_->dev);
  const auto add_short = [](LoadedExamples* part) {
    std::vector<Tensor<float, 2>> versions;
    versions.emplace_back(Tensor<float, 2>::Shape{2, kToyDimensions});
    part->store.Add("short", {1, 1, 2}, std::move(versions));
    part->texts.push_back("ay ay bee");
  };
  add_short(&data_->dev);
  const auto after = Run(config, data_->dev);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(after->impossible, 1);
  EXPECT_NEAR(after->loss, before->loss, 1e-6 * before->loss);
  EXPECT_EQ(after->errors.sentences(), before->errors.sentences() + 1);
  EXPECT_EQ(after->errors.words().reference, before->errors.words().reference + 3);
  EXPECT_GT(after->errors.wrong_sentences(), 0);

  LoadedExamples only;
  only.store = ExampleStore(kToyDimensions);
  add_short(&only);
  const auto nothing = Run(config, only);
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_TRUE(std::isnan(nothing->loss));  // nothing was judged
  EXPECT_EQ(nothing->impossible, 1);
}

// What could not be read was not recognised: a damaged file must not make a test set easier.
TEST_F(EvaluateTest, SkippedUtterancesAreDeletions) {
  const TrainConfig config = MakeToyConfig(LossConfig::CTC, "simd");
  const auto before = Run(config, data_->test);
  data_->test.skipped = {{"gone", "ay bee sea", "gone.wav: cut short"}, {"silence", "", "silence.wav: cut short"}};
  const auto after = Run(config, data_->test);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(after->errors.sentences(), 32);
  EXPECT_EQ(after->errors.missing(), 2);
  EXPECT_EQ(after->errors.words().reference, before->errors.words().reference + 3);
  EXPECT_EQ(after->errors.words().deletions, before->errors.words().deletions + 3);
  EXPECT_EQ(after->loss, before->loss);
}

}  // namespace
}  // namespace earshot
