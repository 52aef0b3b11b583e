// A run of the trainer in a folder, and whether it is the one that is asked for.
#ifndef EARSHOT_BENCH_TRAINING_RUN_H_
#define EARSHOT_BENCH_TRAINING_RUN_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "asr/train.pb.h"

namespace earshot {

struct TrainingRun {
  std::string implementation;
  uint64_t seed = 0;
  std::string directory;
};

// What all runs of a report train, but for the implementation and the seed.
struct TrainingSettings {
  TrainConfig config;
  std::string data;  // as the trainer records it: an absolute path, or empty
};

enum class RunState { kNone, kBegun, kFinished };

// How far the run in that folder is. FailedPrecondition naming the folder and the field when its newest checkpoint is
// of other settings, implementation or seed. What `settings` leave to the corpus (tokens, number of epochs, precomputed
// features) is put into them from the first run that has it; the runs after it have to agree.
absl::StatusOr<RunState> CheckTrainingRun(const TrainingRun& run, TrainingSettings* settings);

}  // namespace earshot

#endif  // EARSHOT_BENCH_TRAINING_RUN_H_
