#include "data/augment.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "data/feature_config.h"

namespace earshot {
namespace {

absl::Status CheckRange(const char* field, double value, double low, double high) {
  if (value >= low && value <= high) return absl::OkStatus();  // false for NaN
  return absl::InvalidArgumentError(absl::StrCat("augment.", field, ": ", value, ", expected ", low, " to ", high));
}

// A mask's first item and its width, of `count` items.
std::pair<int64_t, int64_t> DrawMask(int64_t max_width, int64_t count, RandomStream* stream) {
  const int64_t width = std::min<int64_t>(stream->Below(static_cast<uint32_t>(max_width) + 1), count);
  return {stream->Below(static_cast<uint32_t>(count - width) + 1), width};
}

// A random piecewise linear curve over the mel bins: one draw of N(0, deviation) at each of kEqualizerKnots equally
// spaced bins.
constexpr int kEqualizerKnots = 5;
std::vector<float> DrawEqualizer(float deviation, int num_bins, RandomStream* stream) {
  float knots[kEqualizerKnots];
  for (float& knot : knots) knot = deviation * stream->Normal();
  std::vector<float> curve(num_bins);
  for (int bin = 0; bin < num_bins; ++bin) {
    const float at = num_bins > 1 ? bin * (kEqualizerKnots - 1.0f) / (num_bins - 1) : 0;
    const int left = std::min(static_cast<int>(at), kEqualizerKnots - 2);
    curve[bin] = knots[left] + (at - left) * (knots[left + 1] - knots[left]);
  }
  return curve;
}

// The magnitudes of a normal variable at 2^15 equally likely places: quantiles of |N(0, 1)|, by Newton's method on the
// tail probability. 16 random bits then make a number, some six times faster than Box-Muller does.
std::vector<float> MakeNormalMagnitudes() {
  constexpr int kPlaces = 1 << 15;
  std::vector<float> magnitudes(kPlaces);
  double z = 0;
  for (int i = 0; i < kPlaces; ++i) {
    const double tail = 0.5 * (1 - (i + 0.5) / kPlaces);
    for (int iteration = 0; iteration < 8; ++iteration) {  // from below: the tail is convex, so no overshoot
      const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * M_PI);
      z += (0.5 * std::erfc(z / std::sqrt(2.0)) - tail) / density;
    }
    magnitudes[i] = static_cast<float>(z);
  }
  return magnitudes;
}

void AddNoise(float deviation, RandomStream* stream, absl::Span<float> values) {
  static const auto& magnitudes = *new std::vector<float>(MakeNormalMagnitudes());
  const auto number = [&](uint32_t bits) {  // 15 bits of magnitude, one of sign
    return bits & 0x8000 ? -magnitudes[bits & 0x7fff] : magnitudes[bits & 0x7fff];
  };
  for (size_t i = 0; i < values.size(); i += 2) {
    const uint32_t bits = stream->Bits();
    values[i] += deviation * number(bits & 0xffff);
    if (i + 1 < values.size()) values[i + 1] += deviation * number(bits >> 16);
  }
}

void MaskBands(const FeatureLayout& layout, int64_t first, int64_t width, TensorView<float, 2> features) {
  for (int64_t t = 0; t < features.dim(0); ++t) {
    for (int block = 0; block < layout.num_blocks; ++block) {
      float* bins = &features(t, block * layout.block() + (layout.energy ? 1 : 0));
      std::fill_n(bins + first, width, 0.0f);
    }
  }
}

}  // namespace

FeatureLayout FeatureLayout::FromConfig(const FeatureConfig& config) {
  FeatureLayout layout;
  layout.num_blocks = config.delta_order() + 1;
  layout.energy = HasMelBins(config) && config.energy() != FeatureConfig::NO_ENERGY;
  layout.num_bins = NumStatics(config) - (layout.energy ? 1 : 0);
  return layout;
}

