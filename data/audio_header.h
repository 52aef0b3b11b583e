// What an audio file is, from its header alone.
#ifndef EARSHOT_DATA_AUDIO_HEADER_H_
#define EARSHOT_DATA_AUDIO_HEADER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/audio_format.h"

namespace earshot {

// Recognised by content: RIFF, RIFX, RF64 and BW64 WAVE (wav_format.h), AIFF and AIFF-C (aiff_format.h), NIST SPHERE
// (sphere_format.h), FLAC. `content` is the beginning of a file of `file_bytes` bytes, or all of it; with the beginning
// alone, an error may only mean that the header goes on behind it.
// Errors, as "NAME: byte N: expected X, found Y": another format, which is named; a broken header; a coding that is not
// read, which is named; fewer samples than the header promises; sample rate or number of channels out of range.
absl::StatusOr<AudioFormat> ReadAudioHeader(absl::string_view content, int64_t file_bytes, absl::string_view name);

// OK for exactly those files that ReadAudioHeader describes.
absl::Status CheckAudioHeader(absl::string_view content, absl::string_view name);

}  // namespace earshot

#endif  // EARSHOT_DATA_AUDIO_HEADER_H_
