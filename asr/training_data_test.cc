#include "asr/training_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "asr/testing/tones.h"
#include "base/testing/near.h"
#include "data/testing/memory_dataset.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Utterance TooShort(const std::string& id) {
  Utterance utterance = MakeTones(id, "a");
  utterance.waveform.resize(100);
  return utterance;
}

Utterance Unreadable(const std::string& id, const std::string& text) {
  Utterance utterance = MakeTones(id, text);
  utterance.waveform.clear();
  return utterance;
}

Corpus MakeCorpus() {
  Corpus corpus;
  corpus.train = std::make_unique<MemoryDataset>(std::vector<Utterance>{
      MakeTones("t1", "bb a"), MakeTones("t2", "dddd"), TooShort("t3"), MakeTones("t4", ""), MakeTones("t5", "a a")});
  corpus.dev = std::make_unique<MemoryDataset>(std::vector<Utterance>{MakeTones("d1", "a"), MakeTones("d2", "bb ccc")});
  corpus.test =
      std::make_unique<MemoryDataset>(std::vector<Utterance>{MakeTones("e1", "ccc a ccc"), Unreadable("e2", "bb a")});
  return corpus;
}

// As a corpus with feats.scp gives it: `frames` frames of two columns.
Utterance Precomputed(const std::string& id, const std::string& text, int frames) {
  Utterance utterance;
  utterance.id = id;
  utterance.text = text;
  utterance.feature_dims = 2;
  for (int i = 0; i < 2 * frames; ++i) utterance.features.push_back(i % 7);
  return utterance;
}

TrainConfig MakeConfig() {
  TrainConfig config;
  config.mutable_features()->set_sample_rate(8000);
  config.mutable_features()->set_num_mel_bins(10);
  config.mutable_augment()->add_speed(0.9f);
  config.mutable_augment()->add_speed(1);
  return config;
}

class TrainingDataTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<TrainingData>> Prepare(const Corpus& corpus,
                                                        const NormalizationStats* stats = nullptr) {
    return PrepareTrainingData(corpus, stats, 2, &config_, [&](const std::string& line) { report_ += line + "\n"; });
  }
  TrainConfig config_ = MakeConfig();
  std::string report_;
};

TEST_F(TrainingDataTest, TokensComeFromTheTrainingTextSorted) {
  const auto data = Prepare(MakeCorpus());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT((*data)->tokens->tokens(), ElementsAre("a", "bb", "dddd"));
  EXPECT_THAT(config_.tokens().token(), ElementsAre("a", "bb", "dddd"));  // named from now on: in every checkpoint
  EXPECT_EQ((*data)->tokens->num_classes(), 4);
  EXPECT_THAT((*data)->train.store.labels(0), ElementsAre(2, 1));
}

// Words that training never saw cannot be recognised, but must count when the dev and test sets are scored.
TEST_F(TrainingDataTest, UnknownWordsStayInDevAndTest) {
  const auto data = Prepare(MakeCorpus());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT((*data)->dev.texts, ElementsAre("a", "bb ccc"));
  EXPECT_THAT((*data)->dev.store.labels(1), ElementsAre(2));
  EXPECT_THAT((*data)->test.texts, ElementsAre("ccc a ccc"));
  EXPECT_THAT((*data)->test.store.labels(0), ElementsAre(1));
}

TEST_F(TrainingDataTest, UnusableUtterancesAreNamed) {
  const auto data = Prepare(MakeCorpus());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ((*data)->train.store.size(), 4);
  EXPECT_THAT(report_, HasSubstr("train set: 1 utterance skipped: t3 ("));
  EXPECT_THAT(report_, HasSubstr("100 samples are less than one window"));
  ASSERT_EQ((*data)->test.skipped.size(), 1u);
  EXPECT_EQ((*data)->test.skipped[0].id, "e2");
  EXPECT_EQ((*data)->test.skipped[0].text, "bb a");  // to be counted as deletions
  Corpus corpus = MakeCorpus();
  corpus.dev = std::make_unique<MemoryDataset>(std::vector<Utterance>{TooShort("d1")});
  EXPECT_THAT(std::string(Prepare(corpus).status().message()), HasSubstr("dev set: no utterance of 1 can be used"));
}

TEST_F(TrainingDataTest, OneVersionOfTheTrainingFeaturesASpeed) {
  const auto data = Prepare(MakeCorpus());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ((*data)->train.store.num_versions(), 2);
  EXPECT_GT((*data)->train.store.frames(0, 0), (*data)->train.store.frames(0, 1));  // 0.9 is slower than 1
  EXPECT_EQ((*data)->dev.store.num_versions(), 1);
  for (const auto* part : {&(*data)->dev, &(*data)->test}) {
    EXPECT_TRUE((*data)->EvaluationBatcher(config_, *part).ok());
  }
  const auto batcher = (*data)->TrainBatcher(config_);
  ASSERT_TRUE(batcher.ok()) << batcher.status();
  Batch batch;
  ASSERT_TRUE((*batcher)->Get(0, 0, &batch).ok());
  EXPECT_EQ(batch.packing.batch(), 4);
}

