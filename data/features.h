// From a waveform to the matrix that the network sees, before normalisation (cmvn.h).
#ifndef EARSHOT_DATA_FEATURES_H_
#define EARSHOT_DATA_FEATURES_H_

#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/tensor.h"
#include "data/data.pb.h"
#include "data/feature_config.h"
#include "data/log_mel.h"
#include "data/mfcc.h"
#include "data/utterance.h"

namespace earshot {

class FeatureExtractor {
 public:
  // Errors name the field of the configuration.
  static absl::StatusOr<FeatureExtractor> Create(const FeatureConfig& config);

  int dims() const { return NumFeatures(config_); }
  const FeatureConfig& config() const { return config_; }

  // `features` becomes [frames, dims()]: statics, deltas, delta-deltas. A waveform shorter than one window gives 0
  // frames; the caller skips such an utterance by its name. Thread-safe.
  // `waveform` is mono in 16-bit scale at `sample_rate` Hz. Errors, with `name` (a file or an utterance id) in front: a
  // rate that is not the configured one, unless config.resample(); a sample that is not finite, or so large that the
  // features are not.
  absl::Status Compute(absl::string_view name, absl::Span<const float> waveform, int sample_rate,
                       Tensor<float, 2>* features) const;
  // Of the utterance's waveform, or, with config.precomputed_dims(), of the features that it brings. An utterance that
  // has the other of the two, or another number of columns, is an error.
  absl::Status Compute(const Utterance& utterance, Tensor<float, 2>* features) const;

 private:
  using Statics = std::variant<LogMel, Mfcc>;
  FeatureExtractor(const FeatureConfig& config, Statics statics) : config_(config), statics_(std::move(statics)) {}

  FeatureConfig config_;
  Statics statics_;
};

}  // namespace earshot

#endif  // EARSHOT_DATA_FEATURES_H_
