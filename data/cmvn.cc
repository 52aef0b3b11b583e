#include "data/cmvn.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace earshot {

void MomentAccumulator::Add(TensorView<const float, 2> features) {
  const int64_t dims = features.dim(1);
  if (count_ == 0) {
    mean_.assign(dims, 0);
    squares_.assign(dims, 0);
  }
  CHECK_EQ(dims, static_cast<int64_t>(mean_.size()));
  for (int64_t t = 0; t < features.dim(0); ++t) {
    ++count_;
    const absl::Span<const float> x = features.row(t);
    for (int64_t d = 0; d < dims; ++d) {
      const double before = x[d] - mean_[d];
      mean_[d] += before / count_;
      squares_[d] += before * (x[d] - mean_[d]);
    }
  }
}

std::vector<double> MomentAccumulator::Variance() const {
  CHECK_GT(count_, 0);
  std::vector<double> variance(squares_.size());
  for (size_t d = 0; d < variance.size(); ++d) variance[d] = squares_[d] / count_;
  return variance;
}

NormalizationStats MomentAccumulator::Stats(bool normalize_variance) const {
  NormalizationStats stats;
  stats.mean.assign(mean_.begin(), mean_.end());
  for (double variance : Variance()) {
    stats.inverse_deviation.push_back(!normalize_variance          ? 1
                                      : variance <= kVarianceFloor ? 0
                                                                   : 1 / std::sqrt(variance));
  }
  return stats;
}

void Normalize(const NormalizationStats& stats, TensorView<float, 2> features) {
  CHECK_EQ(features.dim(1), static_cast<int64_t>(stats.mean.size()));
  CHECK_EQ(stats.mean.size(), stats.inverse_deviation.size());
  for (int64_t t = 0; t < features.dim(0); ++t) {
    const absl::Span<float> x = features.row(t);
    for (size_t d = 0; d < x.size(); ++d) x[d] = (x[d] - stats.mean[d]) * stats.inverse_deviation[d];
  }
}

void Normalizer::Accumulate(absl::string_view speaker, TensorView<const float, 2> features) {
  if (kind_ == FeatureConfig::GLOBAL) moments_[""].Add(features);
  if (kind_ == FeatureConfig::SPEAKER) moments_[std::string(speaker)].Add(features);
}

absl::StatusOr<NormalizationStats> Normalizer::Global() const {
  if (!global_.mean.empty()) return global_;
  const auto found = moments_.find("");
  if (kind_ != FeatureConfig::GLOBAL || found == moments_.end() || found->second.count() == 0) {
    return absl::FailedPreconditionError("no global feature statistics: no frame of a training set was seen");
  }
  return found->second.Stats(normalize_variance_);
}

absl::StatusOr<NormalizationStats> Normalizer::Find(absl::string_view speaker,
                                                    TensorView<const float, 2> features) const {
  if (kind_ == FeatureConfig::GLOBAL) return Global();
  if (kind_ == FeatureConfig::UTTERANCE) {
    MomentAccumulator moments;
    moments.Add(features);
    return moments.Stats(normalize_variance_);
  }
  const auto found = moments_.find(std::string(speaker));
  if (found == moments_.end() || found->second.count() == 0) {
    return absl::FailedPreconditionError(absl::StrCat("no feature statistics of speaker \"", speaker, "\""));
  }
  return found->second.Stats(normalize_variance_);
}

absl::Status Normalizer::Apply(absl::string_view speaker, TensorView<float, 2> features) const {
  if (kind_ == FeatureConfig::NONE || features.dim(0) == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const NormalizationStats stats, Find(speaker, features));
  const int64_t dims = stats.mean.size();
  if (dims != features.dim(1) || stats.inverse_deviation.size() != stats.mean.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("feature statistics of ", dims, " dimensions; ", features.dim(1), " expected"));
  }
  Normalize(stats, features);
  return absl::OkStatus();
}

}  // namespace earshot