// A resumed run has the statistics of its checkpoint, and with them the same features.
TEST_F(TrainingDataTest, StatisticsAreThoseOfTheTrainingSetOrTheGivenOnes) {
  const auto data = Prepare(MakeCorpus());
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_TRUE((*data)->stats.has_value());
  const int dimensions = (*data)->train.store.dimensions();
  MomentAccumulator moments;
  for (int64_t i = 0; i < (*data)->train.store.size(); ++i) {
    for (int version : {0, 1}) moments.Add((*data)->train.store.features(i, version));
  }
  for (int d = 0; d < dimensions; ++d) {
    EXPECT_NEAR(moments.mean()[d], 0, 1e-4) << d;
    EXPECT_NEAR(moments.Variance()[d], 1, 1e-3) << d;
  }
  Corpus smaller = MakeCorpus();
  smaller.train = std::make_unique<MemoryDataset>(std::vector<Utterance>{MakeTones("t2", "dddd")});
  const auto resumed = Prepare(smaller, &*(*data)->stats);
  ASSERT_TRUE(resumed.ok()) << resumed.status();
  EXPECT_EQ((*resumed)->stats->mean, (*data)->stats->mean);
  EXPECT_TRUE(SameBits((*resumed)->train.store.features(0, 1).span(), (*data)->train.store.features(1, 1).span()));
  EXPECT_TRUE(SameBits((*resumed)->test.store.features(0).span(), (*data)->test.store.features(0).span()));
}

TEST_F(TrainingDataTest, OneClassAnUtteranceForTheLastFrame) {
  config_.mutable_loss()->set_kind(LossConfig::CROSS_ENTROPY_LAST_FRAME);
  for (const char* token : {"a", "bb"}) config_.mutable_tokens()->add_token(token);
  Corpus corpus;
  corpus.train = std::make_unique<MemoryDataset>(
      std::vector<Utterance>{MakeTones("t1", "bb"), MakeTones("t2", "a bb"), MakeTones("t3", "a")});
  corpus.dev = std::make_unique<MemoryDataset>(std::vector<Utterance>{MakeTones("d1", "a")});
  corpus.test = std::make_unique<MemoryDataset>(std::vector<Utterance>{MakeTones("e1", "bb")});
  const auto data = Prepare(corpus);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ((*data)->tokens->num_classes(), 2);  // no blank
  ASSERT_EQ((*data)->train.store.size(), 2);
  EXPECT_THAT((*data)->train.store.labels(0), ElementsAre(1));
  EXPECT_THAT(report_, HasSubstr("t2 (utterance \"t2\": \"a bb\" has 2 tokens, expected one)"));
}

TEST_F(TrainingDataTest, FeaturesOfTheCorpusAreTakenAsTheyAre) {
  Corpus corpus;
  corpus.train =
      std::make_unique<MemoryDataset>(std::vector<Utterance>{Unreadable("t0", "a"), Precomputed("t1", "a bb", 5)});
  corpus.dev = std::make_unique<MemoryDataset>(std::vector<Utterance>{Precomputed("d1", "a", 3), MakeTones("d2", "a")});
  corpus.test = std::make_unique<MemoryDataset>(std::vector<Utterance>{Precomputed("e1", "bb", 4)});
  config_.mutable_augment()->set_gain_deviation(1);
  config_.mutable_augment()->set_noise_deviation(0.5f);
  config_.mutable_augment()->set_max_band_mask(2);
  config_.mutable_features()->set_normalization(FeatureConfig::NONE);
  const auto data = Prepare(corpus);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT(report_, HasSubstr("features of 2 columns come with the corpus: taken as they are\n"));
  EXPECT_THAT(report_, HasSubstr("precomputed features cannot be augmented by gain_deviation, max_band_mask, speed: "
                                 "left out"));
  EXPECT_EQ(config_.features().precomputed_dims(), 2);
  EXPECT_EQ(config_.features().delta_order(), 0);
  EXPECT_EQ(config_.augment().speed_size(), 0);
  EXPECT_FLOAT_EQ(config_.augment().noise_deviation(), 0.5f);
  EXPECT_EQ((*data)->train.store.dimensions(), 2);
  EXPECT_THAT(std::vector<float>((*data)->train.store.features(0).span().begin(),
                                 (*data)->train.store.features(0).span().end()),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 0, 1, 2));
  EXPECT_THAT(report_, HasSubstr("d2: audio; features of 2 columns expected (features.precomputed_dims is 2)"));
  EXPECT_TRUE((*data)->TrainBatcher(config_).ok());
}

}  // namespace
}  // namespace earshot
