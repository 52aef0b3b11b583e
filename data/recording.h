// Opens the recording of an utterance: a file, a WAV file within a Kaldi archive, or what a command writes.
#ifndef EARSHOT_DATA_RECORDING_H_
#define EARSHOT_DATA_RECORDING_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "data/audio_file.h"
#include "data/utterance_source.h"

namespace earshot {

// The whole of source.audio, of source.channel. "FILE:OFFSET", where there is no file of this name, is the WAV file at
// byte OFFSET of an archive that Kaldi's wav-copy wrote. Commands: data/command.h. Errors name the file or the command.
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
