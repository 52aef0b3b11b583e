// Corpora that espeak-ng speaks: prompts in, recordings out, kept in a cache file.
#ifndef EARSHOT_DATA_SPOKEN_CORPUS_H_
#define EARSHOT_DATA_SPOKEN_CORPUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/dataset.h"
#include "data/spoken_prompt.h"

namespace earshot {

struct SpokenOptions {
  uint64_t seed = 1;
  int train = 0, dev = 0, test = 0;  // utterances
  int num_threads = 0;               // 0: all CPUs of this process; the recordings are the same for any number
  std::string cache_folder;          // empty: DefaultCacheFolder()
  bool show_progress = true;         // on standard error
};

// InvalidArgument names `kind` and the size of the part that is not within 1 to `most` utterances.
absl::Status CheckSpokenSizes(absl::string_view kind, const SpokenOptions& options, int most);

struct SpokenPlan {
  std::string kind;  // names the corpus and its cache file
  int sample_rate = 0;
  std::vector<SpokenPrompt> train, dev, test;
};

// The recordings of a plan. They are a function of the plan, the seed and the version of espeak-ng, and are read from
// `cache_folder`/KIND-SEED-TRAIN-DEV-TEST.spoken when this file holds just them. A missing, damaged (CRC-32C) or
// outdated file is made anew and replaced as a whole, with a line on standard error; several processes may do so at
// once. A cache that cannot be written is a line on standard error, not an error. NotFound: no espeak-ng, or one
// without a voice of SpokenCorpusVoices().
absl::StatusOr<Corpus> OpenSpokenCorpus(const SpokenPlan& plan, const SpokenOptions& options);

// $XDG_CACHE_HOME/earshot, or $HOME/.cache/earshot; FailedPrecondition when neither is an absolute path.
absl::StatusOr<std::string> DefaultCacheFolder();

}  // namespace earshot

#endif  // EARSHOT_DATA_SPOKEN_CORPUS_H_
