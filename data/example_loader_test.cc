#include "data/example_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "data/file_dataset.h"
#include "data/testing/memory_dataset.h"
#include "data/testing/wav.h"
#include "data/utterance_source.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Utterance MakeUtterance(const std::string& id, const std::string& text, int samples, const std::string& speaker = "") {
  Utterance utterance;
  utterance.id = id;
  utterance.text = text;
  utterance.speaker = speaker;
  utterance.sample_rate = 8000;
  RandomStream stream(3, RandomPurpose::kTest, samples);
  for (int n = 0; n < samples; ++n) {
    utterance.waveform.push_back(3000 * std::sin(0.02f * (1 + n % 777)) + 300 * stream.Normal());
  }
  return utterance;
}

FeatureConfig Config() {
  FeatureConfig config;
  config.set_sample_rate(8000);
  config.set_num_mel_bins(20);
  return config;
}

TokenTable Tokens() { return TokenTable::Create(TokenUnit::kWord, true, {"one", "two"}).value(); }

// The second one cannot be read.
class SomeUtterances : public MemoryDataset {
 public:
  SomeUtterances()
      : MemoryDataset({MakeUtterance("a", "one", 2000), MakeUtterance("broken", "two", 2000),
                       MakeUtterance("b", "two one", 4000), MakeUtterance("short", "one", 150),
                       MakeUtterance("c", "three", 3000), MakeUtterance("d", "", 2600)}) {}
  absl::StatusOr<Utterance> Get(int64_t i) const override {
    if (i == 1) return absl::DataLossError("file.wav: cut short");
    return MemoryDataset::Get(i);
  }
};

TEST(ExampleLoader, LoadsWhatItCanAndNamesTheRest) {
  const auto extractor = FeatureExtractor::Create(Config()).value();
  NormalizationStats stats;
  const auto loaded = LoadExamples(SomeUtterances(), extractor, Tokens(), nullptr, &stats, {});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const ExampleStore& store = loaded->store;
  ASSERT_EQ(store.size(), 3);
  EXPECT_EQ(store.dimensions(), 63);
  EXPECT_EQ(store.id(1), "b");
  EXPECT_THAT(store.labels(1), ElementsAre(2, 1));
  EXPECT_THAT(store.labels(2), ElementsAre());
  EXPECT_THAT(loaded->texts, ElementsAre("one", "two one", ""));
  EXPECT_EQ(store.frames(0), 1 + (2000 - 200) / 80);
  ASSERT_EQ(loaded->skipped.size(), 3u);
  EXPECT_EQ(loaded->skipped[0].text, "two");  // known without the audio
  EXPECT_EQ(DescribeSkipped(loaded->skipped),
            "3 utterances skipped: broken (file.wav: cut short); short (utterance \"short\": 150 samples are less "
            "than one window); c (utterance \"c\": \"three\" is none of the 2 tokens)");
  // Global statistics of this set: mean 0, variance 1 in every column.
  ASSERT_EQ(stats.mean.size(), 63u);
  for (int d = 0; d < 63; ++d) {
    double sum = 0, squares = 0, count = 0;
    for (int i = 0; i < 3; ++i) {
      for (int64_t t = 0; t < store.frames(i); ++t) {
        const float x = store.features(i)(t, d);
        sum += x;
        squares += x * x;
        ++count;
      }
    }
    EXPECT_NEAR(sum / count, 0, 1e-4) << d;
    EXPECT_NEAR(squares / count, 1, 1e-3) << d;
  }
}

