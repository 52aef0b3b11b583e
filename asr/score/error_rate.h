// Word, character and sentence error rates of a test set, and Kaldi's lines for them. Texts are taken as they are:
// split at white space, compared byte by byte; nothing is changed in case, punctuation or Unicode normal form (a
// composed and a decomposed letter differ: bring both sides to one form first). Characters are Unicode code points,
// with one space between two words. Rates are errors over reference tokens of the whole set, never means of rates.
#ifndef EARSHOT_ASR_SCORE_ERROR_RATE_H_
#define EARSHOT_ASR_SCORE_ERROR_RATE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "asr/score/edit_distance.h"

namespace earshot {

// "%WER 40.00 [ 2 / 5, 1 ins, 0 del, 1 sub ]" as Kaldi's compute-wer prints it; `name` is WER, CER, ... Without a
// reference token the rate is "nan".
std::string RateLine(absl::string_view name, const ErrorCounts& counts);

class ErrorRate {
 public:
  // One utterance. InvalidArgument naming `id` when a text is not UTF-8; nothing is counted then.
  absl::Status Add(const std::string& id, absl::string_view reference, absl::string_view hypothesis);
  // One utterance of the reference without a hypothesis: reported as missing, and counted as an empty hypothesis if
  // `counted`.
  absl::Status AddMissing(const std::string& id, absl::string_view reference, bool counted);

  const ErrorCounts& words() const { return words_; }
  const ErrorCounts& characters() const { return characters_; }
  int64_t sentences() const { return static_cast<int64_t>(utterances_.size()); }
  int64_t wrong_sentences() const { return wrong_; }
  int64_t missing() const { return missing_; }
  // 100 * wrong / sentences; NaN without a sentence.
  double sentence_error() const;

  // Kaldi's three lines; the first ends in " [PARTIAL]" when hypotheses were missing.
  std::string WerLine() const;
  std::string CerLine() const;
  std::string SerLine() const;     // "%SER 100.00 [ 2 / 2 ]"
  std::string ScoredLine() const;  // "Scored 2 sentences, 0 not present in hyp."

  // Id and alignment of the `count` utterances with the most word errors (by id among equals); those without an error
  // are left out. An alignment takes a byte for each pair of words: with more than 2^26 pairs a line says so instead.
  std::string WorstAlignments(int count) const;

 private:
  struct Utterance {
    std::string id;
    std::vector<std::string> reference, hypothesis;  // words
    int64_t errors;
  };

  ErrorCounts words_, characters_;
  int64_t wrong_ = 0, missing_ = 0;
  std::vector<Utterance> utterances_;
};

// What to do with an utterance of the reference that has no hypothesis (compute-wer --mode).
enum class MissingHypothesis {
  kStrict,   // NotFound naming it
  kAll,      // an empty hypothesis: all its words are deletions
  kPresent,  // left out
};

// Scores texts by utterance id. A hypothesis without a reference is InvalidArgument when strict, else left out.
absl::StatusOr<ErrorRate> ScoreTexts(const std::map<std::string, std::string>& references,
                                     const std::map<std::string, std::string>& hypotheses, MissingHypothesis mode);

}  // namespace earshot

#endif  // EARSHOT_ASR_SCORE_ERROR_RATE_H_
