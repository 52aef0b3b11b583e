// Log-mel filterbank features as Kaldi's compute-fbank-feats makes them (without dither), or HTK's FBANK.
//
// For each whole window: the mean is subtracted (remove_dc_offset), the log energy ln(sum x^2) is taken, pre-emphasis
// x[n] - c x[n-1] is applied from the end (the first sample is its own predecessor), then the window function, the
// spectrum of the zero-padded window, the mel filters, and ln(max(floor, .)) with the floor FLT_EPSILON (ln = -15.94).
#ifndef EARSHOT_DATA_LOG_MEL_H_
#define EARSHOT_DATA_LOG_MEL_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/tensor.h"
#include "data/data.pb.h"
#include "data/mel_filterbank.h"

namespace earshot {

class LogMel {
 public:
  // Errors: those of ValidateFeatureConfig and of MelFilterbank.
  static absl::StatusOr<LogMel> Create(const FeatureConfig& config);

  // Writes the statics of every whole window of `waveform` (at config.sample_rate(), 16-bit scale) into the first
  // NumStatics(config) columns of `out` [NumFrames(config, samples), >= NumStatics(config)]. Thread-safe.
  void Compute(absl::Span<const float> waveform, TensorView<float, 2> out) const;

 private:
  LogMel(const FeatureConfig& config, MelFilterbank filterbank);
  // DC offset, energy, pre-emphasis, window. Returns sum x^2 before pre-emphasis; `padded` [FftLength].
  double Prepare(absl::Span<const float> samples, absl::Span<float> padded) const;

  FeatureConfig config_;
  MelFilterbank filterbank_;
  std::vector<float> window_;  // [WindowLength]
};

}  // namespace earshot

#endif  // EARSHOT_DATA_LOG_MEL_H_
