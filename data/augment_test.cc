#include "data/augment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace earshot {
namespace {

using ::testing::HasSubstr;

const FeatureLayout kLayout = {3, true, 4};  // 3 x (energy + 4 bins) = 15 columns

RandomStream Stream(int i) { return RandomStream(7, RandomPurpose::kAugmentation, 0, i); }

TEST(Augment, LayoutFollowsTheFeatures) {
  FeatureConfig config;
  EXPECT_EQ(FeatureLayout::FromConfig(config).dimensions(), 123);
  config.set_energy(FeatureConfig::NO_ENERGY);
  EXPECT_EQ(FeatureLayout::FromConfig(config).dimensions(), 120);
  config.set_delta_order(0);
  EXPECT_EQ(FeatureLayout::FromConfig(config).dimensions(), 40);
}

TEST(Augment, GainIsOneConstantOnTheStaticsInTheirScale) {
  AugmentConfig config;
  config.set_gain_deviation(2);
  const std::vector<float> scale = {0.5, 1, 2, 1, 0.25};
  double sum = 0, squares = 0;
  for (int i = 0; i < 2000; ++i) {
    Tensor<float, 2> x({6, 15});
    RandomStream stream = Stream(i);
    Augment(config, kLayout, scale, &stream, x.view());
    const float gain = x.view()(0, 1);
    for (int t = 0; t < 6; ++t) {
      for (int d = 0; d < 15; ++d) EXPECT_FLOAT_EQ(x.view()(t, d), d < 5 ? gain * scale[d] : 0) << t << " " << d;
    }
    sum += gain;
    squares += gain * gain;
  }
  EXPECT_NEAR(sum / 2000, 0, 0.15);
  EXPECT_NEAR(std::sqrt(squares / 2000), 2, 0.12);
}

TEST(Augment, EqualizerIsOneCurveOnTheStaticBinsAndNeverTheEnergy) {
  AugmentConfig config;
  config.set_equalizer_deviation(2);
  const FeatureLayout layout = {3, true, 9};  // the five knots lie on the bins 0, 2, 4, 6, 8
  const std::vector<float> scale(10, 0.5f);
  double squares = 0, products = 0;
  for (int i = 0; i < 2000; ++i) {
    Tensor<float, 2> x({3, 30});
    RandomStream stream = Stream(i);
    Augment(config, layout, scale, &stream, x.view());
    for (int d = 0; d < 30; ++d) {
      const bool bin = d >= 1 && d < 10;
      EXPECT_EQ(x.view()(0, d) != 0, bin) << d;
      EXPECT_EQ(x.view()(2, d), x.view()(0, d)) << d;
    }
    for (int bin = 1; bin < 9; bin += 2) {  // halfway between two knots
      EXPECT_NEAR(x.view()(0, 1 + bin), (x.view()(0, bin) + x.view()(0, 2 + bin)) / 2, 1e-5);
    }
    squares += x.view()(0, 1) * x.view()(0, 1);
    products += x.view()(0, 1) * x.view()(0, 9);
  }
  EXPECT_NEAR(std::sqrt(squares / 2000), 1, 0.06);  // 2 in log energy, scaled by 0.5
  EXPECT_NEAR(products / 2000, 0, 0.08);            // the ends are independent
}

TEST(Augment, NoiseIsWhite) {
  AugmentConfig config;
  config.set_noise_deviation(0.1);
  Tensor<float, 2> x({2000, 15});
  RandomStream stream = Stream(0);
  Augment(config, kLayout, {}, &stream, x.view());
  double sum = 0, squares = 0, neighbours = 0;
  const auto values = x.span();
  for (size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    squares += values[i] * values[i];
    if (i > 0) neighbours += values[i] * values[i - 1];
  }
  EXPECT_NEAR(sum / values.size(), 0, 0.002);
  EXPECT_NEAR(squares / values.size(), 0.01, 0.0003);
  // Shares beyond one, two and three deviations, both sides together: 31.73 %, 4.55 %, 0.27 %.
  for (const auto& [limit, share] : {std::pair<float, double>{0.1f, 0.3173}, {0.2f, 0.0455}, {0.3f, 0.0027}}) {
    const auto beyond = std::count_if(values.begin(), values.end(), [l = limit](float x) { return std::abs(x) > l; });
    EXPECT_NEAR(static_cast<double>(beyond) / values.size(), share, 0.02 * std::sqrt(share) + 0.0005);
    const auto above = std::count_if(values.begin(), values.end(), [l = limit](float x) { return x > l; });
    EXPECT_NEAR(static_cast<double>(above) / values.size(), share / 2, 0.02 * std::sqrt(share) + 0.0005);
  }
  EXPECT_NEAR(neighbours / values.size(), 0, 0.0002);
}

TEST(Augment, BandMasksHideTheSameBinsInAllBlocksAndNeverTheEnergy) {
  AugmentConfig config;
  config.set_max_band_mask(2);
  std::set<std::pair<int, int>> seen;  // first bin, width
  for (int i = 0; i < 300; ++i) {
    Tensor<float, 2> x({3, 15});
    x.Fill(1);
    RandomStream stream = Stream(i);
    Augment(config, kLayout, {}, &stream, x.view());
    int first = -1, width = 0;
    for (int bin = 0; bin < 4; ++bin) {
      if (x.view()(0, 1 + bin) != 0) continue;
      if (first < 0) first = bin;
      ++width;
    }
    for (int t = 0; t < 3; ++t) {
      for (int d = 0; d < 15; ++d) {
        const int bin = d % 5 - 1;
        EXPECT_EQ(x.view()(t, d), bin >= 0 && bin >= first && bin < first + width ? 0 : 1);
      }
    }
    seen.insert({first, width});
  }
  // No mask, four masks of one bin, three of two.
  EXPECT_EQ(seen.size(), 8u);
}

TEST(Augment, TimeMasksHideWholeFramesUpToTheirShare) {
  AugmentConfig config;
  config.set_max_time_mask(0.25);
  std::set<int> widths;
  for (int i = 0; i < 300; ++i) {
    Tensor<float, 2> x({13, 15});  // floor(0.25 * 13) = 3
    x.Fill(1);
    RandomStream stream = Stream(i);
    Augment(config, kLayout, {}, &stream, x.view());
    int width = 0, changes = 0;
    for (int t = 0; t < 13; ++t) {
      for (int d = 1; d < 15; ++d) EXPECT_EQ(x.view()(t, d), x.view()(t, 0));
      width += x.view()(t, 0) == 0;
      changes += t > 0 && x.view()(t, 0) != x.view()(t - 1, 0);
    }
    EXPECT_LE(changes, 2);
    widths.insert(width);
  }
  EXPECT_EQ(widths, (std::set<int>{0, 1, 2, 3}));
}

TEST(Augment, NothingConfiguredChangesNothing) {
  Tensor<float, 2> x({3, 15});
  x.Fill(2);
  RandomStream stream = Stream(0);
  Augment(AugmentConfig(), kLayout, {}, &stream, x.view());
  for (const float value : x.span()) EXPECT_EQ(value, 2);
}

TEST(Augment, ConfigurationsOutsideTheirRangeNameTheField) {
  AugmentConfig config;
  EXPECT_TRUE(ValidateAugmentConfig(config).ok());
  config.add_speed(0);
  EXPECT_THAT(std::string(ValidateAugmentConfig(config).message()), HasSubstr("augment.speed: 0, expected 0.5 to 2"));
  config.Clear();
  config.set_noise_deviation(-1);
  EXPECT_THAT(std::string(ValidateAugmentConfig(config).message()), HasSubstr("augment.noise_deviation: -1"));
  config.set_noise_deviation(NAN);
  EXPECT_THAT(std::string(ValidateAugmentConfig(config).message()), HasSubstr("augment.noise_deviation: nan"));
}

AugmentConfig Everything() {
  AugmentConfig config;
  config.add_speed(0.9f);
  config.set_gain_deviation(1);
  config.set_equalizer_deviation(1);
  config.set_noise_deviation(0.1f);
  config.set_max_band_mask(4);
  config.set_max_time_mask(0.1f);
  return config;
}

TEST(Augment, WhatPrecomputedFeaturesDoNotHaveIsDropped) {
  AugmentConfig config = Everything();
  FeatureConfig features;
  EXPECT_THAT(DropUnfitAugment(features, &config), testing::IsEmpty());
  EXPECT_EQ(config.SerializeAsString(), Everything().SerializeAsString());
  features.set_precomputed_dims(40);
  EXPECT_THAT(DropUnfitAugment(features, &config),
              testing::ElementsAre("gain_deviation", "equalizer_deviation", "max_band_mask", "speed"));
  EXPECT_EQ(config.speed_size(), 0);
  EXPECT_FLOAT_EQ(config.gain_deviation() + config.equalizer_deviation() + config.max_band_mask(), 0);
  EXPECT_FLOAT_EQ(config.noise_deviation(), 0.1f);
  EXPECT_FLOAT_EQ(config.max_time_mask(), 0.1f);
  config.add_speed(1);  // as it is: nothing is lost
  EXPECT_THAT(DropUnfitAugment(features, &config), testing::IsEmpty());
}

// Cepstral coefficients have no bands; speed is of the audio, noise and masks over frames are of any features.
TEST(Augment, MfccHasNoMelBins) {
  FeatureConfig mfcc;
  mfcc.set_kind(FeatureConfig::MFCC);
  AugmentConfig config = Everything();
  EXPECT_THAT(DropUnfitAugment(mfcc, &config),
              testing::ElementsAre("gain_deviation", "equalizer_deviation", "max_band_mask"));
  EXPECT_EQ(config.speed_size(), 1);
  const FeatureLayout layout = FeatureLayout::FromConfig(mfcc);
  EXPECT_EQ(layout.dimensions(), 39);
}

}  // namespace
}  // namespace earshot
