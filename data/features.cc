#include "data/features.h"

#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "data/deltas.h"
#include "data/resample.h"

namespace earshot {
namespace {

// Index of the first value that is NaN or infinite; -1 when there is none.
int64_t FirstNotFinite(absl::Span<const float> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return i;
  }
  return -1;
}

}  // namespace

absl::StatusOr<FeatureExtractor> FeatureExtractor::Create(const FeatureConfig& config) {
  ASSIGN_OR_RETURN(LogMel log_mel, LogMel::Create(config));
  return FeatureExtractor(config, std::move(log_mel));
}

absl::Status FeatureExtractor::Compute(absl::string_view name, absl::Span<const float> waveform, int sample_rate,
                                       Tensor<float, 2>* features) const {
  const int64_t bad_sample = FirstNotFinite(waveform);
  if (bad_sample >= 0) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": sample ", bad_sample, " is NaN or infinite"));
  }
  std::vector<float> resampled;
  if (sample_rate != config_.sample_rate()) {
    if (!config_.resample()) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ": sample rate ", sample_rate, " Hz; ", config_.sample_rate(),
                       " Hz expected (or `resample: true` in the feature configuration)"));
    }
    absl::StatusOr<std::vector<float>> converted = Resample(waveform, sample_rate, config_.sample_rate());
    if (!converted.ok()) return Annotate(converted.status(), name);
    resampled = *std::move(converted);
    waveform = resampled;
  }
  features->Resize({NumFrames(config_, waveform.size()), dims()});
  log_mel_.Compute(waveform, features->view());
  AppendDeltas(config_.delta_order(), config_.delta_window(), features->view());
  const int64_t bad = FirstNotFinite(features->span());
  if (bad >= 0) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": feature ", bad % dims(), " of frame ", bad / dims(),
                                                   " is not finite: samples are too large"));
  }
  return absl::OkStatus();
}

}  // namespace earshot
