#include "data/feature_config.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "data/audio_file.h"

namespace earshot {
namespace {

constexpr int kMaxMelBins = 512;

absl::Status Error(absl::string_view field, double value, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat("features.", field, ": ", value, "; ", expected, " expected"));
}

// Also false for NaN.
bool Within(double value, double low, double high) { return value >= low && value <= high; }

// Milliseconds are single precision: 9.9 ms at 10 kHz is 98.999996 samples and means 99.
int Samples(const FeatureConfig& config, float milliseconds) {
  return static_cast<int>(std::floor(config.sample_rate() * static_cast<double>(milliseconds) / 1000 + 1e-4));
}

absl::Status ValidateFrames(const FeatureConfig& config) {
  if (!Within(config.sample_rate(), kMinSampleRate, kMaxSampleRate)) {
    return Error("sample_rate", config.sample_rate(), absl::StrCat(kMinSampleRate, " to ", kMaxSampleRate, " Hz"));
  }
  // A window needs two samples, or its shape is not defined.
  if (!Within(config.frame_length_ms(), 0, 1000) || WindowLength(config) < 2) {
    return Error("frame_length_ms", config.frame_length_ms(), "at least two samples, at most 1000 ms");
  }
  if (!Within(config.frame_shift_ms(), 0, 1000) || WindowShift(config) < 1) {
    return Error("frame_shift_ms", config.frame_shift_ms(), "at least one sample, at most 1000 ms");
  }
  if (!Within(config.preemphasis(), 0, 1)) return Error("preemphasis", config.preemphasis(), "0 to 1");
  if (!Within(config.delta_order(), 0, 2)) return Error("delta_order", config.delta_order(), "0, 1 or 2");
  if (!Within(config.delta_window(), 1, 100)) return Error("delta_window", config.delta_window(), "1 to 100 frames");
  return absl::OkStatus();
}

absl::Status ValidateFilters(const FeatureConfig& config) {
  const double nyquist = 0.5 * config.sample_rate();
  if (!Within(config.num_mel_bins(), 1, kMaxMelBins)) {
    return Error("num_mel_bins", config.num_mel_bins(), absl::StrCat("1 to ", kMaxMelBins));
  }
  if (!Within(config.high_frequency(), 0, nyquist)) {
    return Error("high_frequency", config.high_frequency(),
                 absl::StrCat("0 to ", nyquist, " Hz (half of sample_rate ", config.sample_rate(), " Hz)"));
  }
  if (!(config.low_frequency() >= 0 && config.low_frequency() < UpperEdge(config))) {
    return Error("low_frequency", config.low_frequency(), absl::StrCat("0 to below ", UpperEdge(config), " Hz"));
  }
  if (!Within(config.vtln_warp(), 0.5, 2)) return Error("vtln_warp", config.vtln_warp(), "0.5 to 2");
  if (config.vtln_warp() == 1) return absl::OkStatus();
  const double high = config.vtln_high_frequency() + (config.vtln_high_frequency() > 0 ? 0 : nyquist);
  if (!(config.vtln_low_frequency() > config.low_frequency() && config.vtln_low_frequency() < high)) {
    return Error("vtln_low_frequency", config.vtln_low_frequency(),
                 absl::StrCat("above low_frequency ", config.low_frequency(), " Hz and below ", high, " Hz"));
  }
  if (!(high < UpperEdge(config))) {
    return Error("vtln_high_frequency", config.vtln_high_frequency(),
                 absl::StrCat("a frequency below the last filter's edge at ", UpperEdge(config), " Hz"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateFeatureConfig(const FeatureConfig& config) {
  RETURN_IF_ERROR(ValidateFrames(config));
  if (!Within(config.precomputed_dims(), 0, 65536)) {
    return Error("precomputed_dims", config.precomputed_dims(), "0 to 65536");
  }
  RETURN_IF_ERROR(ValidateFilters(config));
  const int most = config.kind() == FeatureConfig::MFCC ? config.num_mel_bins() : kMaxMelBins;
  if (!Within(config.num_ceps(), 1, most)) {
    return Error("num_ceps", config.num_ceps(), absl::StrCat("1 to num_mel_bins ", most));
  }
  if (!Within(config.cepstral_lifter(), 0, 1000)) {
    return Error("cepstral_lifter", config.cepstral_lifter(), "0 to 1000");
  }
  return absl::OkStatus();
}

int WindowLength(const FeatureConfig& config) { return Samples(config, config.frame_length_ms()); }

int WindowShift(const FeatureConfig& config) { return Samples(config, config.frame_shift_ms()); }

int FftLength(const FeatureConfig& config) {
  int length = 2;
  while (length < WindowLength(config)) length *= 2;
  return length;
}

float UpperEdge(const FeatureConfig& config) {
  return config.high_frequency() > 0 ? config.high_frequency() : 0.5f * config.sample_rate();
}

int NumStatics(const FeatureConfig& config) {
  if (config.precomputed_dims() > 0) return config.precomputed_dims();
  if (config.kind() == FeatureConfig::MFCC) return config.num_ceps();
  return config.num_mel_bins() + (config.energy() == FeatureConfig::NO_ENERGY ? 0 : 1);
}

int NumFeatures(const FeatureConfig& config) { return NumStatics(config) * (1 + config.delta_order()); }

bool HasMelBins(const FeatureConfig& config) {
  return config.precomputed_dims() == 0 && config.kind() == FeatureConfig::LOG_MEL;
}

int64_t NumFrames(const FeatureConfig& config, int64_t samples) {
  const int64_t window = WindowLength(config);
  return samples < window ? 0 : 1 + (samples - window) / WindowShift(config);
}

}  // namespace earshot
