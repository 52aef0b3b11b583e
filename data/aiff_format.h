// The header of an AIFF or AIFF-C file (Apple, 1989 and 1991).
#ifndef EARSHOT_DATA_AIFF_FORMAT_H_
#define EARSHOT_DATA_AIFF_FORMAT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/audio_format.h"

namespace earshot {

// `content` begins with "FORM" and has "AIFF" or "AIFC" at byte 8; the rest as ReadAudioHeader says. Integers of 1 to
// 64 bits, and of AIFF-C's codings NONE, twos, sowt, raw, in24, in32, fl32, fl64, alaw, ulaw; others are refused by
// name. A sample chunk whose size says that it was written to a pipe goes to the end of the file; a number of frames
// that was never written and is 0 is that of the sample chunk.
absl::StatusOr<AudioFormat> ReadAiffFormat(absl::string_view content, int64_t file_bytes, absl::string_view name);

}  // namespace earshot

#endif  // EARSHOT_DATA_AIFF_FORMAT_H_
