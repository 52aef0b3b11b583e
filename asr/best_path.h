// The most probable output of one utterance, frame by frame.
#ifndef EARSHOT_ASR_BEST_PATH_H_
#define EARSHOT_ASR_BEST_PATH_H_

#include <cstdint>
#include <vector>

#include "base/packing.h"
#include "base/tensor.h"
#include "losses/loss.pb.h"

namespace earshot {

struct BestPath {
  std::vector<int32_t> tokens;
  double confidence = 0;  // geometric mean over the judged frames of the best class's probability, in (0, 1]
};

// Of utterance b of packed logits [N, C]. CTC: the best class of every frame, repeats collapsed, then blanks removed.
// Last-frame cross-entropy: one class. Frame cross-entropy: one class a frame.
BestPath DecodeBestPath(LossConfig::Kind kind, TensorView<const float, 2> logits, const Packing& packing, int b);

}  // namespace earshot

#endif  // EARSHOT_ASR_BEST_PATH_H_
