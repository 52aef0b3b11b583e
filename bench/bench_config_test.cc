#include "bench/bench_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/textproto.h"

namespace earshot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

BenchConfig Config(const std::string& text) {
  BenchConfig config;
  const absl::Status status = ParseTextproto(text, "config", &config);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return config;
}

BenchConfig Ctc() {
  return Config(R"(name: "ctc" train { model { lstm { hidden_size: 4 } } loss { kind: CTC } }
                   batch { utterances: 4 min_frames: 500 max_frames: 1000 input_size: 3 classes: 5
                           labels_per_utterance: 100 })");
}

TEST(ValidateBenchConfigTest, AcceptsARunnableOne) {
  const absl::Status status = ValidateBenchConfig(Ctc());
  EXPECT_TRUE(status.ok()) << status.ToString();
}

TEST(ValidateBenchConfigTest, NamesFieldValueAndRange) {
  const struct {
    const char *change, *field, *value;
  } kCases[] = {
      {"name: ''", "name", "empty"},
      {"batch { utterances: 0 }", "batch.utterances", "0"},
      {"batch { max_frames: -3 }", "batch.max_frames", "-3"},
      {"batch { min_frames: 1001 }", "batch.min_frames", "1001"},
      {"batch { input_size: 0 }", "batch.input_size", "0"},
      {"batch { classes: 1 }", "batch.classes", "1"},
      {"batch { labels_per_utterance: 251 }", "batch.labels_per_utterance", "251"},  // 250 equal labels: 499 frames
      {"train { loss { kind: CROSS_ENTROPY_LAST_FRAME } }", "batch.labels_per_utterance", "100"},
      {"train { model { lstm { hidden_size: 0 } } }", "hidden_size", "0"},
      {"train { optimizer { learning_rate: -1 } }", "learning_rate", "-1"},
      {"max_seconds: 0", "max_seconds", "0"},
      {"max_steps: 2", "max_steps", "2"},
  };
  for (const auto& c : kCases) {
    BenchConfig config = Ctc();
    ASSERT_TRUE(MergeTextproto(c.change, "change", &config).ok()) << c.change;
    const absl::Status status = ValidateBenchConfig(config);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.change;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.field)) << c.change;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.value)) << c.change;
  }
}

// A typing error must stop the run, not fall back to a default.
TEST(ParseBenchConfigTest, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"batch { utterences: 3 }", "seed: 1 seed: 2", "batch { utterances: three }",
                           "batch { utterances: 3.5 }", "batch { utterances: 99999999999 }"}) {
    BenchConfig config;
    const absl::Status status = ParseTextproto(text, "typing", &config);
    EXPECT_FALSE(status.ok()) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr("typing:1:")) << text;
  }
}

TEST(DescribeChangeTest, OtherWorkStandsForNothingPublished) {
  BenchConfig original;
  original.set_name("n");
  original.set_summary("64 x 100 frames");
  original.set_stands_for("B-C1");
  original.mutable_batch()->set_max_frames(100);
  BenchConfig changed = original;
  changed.set_blocks(9);
  DescribeChange(original, "blocks: 9", &changed);
  EXPECT_EQ(changed.stands_for(), "B-C1");
  EXPECT_EQ(changed.summary(), "64 x 100 frames");
  changed.mutable_batch()->set_max_frames(10);
  DescribeChange(original, "batch { max_frames: 10 }", &changed);
  EXPECT_FALSE(changed.has_stands_for());
  EXPECT_EQ(changed.summary(), "n changed by --set: batch { max_frames: 10 }");
}

TEST(BatchLengthsTest, AreThePublishedOnesLongestFirst) {
  BenchBatch batch;
  batch.set_utterances(32);
  batch.set_min_frames(500);
  batch.set_max_frames(1000);
  const std::vector<int32_t> lengths = BatchLengths(batch);
  EXPECT_EQ(lengths.front(), 1000);
  EXPECT_EQ(lengths[1], 983);   // int(983.87)
  EXPECT_EQ(lengths[30], 516);  // int(516.13)
  EXPECT_EQ(lengths.back(), 500);
  EXPECT_EQ(ValidFrames(batch), 23985);
}

