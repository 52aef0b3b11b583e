// Everything that //asr:score does behind its flags.
#ifndef EARSHOT_ASR_SCORE_SCORE_RUN_H_
#define EARSHOT_ASR_SCORE_SCORE_RUN_H_

#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "asr/score/error_rate.h"

namespace earshot {

struct ScoreRunOptions {
  std::string reference, hypothesis;  // paths
  MissingHypothesis mode = MissingHypothesis::kStrict;
  bool characters = false;  // %CER too
  int worst = 0;            // alignments shown
  std::string json;         // path of a file to write; empty: none
};

// "strict", "present" or "all".
absl::StatusOr<MissingHypothesis> ParseMissingHypothesis(absl::string_view name);

// Writes Kaldi's lines to `out`; to stderr, what the mode let pass. Errors name file and line. Whatever the mode, two
// files without a single id in common, and a reference without an utterance, are errors.
absl::Status RunScoring(const ScoreRunOptions& options, FILE* out);

}  // namespace earshot

#endif  // EARSHOT_ASR_SCORE_SCORE_RUN_H_
