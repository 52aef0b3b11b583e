// Audio files: WAV (also WAVE_FORMAT_EXTENSIBLE, RIFX and RF64), AIFF, NIST SPHERE and FLAC. Every other format is
// refused by name. Only FLAC gets to a decoder of somebody else (flac.h).
#ifndef EARSHOT_DATA_AUDIO_FILE_H_
#define EARSHOT_DATA_AUDIO_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/audio_format.h"

namespace earshot {

struct Audio {
  int sample_rate = 0;  // Hz
  // One channel or the mean of all, in the scale of 16-bit integers (+-32768) whatever the file's own depth is.
  std::vector<float> waveform;
};

struct AudioOptions {
  int64_t max_bytes = 1LL << 30;  // of the file
  // Frames times channels after decoding: a small FLAC file can hold hours of silence.
  int64_t max_samples = 1LL << 28;
  int channel = -1;  // counted from 0; -1: the mean of all
};

// What a file's header says of it.
struct AudioInfo {
  int sample_rate = 0;  // Hz
  int channels = 0;
  int64_t frames = -1;  // samples of one channel; -1 when the header does not know (a FLAC that was streamed)
};

// All samples of a file. Thread-safe. A header without samples gives an empty waveform.
// Errors, all with the path in front: not a regular file or too large; not one of the formats above; a broken header; a
// file that is cut short (fewer samples than its header promises; a streamed header of unknown length is read to the
// end); sample rate or number of channels out of range; a channel that is not there; a NaN or infinite sample (its
// frame is named).
absl::StatusOr<Audio> ReadAudio(const std::string& path, const AudioOptions& options = {});

// The same for the content of a file; `name` stands in front of the errors.
absl::StatusOr<Audio> DecodeAudio(absl::string_view content, absl::string_view name, const AudioOptions& options = {});

// What the header says, without decoding a sample; of most files only the first 4096 bytes are read, and these may be
// larger than max_bytes. Errors as above, as far as the header shows them.
absl::StatusOr<AudioInfo> ReadAudioInfo(const std::string& path, const AudioOptions& options = {});
absl::StatusOr<AudioInfo> DecodeAudioInfo(absl::string_view content, absl::string_view name);

}  // namespace earshot

#endif  // EARSHOT_DATA_AUDIO_FILE_H_
