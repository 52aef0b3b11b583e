// What the dev set decides after each epoch: which epoch is the best so far, whether the learning rate falls, whether
// patience is used up. All of it lives in TrainState, so a resumed run decides as an uninterrupted one.
#ifndef EARSHOT_ASR_SELECTION_H_
#define EARSHOT_ASR_SELECTION_H_

#include "asr/train.pb.h"
#include "asr/train_state.pb.h"

namespace earshot {

// Takes in the dev set's error (percent) and loss after epoch state->epoch(). Returns whether it is the best so far:
// the error is lower, or equal with a lower loss. NaN counts as infinity.
bool UpdateSelection(const ScheduleConfig& schedule, double error, double loss, TrainState* state);

// Whether `patience` epochs (0: never) have gone by without a better one.
bool PatienceUsedUp(const TrainState& state, int patience);

}  // namespace earshot

#endif  // EARSHOT_ASR_SELECTION_H_
