// Finds out what kind of corpus a folder is.
#ifndef EARSHOT_DATA_CORPUS_H_
#define EARSHOT_DATA_CORPUS_H_

#include <string>

#include "absl/status/statusor.h"
#include "data/corpus_sources.h"
#include "data/dataset.h"
#include "data/fsdd.h"
#include "data/spoken_corpus.h"
#include "data/spoken_digits.h"
#include "data/spoken_sentences.h"

namespace earshot {

struct CorpusOptions {
  // What an empty path stands for.
  enum class Default { kSpokenDigits, kSpokenSentences };
  Default without_path = Default::kSpokenDigits;
  SpokenOptions spoken_digits = SpokenDigitsDefaults();
  int max_digits = kSpokenDigitsMaxWords;  // of a spoken string
  SpokenOptions spoken_sentences = SpokenSentencesDefaults();
  FsddOptions fsdd;
  bool allow_commands = false;  // shell commands in lists
};

// `path` is a corpus in files (ListCorpus), or empty: a spoken corpus.
absl::StatusOr<Corpus> OpenCorpus(const std::string& path, const CorpusOptions& options = {});

// The lists of a corpus, recognised by its content (CorpusSources::kind says as what): a folder of FSDD or AN4, one
// with Kaldi data directories or manifests for its parts. InvalidArgument for anything else says what was looked for.
absl::StatusOr<CorpusSources> ListCorpus(const std::string& path, const CorpusOptions& options = {});

// Whether ListCorpus would recognise it.
bool LooksLikeCorpus(const std::string& path);

}  // namespace earshot

#endif  // EARSHOT_DATA_CORPUS_H_
