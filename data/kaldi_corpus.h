// A corpus of Kaldi data directories: train/, dev/ and test/ in one folder.
#ifndef EARSHOT_DATA_KALDI_CORPUS_H_
#define EARSHOT_DATA_KALDI_CORPUS_H_

#include <string>

#include "absl/status/statusor.h"
#include "data/corpus_sources.h"
#include "data/kaldi_dir.h"

namespace earshot {

// The folder holds the Kaldi data directories train and test, and perhaps dev (or valid, validation, train_dev; the
// first of them that is there); without one, dev is held out of train (HoldOutDev). The utterances of a part are in the
// order of SortSources. Each part must have `text`, and no utterance is in two. Errors as in kaldi_dir.h.
absl::StatusOr<CorpusSources> ListKaldi(const std::string& folder, const KaldiOptions& options = {});

// True for a folder whose train/ is a Kaldi data directory.
bool LooksLikeKaldiCorpus(const std::string& folder);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_CORPUS_H_
