// LogMel in its HTK configurations against HTK 3.4's own output.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/testing/shared_data.h"
#include "base/textproto.h"
#include "data/audio_file.h"
#include "data/feature_config.h"
#include "data/log_mel.h"
#include "data/testing/htk.h"

namespace earshot {
namespace {

// HTK computes in single precision with rounded filter weights; the largest difference seen is 2.6e-5.
constexpr double kTolerance = 1e-4;

// The configurations fbank1.conf to fbank4.conf: LOFREQ 0 or 25, WARPFREQ 0.9 or 1.1 between 100 and 7500 Hz.
FeatureConfig HtkConfig(int number) {
  const char* const different[] = {"low_frequency: 0", "low_frequency: 25", "low_frequency: 25 vtln_warp: 0.9",
                                   "low_frequency: 25 vtln_warp: 1.1"};
  FeatureConfig config;
  const std::string text = std::string(different[number - 1]) +
                           " htk_compatible: true num_mel_bins: 23 high_frequency: 8000 window: HAMMING preemphasis: 0"
                           " remove_dc_offset: false energy: NO_ENERGY delta_order: 0"
                           " vtln_low_frequency: 100 vtln_high_frequency: 7500";
  EXPECT_TRUE(ParseTextproto(text, "test", &config).ok()) << text;
  return config;
}

Tensor<float, 2> Compute(const FeatureConfig& config, const std::vector<float>& waveform) {
  const absl::StatusOr<LogMel> log_mel = LogMel::Create(config);
  EXPECT_TRUE(log_mel.ok()) << log_mel.status();
  Tensor<float, 2> features({NumFrames(config, waveform.size()), NumStatics(config)});
  log_mel->Compute(waveform, features.view());
  return features;
}

TEST(LogMelHtk, ThreeFrames) {
  std::ifstream file("data/testdata/htk_fbank_golden.txt");
  std::string word;
  std::getline(file, word);  // where the numbers come from
  int samples = 0, frames = 0, number = 0, bins = 0, configurations = 0;
  file >> samples >> frames;
  std::vector<float> waveform(samples);
  for (float& x : waveform) file >> x;
  while (file >> word >> number >> bins) {
    SCOPED_TRACE(number);
    ++configurations;
    const Tensor<float, 2> features = Compute(HtkConfig(number), waveform);
    ASSERT_EQ(features.dim(0), frames);
    ASSERT_EQ(features.dim(1), bins);
    for (float actual : features.span()) {
      double expected;
      ASSERT_TRUE(file >> expected);
      EXPECT_NEAR(actual, expected, kTolerance);
    }
  }
  EXPECT_EQ(configurations, 4);
}

// HTK's floor under the logarithm is 1.
TEST(LogMelHtk, SilenceIsZero) {
  const Tensor<float, 2> features = Compute(HtkConfig(1), std::vector<float>(400));
  ASSERT_EQ(features.size(), 23);
  for (float x : features.span()) EXPECT_EQ(x, 0);
}

TEST(LogMelHtk, WholeRecording) {
  const char* const shared = SharedData("LogMelHtk.WholeRecording");
  if (shared == nullptr) GTEST_SKIP();
  const std::string recording = std::string(shared) + "/htk/test.wav";
  const absl::StatusOr<Audio> audio = ReadAudio(recording);
  ASSERT_TRUE(audio.ok()) << audio.status();
  for (int number = 1; number <= 4; ++number) {
    SCOPED_TRACE(number);
    const Tensor<float, 2> features = Compute(HtkConfig(number), audio->waveform);
    ExpectHtkFile(recording + ".fbank_htk." + std::to_string(number), features, kTolerance);
  }
}

}  // namespace
}  // namespace earshot
