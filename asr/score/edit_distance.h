// Levenshtein alignment of a hypothesis with its reference.
#ifndef EARSHOT_ASR_SCORE_EDIT_DISTANCE_H_
#define EARSHOT_ASR_SCORE_EDIT_DISTANCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace earshot {

struct ErrorCounts {
  int64_t substitutions = 0, deletions = 0, insertions = 0;
  int64_t reference = 0;  // tokens of the reference

  int64_t errors() const { return substitutions + deletions + insertions; }
  // 100 * errors / reference: above 100 with many insertions, NaN without a reference.
  double percent() const;
  void Add(const ErrorCounts& other);
};

enum class Edit : uint8_t {
  kMatch,
  kSubstitution,
  kDeletion,   // a token of the reference is missing in the hypothesis
  kInsertion,  // the hypothesis has a token too many
};

// An alignment with the fewest errors, first token first. Of several, the one that Kaldi's compute-wer counts: going
// from the front, each cell prefers an insertion over a deletion over a match or substitution of the same cost. So "a
// b" against "b c" is a deletion and an insertion around b, not two substitutions.
std::vector<Edit> Align(absl::Span<const std::string> reference, absl::Span<const std::string> hypothesis);

ErrorCounts CountErrors(absl::Span<const Edit> alignment);

// What CountErrors(Align(reference, hypothesis)) would be, in memory for one row: for long texts.
ErrorCounts CountErrors(absl::Span<const std::string> reference, absl::Span<const std::string> hypothesis);

// Three lines as sclite prints them, columns aligned by code points, a missing token as asterisks:
//   REF:  one two *** three
//   HYP:  one too and three
//   EVAL:     S   I
std::string FormatAlignment(absl::Span<const std::string> reference, absl::Span<const std::string> hypothesis,
                            absl::Span<const Edit> alignment);

}  // namespace earshot

#endif  // EARSHOT_ASR_SCORE_EDIT_DISTANCE_H_
