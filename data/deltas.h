// Time derivatives of features by linear regression over a few frames, as Kaldi's add-deltas computes them.
#ifndef EARSHOT_DATA_DELTAS_H_
#define EARSHOT_DATA_DELTAS_H_

#include "base/tensor.h"

namespace earshot {

// Fills columns D to D * (order + 1) of `features` [T, D * (order + 1)] from its first D columns: the deltas, then the
// delta-deltas. delta[t] = sum over k in -window..window of k x[t+k] / sum of k^2. The delta-delta is one filter on x
// (the delta filter applied to itself: for window 2, [4 4 1 -4 -10 -4 1 4 4] / 100), not the delta of the deltas.
// Frames before the first and after the last are copies of these: that is Kaldi's rule at the edges, where HTK differs.
void AppendDeltas(int order, int window, TensorView<float, 2> features);

}  // namespace earshot

#endif  // EARSHOT_DATA_DELTAS_H_
