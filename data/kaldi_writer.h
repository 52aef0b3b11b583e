// Writes a Kaldi data directory.
#ifndef EARSHOT_DATA_KALDI_WRITER_H_
#define EARSHOT_DATA_KALDI_WRITER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "data/utterance_source.h"

namespace earshot {

// Writes `sources`, in any order, into `folder` (made if it is not there) as files sorted by bytes: wav.scp where there
// are recordings; segments where one of them is a part or a channel of its recording, or has a recording's id; text;
// utt2spk and spk2utt (an utterance of an unknown speaker is its own, as Kaldi wants it); utt2dur where all durations
// are known; feats.scp where there are features. Relative paths become absolute ones.
// A source has audio in all of them or in none, and so for features. What cannot be written so that it is read again is
// InvalidArgument before anything is written, by the id: a bad or repeated id, a path with a line feed or '|' at its
// end, two recordings with one id. AlreadyExists where the folder already is a Kaldi directory.
absl::Status WriteKaldiDirectory(const std::string& folder, const std::vector<UtteranceSource>& sources);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_WRITER_H_
