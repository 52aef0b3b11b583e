// FLAC through libsndfile: the only decoder of somebody else that an audio file gets to.
#ifndef EARSHOT_DATA_FLAC_H_
#define EARSHOT_DATA_FLAC_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "data/audio_format.h"

namespace earshot {

// Appends the samples of `channel` (counted from 0), or the mean of all for -1, in the scale of 16-bit integers.
// `content` is a whole file of which ReadAudioHeader said `format`, with kFlac. Thread-safe. Errors, with `name` in
// front: more than `max_samples` samples in all channels; frames that are broken; fewer than the header promises.
absl::Status DecodeFlac(absl::string_view content, const AudioFormat& format, int channel, int64_t max_samples,
                        absl::string_view name, std::vector<float>* waveform);

}  // namespace earshot

#endif  // EARSHOT_DATA_FLAC_H_
