// What a FeatureConfig means in samples, columns and Hz.
#ifndef EARSHOT_DATA_FEATURE_CONFIG_H_
#define EARSHOT_DATA_FEATURE_CONFIG_H_

#include <cstdint>

#include "absl/status/status.h"
#include "data/data.pb.h"

namespace earshot {

// Every field within its range, a shift of at least one sample, filter edges in order and below half the sample rate.
// Errors name the field ("features.sample_rate"), its value and what is expected.
absl::Status ValidateFeatureConfig(const FeatureConfig& config);

// The functions below expect a valid configuration.
int WindowLength(const FeatureConfig& config);  // samples, rounded down: 551 for 25 ms at 22050 Hz
int WindowShift(const FeatureConfig& config);   // samples, rounded down
int FftLength(const FeatureConfig& config);     // the smallest power of two that holds a window
float UpperEdge(const FeatureConfig& config);   // Hz, high_frequency or half the sample rate
int NumStatics(const FeatureConfig& config);    // 41: log energy, then the bins; or num_ceps; or precomputed_dims
int NumFeatures(const FeatureConfig& config);   // 123: statics, deltas, delta-deltas
bool HasMelBins(const FeatureConfig& config);   // whether the statics are known to be log energies of mel bins

// Whole windows only: 1 + floor((samples - window) / shift), 0 for less than a window.
int64_t NumFrames(const FeatureConfig& config, int64_t samples);

}  // namespace earshot

#endif  // EARSHOT_DATA_FEATURE_CONFIG_H_
