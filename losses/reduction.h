// The counts behind LossConfig.reduction.
#ifndef EARSHOT_LOSSES_REDUCTION_H_
#define EARSHOT_LOSSES_REDUCTION_H_

#include "base/check.h"
#include "losses/loss.pb.h"

namespace earshot {

// Loss::Count of one utterance with that many labels that count and frames that are judged.
inline double ReductionCount(LossConfig::Reduction reduction, double labels, double frames) {
  switch (reduction) {
    case LossConfig::SUM:
      return 0;
    case LossConfig::MEAN_UTTERANCE:
      return 1;
    case LossConfig::MEAN_LABEL:
      return labels;
    case LossConfig::MEAN_FRAME:
      return frames;
  }
  CHECK(false) << "reduction " << reduction;
  return 0;
}

}  // namespace earshot

#endif  // EARSHOT_LOSSES_REDUCTION_H_