// AUD-13, FEAT-08, FEAT-22: a recording without samples, shorter than a window, at another rate or broken costs nobody
// else anything, and is named.
TEST(ExampleLoader, OddRecordingsAreNamedAndTheRestGoesOn) {
  const std::string folder = MakeTestFolder("odd");
  const std::string good = WavBytes(8000, std::vector<int16_t>(2000, 7));
  const std::pair<std::string, std::string> files[] = {{"empty", WavBytes(8000, {})},
                                                       {"good1", good},
                                                       {"nothing", ""},
                                                       {"no_data", good.substr(0, 36)},
                                                       {"cut", good.substr(0, 3000)},
                                                       {"rate", WavBytes(16000, std::vector<int16_t>(2000, 7))},
                                                       {"short", WavBytes(8000, std::vector<int16_t>(199, 7))},
                                                       {"good2", good}};
  std::vector<UtteranceSource> sources;
  for (const auto& [id, content] : files) {
    UtteranceSource source;
    source.id = id;
    source.text = "one";
    source.audio = folder + "/" + id + ".wav";
    WriteTestFile(source.audio, content);
    sources.push_back(source);
  }
  const auto extractor = FeatureExtractor::Create(Config()).value();
  const auto loaded = LoadExamples(FileDataset(sources), extractor, Tokens(), nullptr, nullptr, {});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->store.size(), 2);
  ASSERT_EQ(loaded->skipped.size(), 6u);
  const std::pair<const char*, const char*> expected[] = {
      {"empty", "0 samples are less than one window"},
      {"nothing", "nothing.wav: byte 0: expected a WAV"},
      {"no_data", "no_data.wav: byte 36: expected a \"data\" chunk"},
      {"cut", "cut.wav: byte 40: expected a \"data\" chunk of at most"},
      {"rate", "16000 Hz; 8000 Hz expected"},
      {"short", "199 samples are less than one window"}};
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(loaded->skipped[i].id, expected[i].first);
    EXPECT_THAT(loaded->skipped[i].reason, HasSubstr(expected[i].second));
    EXPECT_THAT(loaded->skipped[i].reason, HasSubstr(expected[i].first));
  }
}

TEST(ExampleLoader, ScoredSetsKeepTextsWithUnknownTokens) {
  const auto extractor = FeatureExtractor::Create(Config()).value();
  LoadOptions options;
  options.keep_unknown_tokens = true;
  const MemoryDataset dataset({MakeUtterance("c", "one three two", 3000)});
  const auto loaded = LoadExamples(dataset, extractor, Tokens(), nullptr, nullptr, options);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->texts[0], "one three two");
  EXPECT_THAT(loaded->store.labels(0), ElementsAre(1, 2));
}

