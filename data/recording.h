// Opens the recording of an utterance: a file, a WAV file within a Kaldi archive, or what a command writes.
#ifndef EARSHOT_DATA_RECORDING_H_
#define EARSHOT_DATA_RECORDING_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "data/audio_file.h"
#include "data/utterance_source.h"

namespace earshot {

constexpr double kCommandSeconds = 120;  // a command may take

// The whole of source.audio, of source.channel. A command runs as `sh -c` in the directory of the user, without input;
// it is killed with all that it started after kCommandSeconds, or when it writes more than a file may have. Errors name
// the file or command, and its exit status.
absl::StatusOr<Audio> ReadRecording(const UtteranceSource& source);

struct SampleRange {
  int64_t begin = 0, end = 0;  // exclusive
};

// The samples of the utterance in its recording, as Kaldi's extract-segments takes them: times * sample_rate, rounded
// down; an end up to half a second behind that of the recording is taken for it. InvalidArgument, with the recording in
// front: a begin behind the end of the recording, an end further away, no sample between them.
absl::StatusOr<SampleRange> SegmentSamples(const UtteranceSource& source, int64_t num_samples, int sample_rate);

}  // namespace earshot

#endif  // EARSHOT_DATA_RECORDING_H_
