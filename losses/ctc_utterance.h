// The arithmetic of CTC for one utterance of a packed batch (Graves, Fernandez, Gomez and Schmidhuber, "Connectionist
// temporal classification", 2006): the loss and its gradient with respect to the logits, softmax included.
#ifndef EARSHOT_LOSSES_CTC_UTTERANCE_H_
#define EARSHOT_LOSSES_CTC_UTTERANCE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/packing.h"
#include "base/tensor.h"
#include "losses/ctc_linear.h"

namespace earshot {

// Fewest frames that can spell `labels`: one each, and a blank between equal neighbours.
int64_t CtcMinFrames(absl::Span<const int32_t> labels);

// The memory of one thread; it only ever grows.
struct CtcWorkspace {
  CtcLinearWorkspace linear;
  Tensor<double, 1> exps;                          // [C] of one frame, filled up; the fall-back's, as what follows
  std::vector<double> log_emissions, occupancies;  // [T, 2L+1]
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