absl::Status ValidateAugmentConfig(const AugmentConfig& config) {
  for (const float speed : config.speed()) RETURN_IF_ERROR(CheckRange("speed", speed, 0.5, 2));
  RETURN_IF_ERROR(CheckRange("gain_deviation", config.gain_deviation(), 0, 20));
  RETURN_IF_ERROR(CheckRange("equalizer_deviation", config.equalizer_deviation(), 0, 20));
  RETURN_IF_ERROR(CheckRange("noise_deviation", config.noise_deviation(), 0, 10));
  RETURN_IF_ERROR(CheckRange("max_band_mask", config.max_band_mask(), 0, 1000));
  RETURN_IF_ERROR(CheckRange("num_band_masks", config.num_band_masks(), 0, 100));
  RETURN_IF_ERROR(CheckRange("max_time_mask", config.max_time_mask(), 0, 1));
  RETURN_IF_ERROR(CheckRange("num_time_masks", config.num_time_masks(), 0, 100));
  return absl::OkStatus();
}

std::vector<std::string> DropUnfitAugment(const FeatureConfig& features, AugmentConfig* config) {
  std::vector<std::string> dropped;
  if (HasMelBins(features)) return dropped;
  const auto drop = [&](const char* field, bool used) {
    if (used) dropped.push_back(field);
  };
  drop("gain_deviation", config->gain_deviation() > 0);
  drop("equalizer_deviation", config->equalizer_deviation() > 0);
  drop("max_band_mask", config->max_band_mask() > 0);
  config->clear_gain_deviation();
  config->clear_equalizer_deviation();
  config->clear_max_band_mask();
  if (features.precomputed_dims() == 0) return dropped;
  drop("speed", config->speed_size() > 0 && (config->speed_size() > 1 || config->speed(0) != 1));
  config->clear_speed();
  return dropped;
}

int DrawSpeed(const AugmentConfig& config, RandomStream* stream) {
  if (config.speed_size() == 0) return 0;
  return static_cast<int>(stream->Below(config.speed_size()));
}

void Augment(const AugmentConfig& config, const FeatureLayout& layout, absl::Span<const float> statics_scale,
             RandomStream* stream, TensorView<float, 2> features) {
  const int64_t frames = features.dim(0);
  if (config.gain_deviation() > 0) {
    CHECK_EQ(features.dim(1), layout.dimensions());
    CHECK_EQ(static_cast<int>(statics_scale.size()), layout.block());
    const float gain = config.gain_deviation() * stream->Normal();
    for (int64_t t = 0; t < frames; ++t) {
      for (int d = 0; d < layout.block(); ++d) features(t, d) += gain * statics_scale[d];
    }
  }
  if (config.equalizer_deviation() > 0) {
    CHECK_EQ(features.dim(1), layout.dimensions());
    CHECK_EQ(static_cast<int>(statics_scale.size()), layout.block());
    const int first = layout.energy ? 1 : 0;
    const std::vector<float> curve = DrawEqualizer(config.equalizer_deviation(), layout.num_bins, stream);
    for (int64_t t = 0; t < frames; ++t) {
      for (int bin = 0; bin < layout.num_bins; ++bin) {
        features(t, first + bin) += curve[bin] * statics_scale[first + bin];
      }
    }
  }
  if (config.noise_deviation() > 0) {
    AddNoise(config.noise_deviation(), stream, features.span());
  }
  if (config.max_band_mask() > 0) {
    CHECK_EQ(features.dim(1), layout.dimensions());
    for (int i = 0; i < config.num_band_masks(); ++i) {
      const auto [first, width] = DrawMask(config.max_band_mask(), layout.num_bins, stream);
      MaskBands(layout, first, width, features);
    }
  }
  if (config.max_time_mask() > 0) {
    const int64_t max_width = static_cast<int64_t>(std::floor(config.max_time_mask() * frames));
    for (int i = 0; i < config.num_time_masks(); ++i) {
      const auto [first, width] = DrawMask(max_width, frames, stream);
      std::fill_n(features.data() + first * features.dim(1), width * features.dim(1), 0.0f);
    }
  }
}

}  // namespace earshot
