// The arithmetic of CTC for one utterance of a packed batch (Graves, Fernandez, Gomez and Schmidhuber, "Connectionist
// temporal classification", 2006): the loss and its gradient with respect to the logits, softmax included.
#ifndef EARSHOT_LOSSES_CTC_UTTERANCE_H_
#define EARSHOT_LOSSES_CTC_UTTERANCE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/packing.h"
#include "base/tensor.h"

namespace earshot {

// Fewest frames that can spell `labels`: one each, and a blank between equal neighbours.
int64_t CtcMinFrames(absl::Span<const int32_t> labels);

// The memory of one thread; it only ever grows. Labels are numbered k in [0, L), blanks in [0, L].
struct CtcWorkspace {
  std::vector<double> exps;             // [C] exp(logit - largest logit) of one frame
  std::vector<double> blank_emission;   // [T] exps of the blank
  std::vector<double> label_emission;   // [T, L] exps of the labels
  std::vector<double> alpha_blank;      // [T, L+1] forward variables of the blank states, scaled frame by frame
  std::vector<double> alpha_label;      // [T, L+1] those of the label states, from column 1; column 0 is zero
  std::vector<double> may_skip;         // [L+1] 1 where label k may follow label k-1 without a blank, else 0
  std::vector<double> beta_blank;       // [L+1] backward variables of one frame
  std::vector<double> beta_label;       // [L]
  std::vector<double> next_blank;       // [L+1] backward variables of the frame after, times its emissions
  std::vector<double> next_label;       // [L+1] column L is zero
  std::vector<double> occupancy_blank;  // [L+1] alpha * beta of one frame
  std::vector<double> occupancy_label;  // [L]
  std::vector<double> log_emissions, occupancies;  // [T, 2L+1] of the fall-back
};

// Returns the loss of utterance `b` and writes the rows of `dlogits` [N, C] that belong to it: scale * d loss / d
// logits. labels [L]: in [0, C), none of them the blank. Too few frames (or logits that make every path impossible):
// +infinity and zeros. Logits that are not finite: NaN. `dlogits` must not overlap `logits`. Arithmetic in double for
// both types of elements.
template <typename T>
double CtcUtterance(TensorView<const T, 2> logits, const Packing& packing, int b, absl::Span<const int32_t> labels,
                    int blank, T scale, TensorView<T, 2> dlogits, CtcWorkspace* workspace);

}  // namespace earshot

#endif  // EARSHOT_LOSSES_CTC_UTTERANCE_H_
