#include "data/features.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    signal.push_back(
        std::nearbyint(6000 * std::sin(440 * t) + 1500 * std::sin(1700 * t) + 300 + 200 * noise));
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
  std::ifstream file("data/testdata/fbank_golden.txt");
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
  EXPECT_EQ(cases, 12);
}

}  // namespace
}  // namespace earshot
