// Time derivatives of features by linear regression over a few frames, as Kaldi's add-deltas or HTK computes them.
#ifndef EARSHOT_DATA_DELTAS_H_
#define EARSHOT_DATA_DELTAS_H_

#include "base/tensor.h"

namespace earshot {

// What stands before the first frame and after the last. Only the delta-deltas of the first and last `window` frames
// differ.
enum class DeltaEdges {
  kKaldi,  // copies of the first and the last statics: the delta-delta is one filter on these (the delta filter applied
           // to itself: for window 2, [4 4 1 -4 -10 -4 1 4 4] / 100)
  kHtk,  // copies of the first and the last of what is differentiated: the delta-delta is the delta of the deltas
};

// Fills columns D to D * (order + 1) of `features` [T, D * (order + 1)] from its first D columns: the deltas, then the
// delta-deltas. delta[t] = sum over k in -window..window of k x[t+k] / sum of k^2.
void AppendDeltas(int order, int window, DeltaEdges edges, TensorView<float, 2> features);

}  // namespace earshot

#endif  // EARSHOT_DATA_DELTAS_H_
