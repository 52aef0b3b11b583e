// The learning rate as a pure function of the position in the run, so that a resumed run has the same rates.
#ifndef EARSHOT_ASR_SCHEDULE_H_
#define EARSHOT_ASR_SCHEDULE_H_

#include <cstdint>

#include "asr/train.pb.h"

namespace earshot {

struct SchedulePosition {
  int64_t step = 0;         // updates before this one, over the whole run
  int64_t total_steps = 1;  // of the whole run
  int epoch = 0;            // counted from 0
  int halvings = 0;         // HALVE_ON_PLATEAU: epochs so far that did not improve enough
};

// The rate of the step at `position`; `peak` is OptimizerConfig.learning_rate.
double LearningRate(const ScheduleConfig& config, double peak, const SchedulePosition& position);

// HALVE_ON_PLATEAU: whether a dev error after `best` (the lowest before; infinity at first) calls for a lower rate.
bool IsPlateau(const ScheduleConfig& config, double best, double error);

}  // namespace earshot

#endif  // EARSHOT_ASR_SCHEDULE_H_
