// Corpora that espeak-ng speaks: prompts in, recordings out, kept in a cache file.
#ifndef EARSHOT_DATA_SPOKEN_CORPUS_H_
#define EARSHOT_DATA_SPOKEN_CORPUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/dataset.h"
#include "data/espeak.h"

namespace earshot {

struct SpokenOptions {
  uint64_t seed = 1;
  int train = 0, dev = 0, test = 0;  // utterances
  int num_threads = 0;               // 0: all CPUs of this process; the recordings are the same for any number
  std::string cache_folder;          // empty: DefaultCacheFolder()
  bool show_progress = true;         // on standard error
};

// One recording to make. All that is random was drawn before, but for the noise's samples.
struct SpokenPrompt {
  std::string id, speaker;
  EspeakRequest request;
  float lead_seconds = 0, tail_seconds = 0;  // before and after the speech
  float peak_decibels = 0;                   // of the speech, relative to full scale
  float noise_decibels = 0;                  // speech over white noise, both as mean power
  uint64_t stream = 0;                       // of the noise's samples
};

struct SpokenPlan {
  std::string kind;  // names the corpus and its cache file
  int sample_rate = 0;
  std::vector<SpokenPrompt> train, dev, test;
  std::vector<std::string> accents, variants;  // espeak-ng must have these
};

// The recordings of a plan. They are a function of the plan, the seed and the version of espeak-ng, and are read from
// `cache_folder`/KIND-SEED-TRAIN-DEV-TEST.spoken when this file holds just them. A missing, damaged (CRC-32C) or
// outdated file is made anew and replaced as a whole, with a line on standard error; several processes may do so at
// once. A cache that cannot be written is a line on standard error, not an error. NotFound: no espeak-ng.
absl::StatusOr<Corpus> OpenSpokenCorpus(const SpokenPlan& plan, const SpokenOptions& options);

// $XDG_CACHE_HOME/earshot, or $HOME/.cache/earshot; FailedPrecondition when neither is an absolute path.
absl::StatusOr<std::string> DefaultCacheFolder();

// The random part of a prompt: an accent and a variant of the lists, speed, pitch, pauses, level and noise, all a
// function of (seed, stream).
SpokenPrompt DrawPrompt(const std::string& id, const std::string& text, const std::vector<std::string>& accents,
                        const std::vector<std::string>& variants, uint64_t seed, uint64_t stream);

}  // namespace earshot

#endif  // EARSHOT_DATA_SPOKEN_CORPUS_H_
