// CTC in linear space, vectorised: fast, and exact while probabilities stay inside the range of double.
#ifndef EARSHOT_LOSSES_CTC_LINEAR_H_
#define EARSHOT_LOSSES_CTC_LINEAR_H_

#include <cstdint>

#include "absl/types/span.h"
#include "base/tensor.h"

namespace earshot {

// One utterance of a packed batch. T is the type of logits and gradient: float or double.
template <typename T>
struct CtcProblem {
  const T* logits = nullptr;         // frame t: row offsets[t] + b, of `classes` elements
  T* dlogits = nullptr;              // likewise, written
  const int64_t* offsets = nullptr;  // Packing::offsets()
  int b = 0, frames = 0, classes = 0;
  absl::Span<const int32_t> labels;
  int blank = 0;
  T scale = 1;  // of the gradient
};

// Memory of one thread; it only ever grows. L labels and L + 1 blanks lie in columns of W = L + 1 filled up to whole
// vectors; what stands in the filling is 0.
struct CtcLinearWorkspace {
  Tensor<double, 1> exps;            // [C] exp(logit - largest logit) of one frame; filled up
  Tensor<double, 1> blank_emission;  // [T+1] exps of the blank; 1 behind the last frame
  Tensor<double, 1> label_emission;  // [T+1, W] exps of the labels; 0 behind the last frame
  Tensor<double, 1> alpha;           // [T, 8 + 2W] forward variables, scaled: zeros, labels, blanks
  Tensor<double, 1> beta;            // [2 (W + 8)] backward variables of one frame: labels, zeros, blanks, zeros
  Tensor<double, 1> may_skip;        // [W+8] 1 where label k may follow label k-1 without a blank, else 0
  Tensor<double, 1> occupancy;       // [W] alpha * beta of the labels of one frame
  Tensor<double, 1> by_class;        // [C] the same, added up by class; filled up
};

// The loss, and NaN when a logit is not finite. Writes the gradient. False when linear space may have lost paths: do it
// in log space. The labels must fit into the frames.
bool CtcLinear(const CtcProblem<float>& problem, CtcLinearWorkspace* workspace, double* loss);
bool CtcLinear(const CtcProblem<double>& problem, CtcLinearWorkspace* workspace, double* loss);

}  // namespace earshot

#endif  // EARSHOT_LOSSES_CTC_LINEAR_H_
