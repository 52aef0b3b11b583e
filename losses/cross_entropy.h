// Softmax cross-entropy over packed logits: a label a frame, or a label an utterance judged at its last frame.
#ifndef EARSHOT_LOSSES_CROSS_ENTROPY_H_
#define EARSHOT_LOSSES_CROSS_ENTROPY_H_

#include <memory>

#include "losses/loss.h"

namespace earshot {

constexpr int32_t kIgnoredLabel = -1;  // CROSS_ENTROPY_FRAME: no loss and no gradient from this frame

// kind: CROSS_ENTROPY_FRAME or CROSS_ENTROPY_LAST_FRAME.
std::unique_ptr<Loss> CreateCrossEntropy(LossConfig::Kind kind, LossConfig::Reduction reduction, int num_classes,
                                         ThreadPool* pool);

}  // namespace earshot

#endif  // EARSHOT_LOSSES_CROSS_ENTROPY_H_
