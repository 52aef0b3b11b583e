// The best path through the logits of one utterance: the best class of every frame, without a language model.
#ifndef EARSHOT_ASR_DECODE_GREEDY_H_
#define EARSHOT_ASR_DECODE_GREEDY_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/packing.h"
#include "base/tensor.h"
#include "losses/loss.pb.h"

namespace earshot {

struct BestPath {
  std::vector<int32_t> tokens;
  // Of each token: its frames [begin, end), and the largest probability that its class has in one of them.
  std::vector<int32_t> begin, end;
  std::vector<float> token_confidence;
  // Geometric mean over the judged frames of the best class's probability, in (0, 1].
  double confidence = 0;
};

// What a path of classes spells (Graves et al. 2006, section 3.1): runs of one class become one token, then the blanks
// go. So 1 1 0 1 is 1 1, and 1 1 1 is 1.
std::vector<int32_t> CollapsePath(absl::Span<const int32_t> path, int32_t blank);

// Of utterance b of packed logits [N, C]; only its own frames are read. CTC: the collapsed path. Frame cross-entropy:
// one token a frame. Last-frame cross-entropy: the class of the last frame. Of equal classes the lowest wins.
BestPath DecodeBestPath(LossConfig::Kind kind, TensorView<const float, 2> logits, const Packing& packing, int b,
                        int32_t blank = 0);

}  // namespace earshot

#endif  // EARSHOT_ASR_DECODE_GREEDY_H_