TEST(ExampleLoader, AnyNumberOfThreadsGivesTheSameBits) {
  const auto extractor = FeatureExtractor::Create(Config()).value();
  LoadOptions options;
  options.speeds = {1, 0.9f, 1.1f};
  std::vector<std::vector<float>> all;
  for (const int threads : {1, 2, 5}) {
    options.num_threads = threads;
    const auto loaded = LoadExamples(SomeUtterances(), extractor, Tokens(), nullptr, nullptr, options).value();
    std::vector<float> values;
    for (int64_t i = 0; i < loaded.store.size(); ++i) {
      for (int version = 0; version < 3; ++version) {
        const auto span = loaded.store.features(i, version).span();
        values.insert(values.end(), span.begin(), span.end());
      }
    }
    all.push_back(std::move(values));
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

TEST(ExampleLoader, SpeedsChangeLengthAndPitch) {
  // A tone of 1000 Hz played at 1.25 has 1250 Hz and four fifths of the length.
  Utterance tone = MakeUtterance("tone", "one", 8000);
  for (int n = 0; n < 8000; ++n) tone.waveform[n] = 5000 * std::sin(2 * M_PI * 1000 * n / 8000);
  Utterance faster = tone;
  faster.waveform.resize(6400);
  for (size_t n = 0; n < faster.waveform.size(); ++n) faster.waveform[n] = 5000 * std::sin(2 * M_PI * 1250 * n / 8000);
  FeatureConfig config = Config();
  config.set_normalization(FeatureConfig::NONE);
  const auto extractor = FeatureExtractor::Create(config).value();
  LoadOptions options;
  options.speeds = {1, 1.25f};
  const auto loaded = LoadExamples(MemoryDataset({tone}), extractor, Tokens(), nullptr, nullptr, options).value();
  const auto expected = LoadExamples(MemoryDataset({faster}), extractor, Tokens(), nullptr, nullptr, {}).value();
  EXPECT_EQ(loaded.store.frames(0, 0), 98);
  EXPECT_EQ(loaded.store.frames(0, 1), expected.store.frames(0));
  const auto loudest = [](TensorView<const float, 2> features) {
    const auto row = features.row(features.dim(0) / 2).subspan(1, 20);
    return std::max_element(row.begin(), row.end()) - row.begin();
  };
  EXPECT_EQ(loudest(loaded.store.features(0, 1)), loudest(expected.store.features(0)));
  EXPECT_NE(loudest(loaded.store.features(0, 1)), loudest(loaded.store.features(0, 0)));
}

TEST(ExampleLoader, GivenStatisticsAreUsedAndSpeakersHaveTheirOwn) {
  const auto extractor = FeatureExtractor::Create(Config()).value();
  const MemoryDataset one({MakeUtterance("a", "one", 2000, "x")});
  NormalizationStats stats;
  stats.mean.assign(63, 0);
  stats.inverse_deviation.assign(63, 2);
  const auto twice = LoadExamples(one, extractor, Tokens(), &stats, nullptr, {}).value();
  FeatureConfig raw = Config();
  raw.set_normalization(FeatureConfig::NONE);
  const auto plain = LoadExamples(one, FeatureExtractor::Create(raw).value(), Tokens(), nullptr, nullptr, {}).value();
  for (int d = 0; d < 63; ++d) EXPECT_EQ(twice.store.features(0)(7, d), 2 * plain.store.features(0)(7, d));

  FeatureConfig by_speaker = Config();
  by_speaker.set_normalization(FeatureConfig::SPEAKER);
  const MemoryDataset two({MakeUtterance("a", "one", 2000, "x"), MakeUtterance("b", "one", 3000, "y")});
  const auto speakers =
      LoadExamples(two, FeatureExtractor::Create(by_speaker).value(), Tokens(), nullptr, nullptr, {}).value();
  for (int i = 0; i < 2; ++i) {
    double sum = 0;
    for (int64_t t = 0; t < speakers.store.frames(i); ++t) sum += speakers.store.features(i)(t, 5);
    EXPECT_NEAR(sum / speakers.store.frames(i), 0, 1e-4);
  }
}

TEST(ExampleLoader, NothingLeftIsAnErrorWithItsReasons) {
  const auto extractor = FeatureExtractor::Create(Config()).value();
  Utterance other_rate = MakeUtterance("fast", "one", 3000);
  other_rate.sample_rate = 16000;
  const absl::Status status =
      LoadExamples(MemoryDataset({other_rate}), extractor, Tokens(), nullptr, nullptr, {}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("no utterance of 1 can be used. 1 utterance skipped: fast ("));
  EXPECT_THAT(std::string(status.message()), HasSubstr("16000"));
  LoadOptions options;
  options.labels = LabelKind::kClass;
  const MemoryDataset two_words({MakeUtterance("b", "two one", 4000)});
  EXPECT_THAT(std::string(LoadExamples(two_words, extractor, Tokens(), nullptr, nullptr, options).status().message()),
              HasSubstr("\"two one\" has 2 tokens, expected one"));
  options.keep_unknown_tokens = true;
  const MemoryDataset unknown({MakeUtterance("c", "three", 3000)});
  EXPECT_THAT(std::string(LoadExamples(unknown, extractor, Tokens(), nullptr, nullptr, options).status().message()),
              HasSubstr("\"three\" is none of the 2 tokens"));
}

TEST(ExampleLoader, StaticsScaleIsThatOfTheNormalisation) {
  FeatureConfig config = Config();
  config.set_num_mel_bins(2);
  NormalizationStats stats;
  stats.mean.assign(9, 0);
  stats.inverse_deviation = {0.5, 0.25, 4, 7, 7, 7, 7, 7, 7};
  EXPECT_THAT(StaticsScale(config, &stats), ElementsAre(0.5, 0.25, 4));
  config.set_use_power(false);  // the log of a magnitude moves by half of what the log energy does
  EXPECT_THAT(StaticsScale(config, &stats), ElementsAre(0.5, 0.125, 2));
  config.set_normalization(FeatureConfig::NONE);
  EXPECT_THAT(StaticsScale(config, nullptr), ElementsAre(1, 0.5, 0.5));
  config.set_normalization(FeatureConfig::UTTERANCE);
  EXPECT_THAT(StaticsScale(config, nullptr), ElementsAre(0, 0, 0));
}

}  // namespace
}  // namespace earshot
