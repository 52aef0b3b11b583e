#include "data/mfcc.h"

#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/status_macros.h"
#include "data/feature_config.h"

namespace earshot {
namespace {

double Lifter(double strength, int k) { return strength == 0 ? 1 : 1 + strength / 2 * std::sin(M_PI * k / strength); }

// The bins, behind the log energy if that is wanted.
FeatureConfig LogMelConfig(const FeatureConfig& config) {
  FeatureConfig log_mel = config;
  log_mel.clear_kind();
  log_mel.clear_precomputed_dims();
  return log_mel;
}

}  // namespace

Mfcc::Mfcc(const FeatureConfig& config, LogMel log_mel) : config_(config), log_mel_(std::move(log_mel)) {
  const int bins = config.num_mel_bins();
  for (int k = 0; k < config.num_ceps(); ++k) {
    // HTK's c0 is a plain sum times sqrt(2 / B).
    const double norm = std::sqrt((k == 0 && !config.htk_compatible() ? 1.0 : 2.0) / bins);
    for (int b = 0; b < bins; ++b) {
      transform_.push_back(Lifter(config.cepstral_lifter(), k) * norm * std::cos(M_PI * k * (b + 0.5) / bins));
    }
  }
}

absl::StatusOr<Mfcc> Mfcc::Create(const FeatureConfig& config) {
  RETURN_IF_ERROR(ValidateFeatureConfig(config));
  ASSIGN_OR_RETURN(LogMel log_mel, LogMel::Create(LogMelConfig(config)));
  return Mfcc(config, std::move(log_mel));
}

void Mfcc::Compute(absl::Span<const float> waveform, TensorView<float, 2> out) const {
  const int64_t frames = NumFrames(config_, waveform.size());
  const int bins = config_.num_mel_bins(), ceps = config_.num_ceps();
  const bool has_energy = config_.energy() != FeatureConfig::NO_ENERGY;
  CHECK_EQ(out.dim(0), frames);
  if (frames == 0) return;
  CHECK_GE(out.dim(1), ceps);
  Tensor<float, 2> log_mel({frames, bins + (has_energy ? 1 : 0)});
  log_mel_.Compute(waveform, log_mel.view());
  for (int64_t t = 0; t < frames; ++t) {
    absl::Span<const float> row = log_mel.view().row(t);
    const absl::Span<float> coefficients = out.row(t).first(ceps);
    const float energy = row[0];
    if (has_energy) row.remove_prefix(1);
    for (int k = 0; k < ceps; ++k) {
      const float* const weights = &transform_[k * bins];
      float sum = 0;
      for (int b = 0; b < bins; ++b) sum += weights[b] * row[b];
      if (k == 0 && has_energy) sum = energy;
      // HTK puts c0 or the energy last.
      coefficients[config_.htk_compatible() ? (k + ceps - 1) % ceps : k] = sum;
    }
  }
}

}  // namespace earshot
