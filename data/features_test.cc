#include "data/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "base/textproto.h"

namespace earshot {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The signal of tools/golden/features.py.
std::vector<float> TestSignal(int sample_rate, int samples) {
  uint32_t x = 7;
  std::vector<float> signal;
  for (int n = 0; n < samples; ++n) {
    x = 1664525u * x + 1013904223u;
    const double noise = -1 + 2 * (x / 4294967296.0), t = 2 * M_PI * n / sample_rate;
    signal.push_back(std::nearbyint(6000 * std::sin(440 * t) + 1500 * std::sin(1700 * t) + 300 + 200 * noise));
  }
  return signal;
}

FeatureConfig Config(const std::string& text) {
  FeatureConfig config;
  EXPECT_TRUE(ParseTextproto(text, "test", &config).ok()) << text;
  return config;
}

Tensor<float, 2> Extract(const FeatureConfig& config, const std::vector<float>& waveform) {
  auto extractor = FeatureExtractor::Create(config);
  EXPECT_TRUE(extractor.ok()) << extractor.status();
  Tensor<float, 2> features;
  const absl::Status status = extractor->Compute("test", waveform, config.sample_rate(), &features);
  EXPECT_TRUE(status.ok()) << status;
  return features;
}

TEST(Features, EqualKaldiNativeFbank) {
  std::ifstream file("data/testdata/kaldi_features_golden.txt");
  std::string word, name, text;
  int cases = 0;
  while (file >> word >> name && std::getline(file >> std::ws, text)) {
    SCOPED_TRACE(name);
    ++cases;
    int64_t samples, rows, columns;
    file >> samples >> rows >> columns;
    const FeatureConfig config = Config(text);
    const Tensor<float, 2> features = Extract(config, TestSignal(config.sample_rate(), samples));
    ASSERT_EQ(features.dim(0), rows);
    ASSERT_EQ(features.dim(1), columns);
    double worst = 0;
    for (float actual : features.span()) {
      double expected;
      ASSERT_TRUE(file >> expected);
      ASSERT_NEAR(actual, expected, 1e-3);
      worst = std::max(worst, std::abs(actual - expected));
    }
    RecordProperty(name, std::to_string(worst));
    std::cout << name << ": largest difference " << worst << "\n";
  }
  EXPECT_EQ(cases, 20);
}

// FEAT-01: samples in +-1 in place of 16-bit numbers shift every log value by ln(32768^2) and leave the deltas alone.
TEST(Features, ScaleOfSamplesIsAShift) {
  const std::vector<float> loud = TestSignal(16000, 1600);
  std::vector<float> quiet = loud;
  for (float& x : quiet) x /= 32768;
  const Tensor<float, 2> a = Extract(FeatureConfig(), loud), b = Extract(FeatureConfig(), quiet);
  for (int64_t t = 0; t < a.dim(0); ++t) {
    for (int d = 0; d < 123; ++d) EXPECT_NEAR(a.view()(t, d) - b.view()(t, d), d < 41 ? 20.7944154168 : 0, 1e-3);
  }
}

// FEAT-03: ln(FLT_EPSILON), Kaldi's floor.
TEST(Features, DigitalSilence) {
  const Tensor<float, 2> features = Extract(FeatureConfig(), std::vector<float>(1600));
  ASSERT_EQ(features.dim(0), 8);
  for (int64_t t = 0; t < 8; ++t) {
    for (int d = 0; d < 123; ++d) EXPECT_NEAR(features.view()(t, d), d < 41 ? -15.9423851529 : 0, 1e-5);
  }
}

// FEAT-21: the energy of the samples without their mean, before pre-emphasis and window, in the first column:
// ln(400 * 1000^2 / 2) up to the rounding of the samples, against 19.519 with the offset left in.
TEST(Features, RawEnergyIsTheFirstColumn) {
  std::vector<float> waveform(400);
  for (int n = 0; n < 400; ++n) waveform[n] = std::nearbyint(1000 * std::sin(2 * M_PI * 1000 * n / 16000)) + 500;
  EXPECT_NEAR(Extract(FeatureConfig(), waveform).view()(0, 0), 19.1139849122, 1e-4);
  EXPECT_NEAR(Extract(Config("remove_dc_offset: false"), waveform).view()(0, 0), 19.5193976938, 1e-4);
}

// FEAT-08: whole windows only; less than one window is no frame and no error.
TEST(Features, NumberOfFrames) {
  const struct {
    int rate, samples, frames;
  } kCases[] = {{16000, 0, 0},   {16000, 1, 0},      {16000, 399, 0}, {16000, 400, 1}, {16000, 559, 1},
                {16000, 560, 2}, {16000, 719, 2},    {16000, 720, 3}, {8000, 199, 0},  {8000, 200, 1},
                {8000, 279, 1},  {16000, 16000, 98}, {8000, 280, 2},  {8000, 8000, 98}};
  for (const auto& c : kCases) {
    const FeatureConfig config = Config("sample_rate: " + std::to_string(c.rate));
    EXPECT_EQ(NumFrames(config, c.samples), c.frames) << c.rate << " " << c.samples;
    const Tensor<float, 2> features = Extract(config, std::vector<float>(c.samples, 1.0f));
    EXPECT_EQ(features.dim(0), c.frames);
    EXPECT_EQ(features.dim(1), 123);
  }
}

// FEAT-22: the rate of the audio counts, not that of the configuration.
TEST(Features, OtherSampleRateIsAnErrorThatNamesTheFile) {
  const auto extractor = FeatureExtractor::Create(FeatureConfig());
  ASSERT_TRUE(extractor.ok());
  Tensor<float, 2> features;
  const absl::Status status = extractor->Compute("jackson/b8k.wav", TestSignal(8000, 800), 8000, &features);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("jackson/b8k.wav: "), HasSubstr("8000 Hz"), HasSubstr("16000 Hz"),
                                      HasSubstr("resample")));
}

