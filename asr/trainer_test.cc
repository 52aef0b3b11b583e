#include "asr/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "asr/testing/toy_task.h"
#include "asr/train_checkpoint.h"
#include "base/file.h"
#include "lstm/rows_here.h"

namespace earshot {
namespace {

using ::testing::HasSubstr;

constexpr auto kNever = [] { return false; };
constexpr auto kNothing = [](Trainer*) {};

std::string Directory(const std::string& name) { return absl::StrCat(testing::TempDir(), "/", name); }

std::string Content(FILE* file) {
  std::rewind(file);
  std::string text(1 << 16, 0);
  text.resize(std::fread(&text[0], 1, text.size(), file));
  return text;
}

// The numbers behind "key": in the lines of a run's metrics.jsonl that have it.
std::vector<double> Metrics(const std::string& directory, const std::string& key) {
  std::vector<double> values;
  const std::string text = *ReadFile(directory + "/metrics.jsonl", 1 << 20);
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const size_t at = line.find(absl::StrCat("\"", key, "\":"));
    if (at == absl::string_view::npos) continue;
    line.remove_prefix(at + key.size() + 3);
    double value = std::nan("");
    EXPECT_TRUE(absl::SimpleAtod(line.substr(0, line.find_first_of(",}")), &value)) << line;
    values.push_back(value);
  }
  return values;
}

class LearningTest : public testing::TestWithParam<LstmImplementation> {};

TEST_P(LearningTest, ReachesZeroErrors) {
  const LstmImplementation& implementation = GetParam();
  const std::string name(implementation.name);
  for (LossConfig::Kind kind : {LossConfig::CTC, LossConfig::CROSS_ENTROPY_LAST_FRAME}) {
    const auto data = MakeToyData(kind, 60);
    TrainConfig config = MakeToyConfig(kind, name);
    config.set_epochs(16);
    const auto finished =
        TrainToy(config, *data, Directory(absl::StrCat("learn_", name, kind)), false, 1, kNever, [&](Trainer* trainer) {
          const auto test = trainer->EvaluateBest();
          ASSERT_TRUE(test.ok()) << test.status();
          EXPECT_EQ(test->errors.words().percent(), 0) << name << " " << kind;
          EXPECT_EQ(test->errors.sentences(), 30);
          EXPECT_EQ(trainer->state().epoch(), 16);
          EXPECT_GT(trainer->train_seconds(), 0);
        });
    ASSERT_TRUE(finished.ok()) << finished.status();
    EXPECT_TRUE(*finished);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, LearningTest, testing::ValuesIn(RowsHere()), RowName());

// The epoch's loss is one sum over one count, not a mean of the steps' means: the last, small batch would weigh too
// much.
TEST(TrainerTest, EpochLossIsTheWeightedMeanOfItsSteps) {
  const auto data = MakeToyData(LossConfig::CTC, 26);  // the last batches are small
  TrainConfig config = MakeToyConfig(LossConfig::CTC, "simd");
  config.mutable_loss()->set_reduction(LossConfig::MEAN_FRAME);
  config.set_epochs(1);
  const std::string directory = Directory("weighted");
  ASSERT_TRUE(TrainToy(config, *data, directory, false, 1, kNever, kNothing).ok());
  const std::vector<double> losses = Metrics(directory, "loss"), frames = Metrics(directory, "frames");
  ASSERT_GE(losses.size(), 7u);
  double sum = 0, count = 0, mean_of_means = 0;
  for (size_t i = 0; i < losses.size(); ++i) {
    sum += losses[i] * frames[i];
    count += frames[i];
    mean_of_means += losses[i] / losses.size();
  }
  const std::vector<double> train_loss = Metrics(directory, "train_loss");
  ASSERT_EQ(train_loss.size(), 1u);
  EXPECT_NEAR(train_loss[0], sum / count, 1e-6);
  EXPECT_GT(std::abs(train_loss[0] - mean_of_means), 1e-4);
}

// The dev loss is that of all utterances, whatever batches they come in.
TEST(TrainerTest, DevLossDoesNotDependOnTheBatches) {
  const auto data = MakeToyData(LossConfig::CTC, 24);
  std::vector<double> losses;
  for (int max_utterances : {1, 5, 12}) {
    TrainConfig config = MakeToyConfig(LossConfig::CTC, "simd");
    config.set_epochs(1);
    config.mutable_optimizer()->set_learning_rate(1e-20f);  // the network of the first moment
    config.mutable_batch()->set_max_utterances(max_utterances);
    const std::string directory = Directory(absl::StrCat("dev", max_utterances));
    ASSERT_TRUE(TrainToy(config, *data, directory, false, 1, kNever, kNothing).ok());
    losses.push_back(Metrics(directory, "dev_loss").at(0));
  }
  EXPECT_NEAR(losses[1], losses[0], 1e-5 * losses[0]);
  EXPECT_NEAR(losses[2], losses[0], 1e-5 * losses[0]);
}

TEST(TrainerTest, PatienceStopsAndPlateausLowerTheRate) {
  const auto data = MakeToyData(LossConfig::CTC, 24);
  TrainConfig config = MakeToyConfig(LossConfig::CTC, "simd");
  config.set_epochs(20);
  config.set_patience(3);
  config.mutable_optimizer()->set_learning_rate(1e-20f);  // nothing ever gets better
  config.mutable_schedule()->set_kind(ScheduleConfig::HALVE_ON_PLATEAU);
  const std::string directory = Directory("patience");
  ASSERT_TRUE(TrainToy(config, *data, directory, false, 1, kNever, [&](Trainer* trainer) {
                EXPECT_EQ(trainer->state().epoch(), 4);  // the first is the best, then three in vain
                EXPECT_EQ(trainer->state().best_epoch(), 0);
                EXPECT_EQ(trainer->state().halvings(), 3);
              }).ok());
  EXPECT_EQ(Metrics(directory, "dev_loss").size(), 4u);
  const auto epoch_of = [&](const char* file) {
    return CheckpointState(*LoadCheckpoint(absl::StrCat(directory, "/", file)))->epoch();
  };
  EXPECT_EQ(epoch_of("best.safetensors"), 1);
  EXPECT_EQ(epoch_of("previous.safetensors"), 3);
  EXPECT_EQ(epoch_of("last.safetensors"), 4);
  const std::vector<double> epochs = Metrics(directory, "epoch"), rates = Metrics(directory, "learning_rate");
  EXPECT_NEAR(rates.front(), 1e-20, 1e-26);
  EXPECT_NEAR(rates.back(), 1e-20 / 4, 1e-26);
  // A finished run that is resumed has nothing to do.
  int asked = 0;
  const auto again = TrainToy(
      config, *data, directory, true, 1, [&] { return ++asked > 0; }, kNothing);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(*again);
  EXPECT_EQ(asked, 0);
}

void Spoil(TrainingData* data, int first, int count) {
  for (int i = first; i < first + count; ++i) {
    data->train.store.mutable_features(i, 0)(0, 2) = std::numeric_limits<float>::quiet_NaN();
  }
}

TEST(TrainerTest, ThreeBadStepsInARowStopTheRunWithTheLastGoodParameters) {
  auto data = MakeToyData(LossConfig::CTC, 24);
  TrainConfig config = MakeToyConfig(LossConfig::CTC, "simd");
  const std::string directory = Directory("bad");
  int steps = 0;
  ASSERT_TRUE(TrainToy(
                  config, *data, directory, false, 1, [&] { return steps++ == 4; }, kNothing)
                  .ok());
  const auto good = LoadCheckpoint(directory + "/last.safetensors");
  ASSERT_TRUE(good.ok());
  Spoil(data.get(), 0, 24);
  const absl::Status status = TrainToy(config, *data, directory, true, 1, kNever, kNothing).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("3 steps in a row could not be taken"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("utterance train-"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("feature 2 of frame 0 is nan"));
  const auto left = LoadCheckpoint(directory + "/last.safetensors");
  ASSERT_TRUE(left.ok());
  for (const auto& tensor : good->tensors) {
    EXPECT_EQ(left->tensors.at(tensor.first).values, tensor.second.values) << tensor.first;
  }
  EXPECT_EQ(Metrics(directory, "step").size(), 7u);
}

TEST(TrainerTest, TwoBadStepsAreCountedAndNamed) {
  auto data = MakeToyData(LossConfig::CTC, 24);
  Spoil(data.get(), 5, 2);
  TrainConfig config = MakeToyConfig(LossConfig::CTC, "simd");
  config.mutable_batch()->set_max_utterances(1);
  config.set_epochs(2);
  FILE* log = std::tmpfile();
  const auto finished = TrainToy(
      config, *data, Directory("two_bad"), false, 1, kNever,
      [&](Trainer* trainer) {
        EXPECT_EQ(trainer->state().skipped_steps(), 4);
        EXPECT_EQ(trainer->state().updates(), 44);
        EXPECT_EQ(trainer->state().step(), 48);
      },
      log);
  ASSERT_TRUE(finished.ok()) << finished.status();
  const std::string text = Content(log);
  EXPECT_THAT(text, HasSubstr("not taken: utterance train-5: feature 2 of frame 0 is nan"));
  EXPECT_THAT(text, HasSubstr("not taken: utterance train-6: feature 2 of frame 0 is nan"));
  std::fclose(log);
}

// Batches with nothing to learn from are no sign of trouble: any number of them may follow each other.
TEST(TrainerTest, ImpossibleUtterancesAreNamedAndDoNotStopTheRun) {
  auto data = MakeToyData(LossConfig::CTC, 4);
  for (int i = 0; i < 20; ++i) {
    std::vector<Tensor<float, 2>> versions;
    versions.emplace_back(Tensor<float, 2>::Shape{2, kToyDimensions});
    data->train.store.Add(absl::StrCat("short-", i), {1, 2, 3}, std::move(versions));
    data->train.texts.push_back("ay bee sea");
  }
  TrainConfig config = MakeToyConfig(LossConfig::CTC, "simd");
  config.mutable_batch()->set_max_utterances(1);
  config.set_epochs(1);
  FILE* log = std::tmpfile();
  const auto finished = TrainToy(
      config, *data, Directory("impossible"), false, 1, kNever,
      [&](Trainer* trainer) {
        EXPECT_EQ(trainer->state().updates(), 4);
        EXPECT_EQ(trainer->state().skipped_steps(), 20);
      },
      log);
  ASSERT_TRUE(finished.ok()) << finished.status();
  const std::string text = Content(log);
  for (int i = 0; i < 20; ++i) EXPECT_THAT(text, HasSubstr(absl::StrCat("left out: short-", i, "\n")));
  std::fclose(log);
}

}  // namespace
}  // namespace earshot
