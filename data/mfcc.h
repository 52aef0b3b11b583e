// Mel-frequency cepstral coefficients as Kaldi's compute-mfcc-feats makes them (without dither), or HTK's MFCC.
//
// c[k] = lifter[k] sqrt(2 / B) sum over bins b of log_mel[b] cos(pi k (b + 1/2) / B), c[0] with sqrt(1 / B); the
// log-mel bins are those of log_mel.h; lifter[k] = 1 + L / 2 sin(pi k / L). Columns: FeatureConfig.Kind.
#ifndef EARSHOT_DATA_MFCC_H_
#define EARSHOT_DATA_MFCC_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/tensor.h"
#include "data/data.pb.h"
#include "data/log_mel.h"

namespace earshot {

class Mfcc {
 public:
  // Errors: those of ValidateFeatureConfig and of MelFilterbank.
  static absl::StatusOr<Mfcc> Create(const FeatureConfig& config);

  // Writes the coefficients of every whole window of `waveform` (at config.sample_rate(), 16-bit scale) into the first
  // num_ceps columns of `out` [NumFrames(config, samples), >= num_ceps]. Thread-safe.
  void Compute(absl::Span<const float> waveform, TensorView<float, 2> out) const;

 private:
  Mfcc(const FeatureConfig& config, LogMel log_mel);

  FeatureConfig config_;
  LogMel log_mel_;
  std::vector<float> transform_;  // [num_ceps, bins], lifter included; row k is c[k]
};

}  // namespace earshot

#endif  // EARSHOT_DATA_MFCC_H_
