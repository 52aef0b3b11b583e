#include "asr/recogniser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "asr/decode/greedy.h"
#include "asr/testing/tones.h"
#include "asr/train_checkpoint.h"
#include "asr/training_data.h"
#include "base/testing/allocations.h"
#include "base/textproto.h"
#include "data/resample.h"
#include "lstm/rows_here.h"

namespace earshot {
namespace {

using ::testing::HasSubstr;

constexpr int kDimensions = 11;

TrainConfig MakeConfig(FeatureConfig::Normalization normalization) {
  TrainConfig config;
  config.mutable_features()->set_sample_rate(8000);
  config.mutable_features()->set_num_mel_bins(kDimensions - 1);
  config.mutable_features()->set_delta_order(0);
  config.mutable_features()->set_normalization(normalization);
  for (const char* token : {"a", "bb", "ccc"}) config.mutable_tokens()->add_token(token);
  config.mutable_model()->mutable_lstm()->set_hidden_size(7);
  config.mutable_model()->mutable_lstm()->set_bidirectional(true);
  config.mutable_model()->mutable_lstm()->set_dropout(0.5f);
  return config;
}

class RecogniserTest : public testing::Test {
 protected:
  // An untrained network with large weights, so that it says something, in a file.
  std::string SaveModel(const std::string& name, const TrainConfig& config) {
    step_ = *TrainStep::Create(config, kDimensions, 4, &pool_);
    step_->model().Initialize(4);
    for (float& p : step_->model().params()) p *= 5;
    stats_ = {std::vector<float>(kDimensions, 10.0f), std::vector<float>(kDimensions, 0.25f)};
    checkpoint_ = MakeCheckpoint(config, &stats_, step_.get(), TrainState());
    return Save(name);
  }
  std::string Save(const std::string& name) {
    const std::string path = absl::StrCat(testing::TempDir(), "/", name);
    EXPECT_TRUE(SaveCheckpoint(path, checkpoint_).ok());
    return path;
  }
  std::string LoadError(const std::string& name) {
    const std::string path = Save(name);
    const absl::Status status = Recogniser::Load(path, "", &pool_).status();
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(std::string(status.message()), HasSubstr(path));
    return std::string(status.message());
  }
  ThreadPool pool_{1};
  std::unique_ptr<TrainStep> step_;
  NormalizationStats stats_;
  Checkpoint checkpoint_;
};

// Step by step what the recogniser does at once, for every implementation.
TEST_F(RecogniserTest, FeaturesNetworkAndDecodingInOne) {
  const TrainConfig config = MakeConfig(FeatureConfig::GLOBAL);
  const std::string path = SaveModel("global", config);
  const FeatureExtractor extractor = *FeatureExtractor::Create(config.features());
  const TokenTable tokens = *CreateTokens(config);
  int words = 0;
  for (const char* text : {"a", "bb a", "ccc bb a ccc"}) {
    const Utterance utterance = MakeTones("u", text);
    Tensor<float, 2> features;
    ASSERT_TRUE(extractor.Compute(utterance, &features).ok());
    Normalize(stats_, features.view());
    const Packing packing = Packing::CreateOrDie({static_cast<int32_t>(features.dim(0))});
    const BestPath best =
        DecodeBestPath(LossConfig::CTC, step_->model().Forward(features.view(), packing, nullptr), packing, 0);
    words += static_cast<int>(best.tokens.size());
    for (const LstmImplementation& implementation : RowsHere()) {
      const auto recogniser = Recogniser::Load(path, std::string(implementation.name), &pool_);
      ASSERT_TRUE(recogniser.ok()) << recogniser.status();
      for (int again = 0; again < 2; ++again) {
        const auto result = (*recogniser)->Recognise(utterance);
        ASSERT_TRUE(result.ok()) << result.status();
        EXPECT_EQ(result->text, tokens.Decode(best.tokens)) << implementation.name;
        EXPECT_EQ(result->frames, features.dim(0));
        EXPECT_NEAR(result->confidence, best.confidence, 1e-3);
      }
    }
  }
  EXPECT_GT(words, 0);
}

TEST_F(RecogniserTest, ResamplesAudioOfAnotherRate) {
  const auto recogniser = Recogniser::Load(SaveModel("resample", MakeConfig(FeatureConfig::UTTERANCE)), "", &pool_);
  ASSERT_TRUE(recogniser.ok()) << recogniser.status();
  const Utterance utterance = MakeTones("u", "bb a ccc");
  Utterance fast = utterance;
  fast.sample_rate = 16000;
  fast.waveform = *Resample(utterance.waveform, 8000, 16000);
  const auto expected = (*recogniser)->Recognise(utterance), result = (*recogniser)->Recognise(fast);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->frames, expected->frames);
}

// A small file that describes a network of 30 GB is refused before any of it is taken.
TEST_F(RecogniserTest, ANetworkThatTheFileDoesNotHoldTakesNoMemory) {
  TrainConfig config = MakeConfig(FeatureConfig::GLOBAL);
  SaveModel("huge", config);
  config.mutable_model()->mutable_lstm()->set_hidden_size(18000);
  checkpoint_.metadata["config"] = PrintTextproto(config);
  const int64_t before = AllocatedBytes();
  ResetPeakAllocatedBytes();
  EXPECT_THAT(LoadError("huge"), HasSubstr("tensor \"lstm.weight_ih_l0\": expected shape [72000,11], found [28,11]"));
  EXPECT_LT(PeakAllocatedBytes() - before, 1 << 20);
}

TEST_F(RecogniserTest, EveryNormalizationWorksOnOneUtterance) {
  for (FeatureConfig::Normalization kind :
       {FeatureConfig::NONE, FeatureConfig::UTTERANCE, FeatureConfig::SPEAKER, FeatureConfig::GLOBAL}) {
    const auto recogniser = Recogniser::Load(SaveModel(absl::StrCat("kind", kind), MakeConfig(kind)), "", &pool_);
    ASSERT_TRUE(recogniser.ok()) << recogniser.status();
    const auto result = (*recogniser)->Recognise(MakeTones("u", "a bb"));
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_GT(result->confidence, 0);
    EXPECT_LE(result->confidence, 1);
  }
}

TEST_F(RecogniserTest, LessThanAWindowIsAnEmptyText) {
  const auto recogniser = Recogniser::Load(SaveModel("short", MakeConfig(FeatureConfig::GLOBAL)), "", &pool_);
  ASSERT_TRUE(recogniser.ok()) << recogniser.status();
  for (size_t samples : {0, 1, 199}) {
    Utterance utterance = MakeTones("u", "a");
    utterance.waveform.resize(samples);
    const auto result = (*recogniser)->Recognise(utterance);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->text, "");
    EXPECT_EQ(result->frames, 0);
  }
}

