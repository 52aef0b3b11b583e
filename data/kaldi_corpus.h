// A corpus of Kaldi data directories: train/, dev/ and test/ in one folder.
#ifndef EARSHOT_DATA_KALDI_CORPUS_H_
#define EARSHOT_DATA_KALDI_CORPUS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/dataset.h"
#include "data/kaldi_dir.h"

namespace earshot {

// The folder holds the Kaldi data directories train and test, and perhaps dev (or valid, validation, train_dev; the
// first of them that is there). Without one, the first tenth of train, at most 100 utterances, sorted by speaker, then
// id, are held out. The utterances of a part are in that order too. Each part must have `text`, and no utterance is in
// two. What was odd is added to `warnings` (may be null). Errors as in kaldi_dir.h.
absl::StatusOr<Corpus> OpenKaldi(const std::string& folder, const KaldiOptions& options = {},
                                 std::vector<std::string>* warnings = nullptr);

// True for a folder whose train/ is a Kaldi data directory.
bool LooksLikeKaldiCorpus(const std::string& folder);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_CORPUS_H_
