// MFCC with deltas in HTK's six configurations against HTK 3.4's own output, and what its definition demands. Equality
// with kaldi-native-fbank: features_test.cc.
#include "data/mfcc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "base/testing/shared_data.h"
#include "base/textproto.h"
#include "data/audio_file.h"
#include "data/features.h"
#include "data/testing/htk.h"

namespace earshot {
namespace {

FeatureConfig Config(const std::string& text) {
  FeatureConfig config;
  EXPECT_TRUE(ParseTextproto(text, "test", &config).ok()) << text;
  return config;
}

// The configurations hcopy1.conf to hcopy6.conf: _0 or _E, LOFREQ, HIFREQ, PREEMCOEF, WARPFREQ, NUMCHANS.
FeatureConfig HtkConfig(int number) {
  const char* const different[] = {
      "low_frequency: 0  high_frequency: 8000 preemphasis: 0 energy: NO_ENERGY",
      "low_frequency: 0  high_frequency: 8000 preemphasis: 0",
      "low_frequency: 20 high_frequency: 8000 preemphasis: 0",
      "low_frequency: 0  high_frequency: 8000",
      "low_frequency: 0  high_frequency: 8000 vtln_warp: 1.1 vtln_low_frequency: 100 vtln_high_frequency: 7500",
      "low_frequency: 125 high_frequency: 7800 energy: NO_ENERGY num_mel_bins: 24"};
  return Config(std::string("kind: MFCC num_ceps: 13 cepstral_lifter: 22 htk_compatible: true window: HAMMING"
                            " remove_dc_offset: false delta_order: 2 ") +
                (number == 6 ? "" : "num_mel_bins: 23 ") + different[number - 1]);
}

Tensor<float, 2> Extract(const FeatureConfig& config, const std::vector<float>& waveform) {
  const auto extractor = FeatureExtractor::Create(config);
  EXPECT_TRUE(extractor.ok()) << extractor.status();
  Tensor<float, 2> features;
  const absl::Status status = extractor->Compute("test", waveform, config.sample_rate(), &features);
  EXPECT_TRUE(status.ok()) << status;
  return features;
}

// HTK computes in single precision with rounded filter weights; the largest difference seen is 1.7e-4.
constexpr double kTolerance = 5e-4;

TEST(Mfcc, FirstFramesEqualHtks) {
  std::ifstream file("data/testdata/htk_mfcc_golden.txt");
  std::string word;
  std::getline(file, word);  // where the numbers come from
  int samples = 0, frames = 0, number = 0, columns = 0, configurations = 0;
  file >> samples >> frames;
  std::vector<float> waveform(samples);
  for (float& x : waveform) file >> x;
  while (file >> word >> number >> columns) {
    SCOPED_TRACE(number);
    ++configurations;
    const Tensor<float, 2> features = Extract(HtkConfig(number), waveform);
    ASSERT_EQ(features.dim(0), frames + 4);
    ASSERT_EQ(features.dim(1), columns);
    for (int64_t i = 0; i < int64_t{frames} * columns; ++i) {
      double expected;
      ASSERT_TRUE(file >> expected);
      ASSERT_NEAR(features.span()[i], expected, kTolerance) << "frame " << i / columns << ", column " << i % columns;
    }
  }
  EXPECT_EQ(configurations, 6);
}

TEST(Mfcc, WholeRecordingEqualsHtks) {
  const char* const shared = SharedData("Mfcc.WholeRecordingEqualsHtks");
  if (shared == nullptr) GTEST_SKIP();
  const std::string recording = std::string(shared) + "/htk/test.wav";
  const absl::StatusOr<Audio> audio = ReadAudio(recording);
  ASSERT_TRUE(audio.ok()) << audio.status();
  for (int number = 1; number <= 6; ++number) {
    SCOPED_TRACE(number);
    const Tensor<float, 2> features = Extract(HtkConfig(number), audio->waveform);
    ASSERT_EQ(features.dim(1), 39);
    ExpectHtkFile(recording + ".fea_htk." + std::to_string(number), features, kTolerance);
  }
}

// All bins at Kaldi's floor: c0 is sqrt(B) times that, everything else nothing.
TEST(Mfcc, DigitalSilence) {
  const std::string base = "kind: MFCC num_mel_bins: 25 delta_order: 0 ";
  const Tensor<float, 2> c0 = Extract(Config(base + "energy: NO_ENERGY"), std::vector<float>(1600));
  const Tensor<float, 2> energy = Extract(Config(base), std::vector<float>(1600));
  const Tensor<float, 2> htk =
      Extract(Config(base + "energy: NO_ENERGY htk_compatible: true"), std::vector<float>(1600));
  for (int64_t t = 0; t < 8; ++t) {
    EXPECT_NEAR(c0.view()(t, 0), 5 * -15.9423851529, 1e-4);
    EXPECT_NEAR(energy.view()(t, 0), -15.9423851529, 1e-5);
    for (int k = 1; k < 13; ++k) EXPECT_NEAR(c0.view()(t, k), 0, 1e-3);
    for (int k = 0; k < 13; ++k) EXPECT_EQ(htk.view()(t, k), 0);  // HTK's floor is 1
  }
}

// Twice the amplitude moves c0 by sqrt(B) ln 4 and the energy by ln 4, and nothing else.
TEST(Mfcc, GainMovesOnlyTheFirstCoefficient) {
  std::vector<float> quiet(800), loud(800);
  for (int n = 0; n < 800; ++n) {
    quiet[n] = static_cast<float>(n * n * 37 % 1999 - 1000);
    loud[n] = 2 * quiet[n];
  }
  for (const bool has_energy : {false, true}) {
    const FeatureConfig config = Config(std::string("kind: MFCC num_mel_bins: 25 delta_order: 0 energy: ") +
                                        (has_energy ? "RAW_LOG_ENERGY" : "NO_ENERGY"));
    const Tensor<float, 2> a = Extract(config, quiet), b = Extract(config, loud);
    for (int64_t t = 0; t < a.dim(0); ++t) {
      for (int k = 0; k < 13; ++k) {
        EXPECT_NEAR(b.view()(t, k) - a.view()(t, k), k > 0 ? 0 : (has_energy ? 1 : 5) * std::log(4.0), 1e-3) << k;
      }
    }
  }
}

}  // namespace
}  // namespace earshot
