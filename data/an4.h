// CMU's AN4 (census) corpus in its original layout: etc/an4_{train,test}.{fileids,transcription} and wav/.
#ifndef EARSHOT_DATA_AN4_H_
#define EARSHOT_DATA_AN4_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/corpus_sources.h"
#include "data/utterance_source.h"

namespace earshot {

// Utterances held out of the training list: sorted by speaker, then id, the first 100, as ESPnet's recipe does it.
constexpr int kAn4DevUtterances = 100;

// A file id `F` stands for wav/F.flac, .wav or .sph, whichever is there first. Its last folder is the speaker. Texts
// are the transcriptions without <s>, </s>, <sil> and without the id in parentheses at the end. Both lists must agree
// line by line; errors name file, line, what was found and what was expected. The audio itself is read on demand.
absl::StatusOr<CorpusSources> ListAn4(const std::string& folder);

// One part from the contents of its two lists; `audio` is left empty.
absl::StatusOr<std::vector<UtteranceSource>> ParseAn4Lists(absl::string_view fileids, absl::string_view fileids_name,
                                                           absl::string_view transcription,
                                                           absl::string_view transcription_name);

bool LooksLikeAn4(const std::string& folder);

}  // namespace earshot

#endif  // EARSHOT_DATA_AN4_H_
