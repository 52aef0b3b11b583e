// What an audio file claims to be, judged from its first bytes and chunk sizes alone: the guard in front of libsndfile,
// which takes any of two dozen formats and silently shortens files that end too early.
#ifndef EARSHOT_DATA_AUDIO_FORMAT_H_
#define EARSHOT_DATA_AUDIO_FORMAT_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace earshot {

// OK for a RIFF, RIFX or RF64 WAVE, AIFF, AIFF-C, FLAC or NIST SPHERE file whose data chunk is there and lies within
// the file. Chunk sizes of a streamed file (0xffffffff, or about 2 GiB as some writers put) mean "to the end". Errors
// name the format found, or the chunk, its offset and the sizes.
absl::Status CheckAudioFormat(absl::string_view content);

}  // namespace earshot

#endif  // EARSHOT_DATA_AUDIO_FORMAT_H_