TEST(Features, ResamplesWhenAskedTo) {
  const auto extractor = FeatureExtractor::Create(Config("sample_rate: 8000 resample: true high_frequency: 3400"));
  ASSERT_TRUE(extractor.ok());
  std::vector<float> at_8k(8000), at_16k(16000);
  for (int n = 0; n < 8000; ++n) at_8k[n] = 5000 * std::sin(2 * M_PI * 700 * n / 8000);
  for (int n = 0; n < 16000; ++n) at_16k[n] = 5000 * std::sin(2 * M_PI * 700 * n / 16000);
  Tensor<float, 2> a, b;
  ASSERT_TRUE(extractor->Compute("a", at_8k, 8000, &a).ok());
  ASSERT_TRUE(extractor->Compute("b", at_16k, 16000, &b).ok());
  ASSERT_EQ(a.dim(0), 98);
  ASSERT_EQ(b.dim(0), 98);
  EXPECT_NEAR(a.view()(50, 0), b.view()(50, 0), 1e-3);  // energy
  int loudest_a = 1, loudest_b = 1;
  for (int d = 1; d <= 40; ++d) {
    if (a.view()(50, d) > a.view()(50, loudest_a)) loudest_a = d;
    if (b.view()(50, d) > b.view()(50, loudest_b)) loudest_b = d;
  }
  EXPECT_EQ(loudest_a, loudest_b);
  EXPECT_NEAR(a.view()(50, loudest_a), b.view()(50, loudest_a), 1e-3);
  EXPECT_THAT(extractor->Compute("c", at_8k, 0, &a).message(), HasSubstr("c: "));
}

TEST(Features, SamplesThatAreNotFiniteAreNamed) {
  const auto extractor = FeatureExtractor::Create(FeatureConfig());
  Tensor<float, 2> features;
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> waveform = TestSignal(16000, 800);
    waveform[123] = bad;
    EXPECT_THAT(extractor->Compute("u1", waveform, 16000, &features).message(),
                AllOf(HasSubstr("u1: "), HasSubstr("sample 123")));
  }
  std::vector<float> waveform = TestSignal(16000, 800);
  waveform[700] = 3e38f;  // only the last of three windows holds it
  EXPECT_THAT(extractor->Compute("u2", waveform, 16000, &features).message(),
              AllOf(HasSubstr("u2: "), HasSubstr("not finite")));
}

TEST(Features, ThreadsShareAnExtractor) {
  const auto extractor = FeatureExtractor::Create(FeatureConfig());
  const std::vector<float> waveform = TestSignal(16000, 8000);
  Tensor<float, 2> expected;
  ASSERT_TRUE(extractor->Compute("main", waveform, 16000, &expected).ok());
  std::vector<std::thread> threads;
  std::vector<int> differences(4, -1);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      Tensor<float, 2> features;
      differences[i] = 0;
      for (int repetition = 0; repetition < 20; ++repetition) {
        if (!extractor->Compute("thread", waveform, 16000, &features).ok()) ++differences[i];
        for (int64_t k = 0; k < expected.size(); ++k) differences[i] += features.data()[k] != expected.data()[k];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(differences, testing::Each(0));
}

TEST(Features, UtteranceOverload) {
  const auto extractor = FeatureExtractor::Create(FeatureConfig());
  Utterance utterance;
  utterance.id = "spk1-utt2";
  utterance.sample_rate = 11025;
  utterance.waveform.resize(1000);
  Tensor<float, 2> features;
  EXPECT_THAT(extractor->Compute(utterance, &features).message(), HasSubstr("spk1-utt2"));
  utterance.sample_rate = 16000;
  EXPECT_TRUE(extractor->Compute(utterance, &features).ok());
  EXPECT_EQ(features.dim(0), 4);
}

TEST(PrecomputedFeatures, StaticsOfTheCorpusWithDeltasOnRequest) {
  FeatureConfig config;
  config.set_precomputed_dims(2);
  config.set_delta_order(1);
  config.set_delta_window(1);
  const auto extractor = FeatureExtractor::Create(config);
  ASSERT_TRUE(extractor.ok()) << extractor.status();
  EXPECT_EQ(extractor->dims(), 4);
  Utterance utterance;
  utterance.id = "u";
  utterance.feature_dims = 2;
  utterance.features = {0, 5, 2, 5, 4, 5};  // a ramp and a constant
  Tensor<float, 2> features;
  ASSERT_TRUE(extractor->Compute(utterance, &features).ok());
  EXPECT_EQ(std::vector<float>(features.span().begin(), features.span().end()),
            std::vector<float>({0, 5, 1, 0, 2, 5, 2, 0, 4, 5, 1, 0}));

  utterance.features[3] = std::nanf("");
  EXPECT_EQ(extractor->Compute(utterance, &features).message(), "u: feature 1 of frame 1 is not finite");
  utterance.feature_dims = 3;
  EXPECT_EQ(extractor->Compute(utterance, &features).message(),
            "u: features of 3 columns; features of 2 columns expected (features.precomputed_dims is 2)");
  const auto of_audio = FeatureExtractor::Create(FeatureConfig());
  EXPECT_EQ(of_audio->Compute(utterance, &features).message(),
            "u: features of 3 columns; audio expected (features.precomputed_dims is 0)");
  config.set_precomputed_dims(-1);
  EXPECT_EQ(FeatureExtractor::Create(config).status().message(), "features.precomputed_dims: -1; 0 to 65536 expected");
}

}  // namespace
}  // namespace earshot
