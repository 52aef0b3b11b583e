// Finds out what kind of corpus a folder is.
#ifndef EARSHOT_DATA_CORPUS_H_
#define EARSHOT_DATA_CORPUS_H_

#include <string>

#include "absl/status/statusor.h"
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
};

// `path` is a folder of FSDD or AN4, recognised by its content (Corpus::kind says as what), or empty: a spoken corpus.
// InvalidArgument for anything else says what was looked for.
absl::StatusOr<Corpus> OpenCorpus(const std::string& path, const CorpusOptions& options = {});

}  // namespace earshot

#endif  // EARSHOT_DATA_CORPUS_H_
