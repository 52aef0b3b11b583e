// NeMo's manifests: JSONL, one utterance a line (docs.nvidia.com/nemo-framework, "ASR datasets"), and what WeNet and
// others made of them.
#ifndef EARSHOT_DATA_NEMO_MANIFEST_H_
#define EARSHOT_DATA_NEMO_MANIFEST_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/line_reader.h"
#include "data/manifest_builder.h"

namespace earshot {

// Fields, each with the other names under which it is found; all others are ignored, and null counts as absent:
//   audio_filepath (wav, audio, audio_file, path)   the audio; must be there
//   text (txt, transcript, sentence)                absent: empty
//   duration, offset (start, begin), end            seconds
//   id (utt_id, key, utt), speaker (spk, speaker_id)    strings or whole numbers
//   channel                                         counted from 0; absent: the mean of all
//   recording                                       the recording's id
// With `offset` (or `end`) the utterance is cut out of its file, as in NeMo; without, it is the whole file and
// `duration` is only noted: most manifests have it rounded, and NeMo would lose the last samples. A name twice in a
// line is an error; so are texts in files of their own (text_filepath) and audio in tar files (shard_id). `content` may
// be packed with gzip. Paths stay as they are written.
absl::StatusOr<Manifest> ParseNemoManifest(absl::string_view content, absl::string_view name,
                                           const ManifestOptions& options = {});
absl::StatusOr<Manifest> ParseNemoManifest(LineReader* lines, const ManifestOptions& options);

// Whether a field of this name has the audio.
bool IsNemoAudioField(absl::string_view name);

}  // namespace earshot

#endif  // EARSHOT_DATA_NEMO_MANIFEST_H_
