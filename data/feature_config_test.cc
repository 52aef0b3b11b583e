#include "data/feature_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/textproto.h"
#include "data/mel_filterbank.h"

namespace earshot {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

FeatureConfig Config(const std::string& text) {
  FeatureConfig config;
  EXPECT_TRUE(ParseTextproto(text, "test", &config).ok()) << text;
  return config;
}

TEST(FeatureConfig, DefaultsAre123DimensionsAt100FramesASecond) {
  const FeatureConfig config;
  EXPECT_TRUE(ValidateFeatureConfig(config).ok());
  EXPECT_EQ(WindowLength(config), 400);
  EXPECT_EQ(WindowShift(config), 160);
  EXPECT_EQ(FftLength(config), 512);
  EXPECT_EQ(UpperEdge(config), 8000);
  EXPECT_EQ(NumStatics(config), 41);
  EXPECT_EQ(NumFeatures(config), 123);
  EXPECT_EQ(NumFeatures(Config("energy: NO_ENERGY")), 120);
  EXPECT_EQ(NumFeatures(Config("delta_order: 0 num_mel_bins: 23")), 24);
  EXPECT_EQ(NumFeatures(Config("kind: MFCC")), 39);
  EXPECT_EQ(NumFeatures(Config("kind: MFCC energy: NO_ENERGY num_ceps: 20 delta_order: 1")), 40);
  EXPECT_TRUE(ValidateFeatureConfig(Config("num_mel_bins: 12")).ok()) << "num_ceps is for MFCC alone";
}

// FEAT-13: the transform always holds the whole window.
TEST(FeatureConfig, FftIsAtLeastAsLongAsTheWindow) {
  const struct {
    int rate, window, fft;
  } kCases[] = {{8000, 200, 256},   {11025, 275, 512},   {16000, 400, 512},
                {22050, 551, 1024}, {44100, 1102, 2048}, {48000, 1200, 2048}};
  for (const auto& c : kCases) {
    const FeatureConfig config = Config("sample_rate: " + std::to_string(c.rate));
    EXPECT_EQ(WindowLength(config), c.window);
    EXPECT_EQ(FftLength(config), c.fft);
  }
  EXPECT_EQ(FftLength(Config("frame_length_ms: 32")), 512);  // exactly a power of two
}

TEST(FeatureConfig, MillisecondsThatAreNotExactInSinglePrecision) {
  EXPECT_EQ(WindowLength(Config("sample_rate: 10000 frame_length_ms: 9.9")), 99);
  EXPECT_EQ(WindowShift(Config("sample_rate: 10000 frame_shift_ms: 0.7")), 7);
  EXPECT_EQ(WindowShift(Config("sample_rate: 16000 frame_shift_ms: 6.25")), 100);
}

TEST(FeatureConfig, ErrorsNameFieldValueAndExpectation) {
  const struct {
    std::string text, field, value;
  } kCases[] = {{"sample_rate: 0", "sample_rate", "0"},
                {"sample_rate: 400000", "sample_rate", "400000"},
                {"frame_length_ms: 0", "frame_length_ms", "0"},
                {"frame_length_ms: 0.1", "frame_length_ms", "0.1"},
                {"frame_length_ms: nan", "frame_length_ms", "nan"},
                {"frame_length_ms: 1e9", "frame_length_ms", "1e+09"},
                {"frame_shift_ms: -10", "frame_shift_ms", "-10"},
                {"frame_shift_ms: 0.05", "frame_shift_ms", "0.05"},
                {"frame_shift_ms: inf", "frame_shift_ms", "inf"},
                {"preemphasis: 1.5", "preemphasis", "1.5"},
                {"preemphasis: nan", "preemphasis", "nan"},
                {"delta_order: 3", "delta_order", "3"},
                {"delta_window: 0", "delta_window", "0"},
                {"num_mel_bins: 0", "num_mel_bins", "0"},
                {"num_mel_bins: 100000", "num_mel_bins", "100000"},
                {"kind: MFCC num_ceps: 0", "num_ceps", "0"},
                {"kind: MFCC num_ceps: 41", "num_ceps", "41"},
                {"kind: MFCC num_mel_bins: 12", "num_ceps", "13"},
                {"kind: MFCC cepstral_lifter: -1", "cepstral_lifter", "-1"},
                {"kind: MFCC cepstral_lifter: nan", "cepstral_lifter", "nan"},
                {"low_frequency: -1", "low_frequency", "-1"},
                {"low_frequency: nan", "low_frequency", "nan"},
                {"low_frequency: 8000", "low_frequency", "8000"},
                {"low_frequency: 500 high_frequency: 400", "low_frequency", "500"},
                {"high_frequency: -1", "high_frequency", "-1"},
                {"vtln_warp: 3", "vtln_warp", "3"},
                {"vtln_warp: 0.9 vtln_low_frequency: 10", "vtln_low_frequency", "10"},
                {"vtln_warp: 0.9 vtln_high_frequency: 50", "vtln_low_frequency", "100"},
                {"vtln_warp: 0.9 vtln_high_frequency: 8000", "vtln_high_frequency", "8000"}};
  for (const auto& c : kCases) {
    const absl::Status status = ValidateFeatureConfig(Config(c.text));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(std::string(status.message()),
                AllOf(StartsWith("features." + c.field + ": " + c.value), HasSubstr("expected")));
  }
}

// FEAT-05: with 7600 Hz, eight filters of an 8 kHz front end would never see any energy.
TEST(FeatureConfig, UpperEdgeAboveHalfTheSampleRate) {
  const absl::Status status = ValidateFeatureConfig(Config("sample_rate: 8000 high_frequency: 7600"));
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("high_frequency: 7600"), HasSubstr("4000 Hz"), HasSubstr("sample_rate 8000")));
  EXPECT_TRUE(ValidateFeatureConfig(Config("sample_rate: 8000 high_frequency: 4000")).ok());
}

// More filters than points of the spectrum at the low end: such a filter would give a constant.
TEST(FeatureConfig, FiltersWithoutAPointOfTheSpectrum) {
  const auto bank = MelFilterbank::Create(Config("num_mel_bins: 200"));
  EXPECT_THAT(std::string(bank.status().message()),
              AllOf(StartsWith("features.num_mel_bins: 200"), HasSubstr("31.25 Hz apart")));
}

// Kaldi's triangles add up to 1 between the first and the last peak.
TEST(FeatureConfig, TrianglesAddUpToOne) {
  const FeatureConfig config;
  const auto bank = MelFilterbank::Create(config);
  ASSERT_TRUE(bank.ok());
  for (int k = 3; k < 240; ++k) {  // 93.75 to 7500 Hz
    std::vector<float> spectrum(257), bins(40);
    spectrum[k] = 1;
    bank->Apply(spectrum, absl::MakeSpan(bins));
    float sum = 0;
    for (float b : bins) sum += b;
    EXPECT_NEAR(sum, 1, 1e-5) << k;
  }
}

}  // namespace
}  // namespace earshot
