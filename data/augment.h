// Changes of normalised training features: random gain and equaliser, white noise, masks over mel bins and over frames
// (SpecAugment: Park et al., arXiv 1904.08779). The speed of an utterance is drawn here too, but applied to its
// waveform.
#ifndef EARSHOT_DATA_AUGMENT_H_
#define EARSHOT_DATA_AUGMENT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/random.h"
#include "base/tensor.h"
#include "data/data.pb.h"

namespace earshot {

// Which column of a feature matrix is what: blocks of statics, deltas, delta-deltas; each block is [energy?] bins.
struct FeatureLayout {
  int num_blocks = 3;
  bool energy = true;
  int num_bins = 40;

  static FeatureLayout FromConfig(const FeatureConfig& config);
  int block() const { return num_bins + (energy ? 1 : 0); }
  int dimensions() const { return num_blocks * block(); }
};

// InvalidArgument names the field and its value.
absl::Status ValidateAugmentConfig(const AugmentConfig& config);

// Takes out of `config` what features of this kind do not have: bands, gain and equaliser without mel bins (MFCC,
// precomputed features), and speed of precomputed ones. Returns the names of the fields that were changed.
std::vector<std::string> DropUnfitAugment(const FeatureConfig& features, AugmentConfig* config);

// Index into config.speed() (0 when it is empty): the first draw of an utterance's stream.
int DrawSpeed(const AugmentConfig& config, RandomStream* stream);

// The other draws, applied in place to `features` [frames, layout.dimensions()], already normalised. In this order:
//  gain    one number a ~ N(0, gain_deviation) in units of log energy is added to all statics (`statics_scale` [block]
//          holds the factors of their normalisation, 1 / deviation); deltas of a constant are zero, so they stay.
//  equaliser  a random curve over the mel bins (N(0, equalizer_deviation) at 5 knots, linear between them), in units of
//          log energy and with the same factors, is added to the static bins of all frames: another microphone or room.
//  noise   every element += N(0, noise_deviation), from 2^16 equally likely values.
//  bands   num_band_masks times: width ~ U{0..max_band_mask} bins, set to 0 (the mean) in every block.
//  frames  num_time_masks times: width ~ U{0..floor(max_time_mask * frames)}, all columns set to 0.
void Augment(const AugmentConfig& config, const FeatureLayout& layout, absl::Span<const float> statics_scale,
             RandomStream* stream, TensorView<float, 2> features);

}  // namespace earshot

#endif  // EARSHOT_DATA_AUGMENT_H_
