// Connectionist temporal classification over packed logits.
#ifndef EARSHOT_LOSSES_CTC_H_
#define EARSHOT_LOSSES_CTC_H_

#include <memory>

#include "losses/loss.h"

namespace earshot {

constexpr int32_t kCtcBlank = 0;

std::unique_ptr<Loss> CreateCtc(LossConfig::Reduction reduction, int num_classes, ThreadPool* pool);

}  // namespace earshot

#endif  // EARSHOT_LOSSES_CTC_H_
