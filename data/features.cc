#include "data/features.h"

#include <algorithm>
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

absl::Status CheckFinite(absl::string_view name, absl::Span<const float> features, int dims) {
  const int64_t bad = FirstNotFinite(features);
  if (bad < 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": feature ", bad % dims, " of frame ", bad / dims, " is not finite"));
}

void AppendDeltas(const FeatureConfig& config, TensorView<float, 2> features) {
  AppendDeltas(config.delta_order(), config.delta_window(),
               config.htk_compatible() ? DeltaEdges::kHtk : DeltaEdges::kKaldi, features);
}

}  // namespace

absl::StatusOr<FeatureExtractor> FeatureExtractor::Create(const FeatureConfig& config) {
  if (config.kind() == FeatureConfig::MFCC) {
    ASSIGN_OR_RETURN(Mfcc mfcc, Mfcc::Create(config));
    return FeatureExtractor(config, std::move(mfcc));
  }
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
      return absl::InvalidArgumentError(absl::StrCat(name, ": sample rate ", sample_rate, " Hz; ",
                                                     config_.sample_rate(),
                                                     " Hz expected (features.sample_rate; or resample: true)"));
    }
    absl::StatusOr<std::vector<float>> converted = Resample(waveform, sample_rate, config_.sample_rate());
    if (!converted.ok()) return Annotate(converted.status(), name);
    resampled = *std::move(converted);
    waveform = resampled;
  }
  features->Resize({NumFrames(config_, waveform.size()), dims()});
  std::visit([&](const auto& statics) { statics.Compute(waveform, features->view()); }, statics_);
  AppendDeltas(config_, features->view());
  const absl::Status finite = CheckFinite(name, features->span(), dims());
  if (!finite.ok()) return absl::InvalidArgumentError(absl::StrCat(finite.message(), ": samples are too large"));
  return absl::OkStatus();
}

absl::Status FeatureExtractor::Compute(const Utterance& utterance, Tensor<float, 2>* features) const {
  const int columns = config_.precomputed_dims();
  if (utterance.feature_dims != columns) {
    const auto what = [](int dims) { return dims > 0 ? absl::StrCat("features of ", dims, " columns") : "audio"; };
    return absl::InvalidArgumentError(absl::StrCat(utterance.id, ": ", what(utterance.feature_dims), "; ",
                                                   what(columns), " expected (features.precomputed_dims is ", columns,
                                                   ")"));
  }
  if (columns == 0) return Compute(utterance.id, utterance.waveform, utterance.sample_rate, features);
  RETURN_IF_ERROR(CheckFinite(utterance.id, utterance.features, columns));
  const int64_t frames = static_cast<int64_t>(utterance.features.size()) / columns;
  features->Resize({frames, dims()});
  for (int64_t t = 0; t < frames; ++t) {
    std::copy_n(&utterance.features[t * columns], columns, features->view().row(t).begin());
  }
  AppendDeltas(config_, features->view());
  return CheckFinite(utterance.id, features->span(), dims());
}

}  // namespace earshot