TEST(BatchLengthsTest, FixedLengthWithoutAMinimum) {
  BenchBatch batch;
  batch.set_utterances(3);
  batch.set_max_frames(7);
  EXPECT_THAT(BatchLengths(batch), ElementsAre(7, 7, 7));
  batch.set_utterances(1);
  batch.set_min_frames(2);
  EXPECT_THAT(BatchLengths(batch), ElementsAre(7));
}

TEST(WithMaxFramesTest, KeepsProportions) {
  const BenchBatch scaled = WithMaxFrames(Ctc().batch(), 250);
  EXPECT_EQ(scaled.max_frames(), 250);
  EXPECT_EQ(scaled.min_frames(), 125);
  EXPECT_EQ(scaled.labels_per_utterance(), 25);
  EXPECT_EQ(scaled.utterances(), 4);
  EXPECT_EQ(WithMaxFrames(Ctc().batch(), 5000).max_frames(), 1000);
  EXPECT_EQ(WithMaxFrames(Ctc().batch(), 1).labels_per_utterance(), 1);
}

TEST(WithMaxFramesTest, EveryScaleOfAValidConfigurationIsValid) {
  BenchConfig config = Ctc();
  for (int frames = 1; frames <= 1000; ++frames) {
    *config.mutable_batch() = WithMaxFrames(Ctc().batch(), frames);
    const absl::Status status = ValidateBenchConfig(config);
    ASSERT_TRUE(status.ok()) << frames << ": " << status.ToString();
  }
}

TEST(MakeBatchTest, IsAFunctionOfTheSeed) {
  BenchConfig config = ShrunkConfig(Ctc());
  const Batch a = MakeBatch(config), b = MakeBatch(config);
  EXPECT_TRUE(std::equal(a.features.span().begin(), a.features.span().end(), b.features.span().begin()));
  config.set_seed(config.seed() + 1);
  const Batch c = MakeBatch(config);
  EXPECT_FALSE(std::equal(a.features.span().begin(), a.features.span().end(), c.features.span().begin()));
}

TEST(MakeBatchTest, FillsTheRangeOfFeaturesAndLabels) {
  const Batch batch = MakeBatch(Ctc());
  float low = 1, high = -1;
  double sum = 0;
  for (float x : batch.features.span()) {
    low = std::min(low, x);
    high = std::max(high, x);
    sum += x;
  }
  EXPECT_GE(low, -1);
  EXPECT_LT(low, -0.99);
  EXPECT_LT(high, 1);
  EXPECT_GT(high, 0.99);
  EXPECT_NEAR(sum / batch.features.size(), 0, 0.05);
  const std::set<int32_t> labels(batch.labels.values().begin(), batch.labels.values().end());
  EXPECT_THAT(labels, ElementsAre(1, 2, 3, 4));  // the last class too; never the blank
  EXPECT_EQ(batch.labels.rows(), 4);
  EXPECT_EQ(batch.labels.row(0).size(), 100u);
}

TEST(MakeBatchTest, CrossEntropyHasLabelZeroToo) {
  BenchConfig config = Ctc();
  ASSERT_TRUE(
      MergeTextproto("train { loss { kind: CROSS_ENTROPY_FRAME } } batch { labels_per_utterance: 1 }", "ce", &config)
          .ok());
  const Batch batch = MakeBatch(config);
  const std::set<int32_t> labels(batch.labels.values().begin(), batch.labels.values().end());
  EXPECT_THAT(labels, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(batch.labels.row(0).size(), 1000u);
  config.mutable_train()->mutable_loss()->set_kind(LossConfig::CROSS_ENTROPY_LAST_FRAME);
  EXPECT_EQ(MakeBatch(config).labels.row(0).size(), 1u);
}

}  // namespace
}  // namespace earshot
