#include "data/resample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace earshot {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<float> Sine(double frequency, int sample_rate, int samples) {
  std::vector<float> signal(samples);
  for (int n = 0; n < samples; ++n) signal[n] = 10000 * std::sin(2 * M_PI * frequency * n / sample_rate);
  return signal;
}

TEST(Resample, EqualRatesAreIdentity) {
  const std::vector<float> x = {1, -2.5, 32767, 1e-30};
  EXPECT_EQ(*Resample(x, 8000, 8000), x);
}

TEST(Resample, LengthIsRoundedUp) {
  const struct {
    int samples, from, to, expected;
  } kCases[] = {{0, 8000, 16000, 0},      {1, 8000, 16000, 2},       {1, 16000, 8000, 1},
                {3, 16000, 8000, 2},      {441, 44100, 16000, 160},  {442, 44100, 16000, 161},
                {100, 44100, 48000, 109}, {16001, 16000, 8000, 8001}};
  for (const auto& c : kCases) {
    EXPECT_EQ(ResampledLength(c.samples, c.from, c.to), c.expected);
    const auto resampled = Resample(std::vector<float>(c.samples, 1.0f), c.from, c.to);
    ASSERT_TRUE(resampled.ok()) << resampled.status();
    EXPECT_EQ(resampled->size(), static_cast<size_t>(c.expected)) << c.samples << " " << c.from << " " << c.to;
  }
}

// A sine within both bands is the same sine at the other rate: no delay, no change of level.
TEST(Resample, SineKeepsPhaseAndLevel) {
  const struct {
    int from, to;
  } kRates[] = {{8000, 16000}, {16000, 8000}, {44100, 16000}, {48000, 16000}, {11025, 16000}, {22050, 8000}};
  for (const auto& rates : kRates) {
    const auto actual = Resample(Sine(1000, rates.from, rates.from), rates.from, rates.to);
    ASSERT_TRUE(actual.ok()) << actual.status();
    const std::vector<float> expected = Sine(1000, rates.to, rates.to);
    double worst = 0;
    // Outside 50 ms from the edges, where the silence before and after the signal rings.
    for (int n = rates.to / 20; n < rates.to - rates.to / 20; ++n) {
      worst = std::max<double>(worst, std::abs((*actual)[n] - expected[n]));
    }
    EXPECT_LT(worst, 1.0) << rates.from << " to " << rates.to;  // 80 dB below the sine
  }
}

TEST(Resample, WhatTheNewRateCannotHoldIsRemoved) {
  const auto actual = Resample(Sine(6000, 16000, 16000), 16000, 8000);
  ASSERT_TRUE(actual.ok());
  for (size_t n = 400; n + 400 < actual->size(); ++n) ASSERT_LT(std::abs((*actual)[n]), 1.0) << n;
}

TEST(Resample, ImpossibleRates) {
  const std::vector<float> x(10);
  EXPECT_THAT(Resample(x, 384000, 1000).status().message(), AllOf(HasSubstr("384000"), HasSubstr("1000 Hz")));
  EXPECT_FALSE(Resample(x, 0, 8000).ok());
  EXPECT_FALSE(Resample(x, 8000, -1).ok());
}

}  // namespace
}  // namespace earshot
