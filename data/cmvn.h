// Mean and variance normalisation of features: per utterance, per speaker, or with the statistics of a training set.
#ifndef EARSHOT_DATA_CMVN_H_
#define EARSHOT_DATA_CMVN_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/tensor.h"
#include "data/data.pb.h"

namespace earshot {

// A dimension whose variance is at or below this counts as constant: it becomes exactly 0. (Log-mel features in single
// precision carry rounding noise of a variance of about 1e-12; those of speech have variances of 1 and more.)
constexpr double kVarianceFloor = 1e-8;

// Normalised = (x - mean) * inverse_deviation, dimension by dimension. This is what a checkpoint stores.
struct NormalizationStats {
  std::vector<float> mean;               // [D]
  std::vector<float> inverse_deviation;  // [D]; 0 for constant dimensions
};

// Mean and (biased) variance in double by Welford's update, which does not cancel like E[x^2] - E[x]^2.
class MomentAccumulator {
 public:
  // Every frame (row) of `features` [T, D]; D is the same in all calls. Only real frames: padding must not come here.
  void Add(TensorView<const float, 2> features);

  int64_t count() const { return count_; }  // frames
  const std::vector<double>& mean() const { return mean_; }
  std::vector<double> Variance() const;

  // Without variance normalisation, inverse_deviation is 1 everywhere. Needs count() > 0.
  NormalizationStats Stats(bool normalize_variance) const;

 private:
  int64_t count_ = 0;
  std::vector<double> mean_, squares_;  // [D]; sum of squared distances to the mean
};

// In place. The statistics have as many dimensions as `features`.
void Normalize(const NormalizationStats& stats, TensorView<float, 2> features);

// The normalisation that a FeatureConfig asks for. GLOBAL: Accumulate() the training set once, or SetGlobal() from a
// checkpoint. SPEAKER: Accumulate() all utterances of a set before any of them is normalised. UTTERANCE, NONE: nothing.
class Normalizer {
 public:
  explicit Normalizer(const FeatureConfig& config)
      : kind_(config.normalization()), normalize_variance_(config.normalize_variance()) {}

  void Accumulate(absl::string_view speaker, TensorView<const float, 2> features);
  void SetGlobal(NormalizationStats stats) { global_ = std::move(stats); }
  // For the checkpoint; FailedPrecondition when there are none yet.
  absl::StatusOr<NormalizationStats> Global() const;

  // Thread-safe as long as no Accumulate() runs. Errors: no statistics (of this speaker, who is named), or statistics
  // of another number of dimensions.
  absl::Status Apply(absl::string_view speaker, TensorView<float, 2> features) const;

 private:
  absl::StatusOr<NormalizationStats> Find(absl::string_view speaker, TensorView<const float, 2> features) const;

  FeatureConfig::Normalization kind_;
  bool normalize_variance_;
  std::map<std::string, MomentAccumulator> moments_;  // by speaker; all frames under "" with GLOBAL
  NormalizationStats global_;                         // empty until SetGlobal()
};

}  // namespace earshot

#endif  // EARSHOT_DATA_CMVN_H_
