// Sample rate conversion by band-limited interpolation (libsamplerate).
#ifndef EARSHOT_DATA_RESAMPLE_H_
#define EARSHOT_DATA_RESAMPLE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace earshot {

// ceil(samples * to_rate / from_rate): output sample n lies at the time n / to_rate, and all times before
// samples / from_rate are there.
int64_t ResampledLength(int64_t samples, int from_rate, int to_rate);

// `waveform` at `to_rate`, without delay; signal to noise 121 dB, 90 % of the band. Equal rates give the same samples
// bit for bit. Rates in Hz, positive, with a ratio of at most 256 either way; InvalidArgument otherwise.
absl::StatusOr<std::vector<float>> Resample(absl::Span<const float> waveform, int from_rate, int to_rate);

}  // namespace earshot

#endif  // EARSHOT_DATA_RESAMPLE_H_
