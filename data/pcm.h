// Samples that lie in a file one after the other, as 32-bit floats in the scale of 16-bit integers.
#ifndef EARSHOT_DATA_PCM_H_
#define EARSHOT_DATA_PCM_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "data/audio_format.h"

namespace earshot {

// Appends format.frames samples to `waveform`: those of `channel` (counted from 0), or the mean of all for -1. Full
// scale of an integer is its whole width: 32-bit samples are divided by 65536, unsigned bytes become (byte - 128) *
// 256; float 1.0 is 32768; A-law and mu-law as ITU-T G.711 expands them.
//
// An integer with fewer valid bits than its bytes hold stands at their upper end with zeros below, as WAV and AIFF ask.
// Where the bits below are not zeros but all samples fit into the valid bits (ALSA's S24_LE), it stands at the lower
// end. Unsigned bytes stay where they are.
//
// `content` is the whole file, `format` one that ReadAudioHeader gave for it, not kFlac. InvalidArgument with `name` in
// front: a sample that is NaN, infinite or beyond single precision in the scale of 16 bits.
absl::Status DecodePcm(absl::string_view content, const AudioFormat& format, int channel, absl::string_view name,
                       std::vector<float>* waveform);

}  // namespace earshot

#endif  // EARSHOT_DATA_PCM_H_
