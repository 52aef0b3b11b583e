// Tables with a header line, columns separated by tabs: Common Voice's, fairseq's (speech to text), our own.
#ifndef EARSHOT_DATA_TSV_MANIFEST_H_
#define EARSHOT_DATA_TSV_MANIFEST_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/line_reader.h"
#include "data/manifest_builder.h"

namespace earshot {

// Columns, in any order, each with the other names under which it is found (in any case); all others are ignored:
//   audio (path, audio_filepath, wav, file, filename)    the audio; must be there
//   text (sentence, transcript, transcription, tgt_text)
//   id (utt_id, utterance, key)                          made from the audio's name where the column is missing
//   speaker (client_id, speaker_id, spk)
//   begin (start, offset), end, duration                 seconds; empty, or -1 for an end: absent
//   channel (counted from 0), recording
// Of several names of one column the first of the list wins. With begin or end the utterance is cut out of its file; a
// duration gives the end where there is none. Each line has as many fields as the header; quotes are ordinary
// characters, as Common Voice writes them; a table is Common Voice's if it has client_id and path. `content` may be
// packed with gzip. Paths stay as they are written.
absl::StatusOr<Manifest> ParseTsvManifest(absl::string_view content, absl::string_view name,
                                          const ManifestOptions& options = {});
absl::StatusOr<Manifest> ParseTsvManifest(LineReader* lines, const ManifestOptions& options);

// Whether `line` is the header of such a table: tabs, and a column with the audio.
bool IsTsvHeader(absl::string_view line);

}  // namespace earshot

#endif  // EARSHOT_DATA_TSV_MANIFEST_H_
