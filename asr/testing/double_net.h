// The network of asr/model.h in double precision by plain loops: what its logits and gradients are compared with.
#ifndef EARSHOT_ASR_TESTING_DOUBLE_NET_H_
#define EARSHOT_ASR_TESTING_DOUBLE_NET_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/packing.h"
#include "base/tensor.h"
#include "lstm/lstm.h"

namespace earshot {

struct DoubleNet {
  std::vector<LstmLevelConfig> levels;
  int num_classes = 0;
  bool output_bias = true;
  // Of each level, or empty: factors of its outputs [N, D*H], and of h[t-1] in its recurrent products [D, B, H].
  std::vector<std::vector<double>> masks, recurrent_masks;

  // [N, C]; params laid out as Model::params().
  std::vector<double> Logits(absl::Span<const double> params, TensorView<const float, 2> features,
                             const Packing& packing) const;
};

// Sum over the rows of -log softmax(logits)[target of the row].
double SumOfCrossEntropies(const std::vector<double>& logits, const std::vector<int>& targets, int num_classes);

}  // namespace earshot

#endif  // EARSHOT_ASR_TESTING_DOUBLE_NET_H_
