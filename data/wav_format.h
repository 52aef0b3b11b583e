// The header of a WAV file: RIFF, RIFX (big-endian), RF64 and BW64 (EBU Tech 3306, ITU-R BS.2088), with a "fmt " chunk
// of 16, 18 or 40 bytes (WAVE_FORMAT_EXTENSIBLE) and any other chunks.
#ifndef EARSHOT_DATA_WAV_FORMAT_H_
#define EARSHOT_DATA_WAV_FORMAT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/audio_format.h"

namespace earshot {

// `content` begins with "RIFF", "RIFX", "RF64" or "BW64" and has "WAVE" at byte 8; the rest as ReadAudioHeader says.
//
// PCM of 1 to 8 bytes, float of 4 and 8, A-law and mu-law are read; other codings are refused by name. Three things
// that writers do and the format does not foresee are understood:
//  - a pipe has no end to go back to: a data size of 0xffffffff or about 2 GiB, or of 0 while bytes follow that the
//    RIFF size does not cover or that are no chunk, means "to the end of the file"; an incomplete last frame is left
//    out;
//  - a chunk of odd size without its padding byte;
//  - 24-bit samples in 4 bytes that a "fmt " chunk of 16 bytes announces.
absl::StatusOr<AudioFormat> ReadWavFormat(absl::string_view content, int64_t file_bytes, absl::string_view name);

}  // namespace earshot

#endif  // EARSHOT_DATA_WAV_FORMAT_H_
