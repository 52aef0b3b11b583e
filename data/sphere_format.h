// The header of a NIST SPHERE file, as in TIMIT, WSJ and Switchboard: lines of text in the first 1024 bytes.
#ifndef EARSHOT_DATA_SPHERE_FORMAT_H_
#define EARSHOT_DATA_SPHERE_FORMAT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/audio_format.h"

namespace earshot {

// `content` begins with "NIST_1A\n"; the rest as ReadAudioHeader says. Integers of 1 to 4 bytes in either order, mu-law
// and A-law; shorten and other compressed samples are refused by name. Without "sample_count", or where it was never
// written and is 0, the samples go to the end.
absl::StatusOr<AudioFormat> ReadSphereFormat(absl::string_view content, int64_t file_bytes, absl::string_view name);

}  // namespace earshot

#endif  // EARSHOT_DATA_SPHERE_FORMAT_H_
