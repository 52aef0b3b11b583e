// Audio files: WAV (also WAVE_FORMAT_EXTENSIBLE, RIFX and RF64), FLAC, AIFF and NIST SPHERE, through libsndfile. Every
// other format is refused by name before a decoder sees it.
#ifndef EARSHOT_DATA_AUDIO_FILE_H_
#define EARSHOT_DATA_AUDIO_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace earshot {

constexpr int kMinSampleRate = 1000;    // Hz
constexpr int kMaxSampleRate = 384000;  // Hz
constexpr int kMaxAudioChannels = 8;

struct Audio {
  int sample_rate = 0;  // Hz
  // The mean of all channels, in the scale of 16-bit integers (+-32768) whatever the file's own depth is.
  std::vector<float> waveform;
};

struct AudioOptions {
  int64_t max_bytes = 1LL << 30;  // of the file
  // Frames times channels after decoding: a small FLAC file can hold hours of silence.
  int64_t max_samples = 1LL << 28;
};

// All samples of a file. Thread-safe. A header without samples gives an empty waveform.
// Errors, all with the path in front: not a regular file or too large; not one of the formats above; a broken header; a
// file that is cut short (fewer samples than its header promises; a streamed header of unknown length is read to the
// end); sample rate or number of channels out of range; a NaN or infinite sample (its frame is named).
absl::StatusOr<Audio> ReadAudio(const std::string& path, const AudioOptions& options = {});

// The same for the content of a file; `name` stands in front of the errors.
absl::StatusOr<Audio> DecodeAudio(absl::string_view content, absl::string_view name, const AudioOptions& options = {});

}  // namespace earshot

#endif  // EARSHOT_DATA_AUDIO_FILE_H_