TEST_F(RecogniserTest, ErrorsNameTheFileAndWhatIsWrong) {
  const std::string path = SaveModel("errors", MakeConfig(FeatureConfig::GLOBAL));
  const Checkpoint good = checkpoint_;
  EXPECT_THAT(std::string(Recogniser::Load(path, "blass", &pool_).status().message()), HasSubstr("blass"));
  checkpoint_.metadata.erase("config");
  EXPECT_THAT(LoadError("no_config"), HasSubstr("config"));
  checkpoint_ = good;
  checkpoint_.metadata["config"] = "epochs: 3 epocs: 3";
  EXPECT_THAT(LoadError("bad_config"), HasSubstr("epocs"));
  checkpoint_.metadata["config"] = "model { lstm { hidden_size: -3 } }";
  EXPECT_THAT(LoadError("bad_value"), HasSubstr("hidden_size: -3"));
  checkpoint_.metadata["config"] = absl::StrCat(good.metadata.at("config"), "tokens { token: 'a' }");
  EXPECT_NE(LoadError("double_token"), "");
  checkpoint_ = good;
  checkpoint_.tensors.erase("features.mean");
  EXPECT_THAT(LoadError("no_stats"), HasSubstr("features.mean"));
  for (const char* name : {"features.mean", "features.inverse_deviation"}) {
    checkpoint_ = good;
    checkpoint_.tensors[name] = {{3}, {1, 2, 3}};
    EXPECT_THAT(LoadError("uneven_stats"), HasSubstr("features."));
  }
  checkpoint_ = good;
  for (const char* name : {"features.mean", "features.inverse_deviation"}) checkpoint_.tensors[name] = {{3}, {1, 2, 3}};
  EXPECT_THAT(LoadError("short_stats"), HasSubstr("features.mean"));
  checkpoint_ = good;
  checkpoint_.tensors.erase("output.weight");
  EXPECT_THAT(LoadError("no_weight"), HasSubstr("output.weight"));
}

}  // namespace
}  // namespace earshot
