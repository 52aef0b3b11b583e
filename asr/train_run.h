// Everything that //asr:train does behind its flags.
#ifndef EARSHOT_ASR_TRAIN_RUN_H_
#define EARSHOT_ASR_TRAIN_RUN_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace earshot {

struct TrainRunOptions {
  std::string recipe, data, lstm, out;  // as the flags of train_main.cc
  int64_t seed = -1;
  std::vector<std::string> sets;
  bool resume = false, overwrite = false, allow_commands = false, quiet = false;
};

// Trains, evaluates the best epoch on the test set, writes the run directory and prints the %WER line on stdout. False
// when `stop` became true: a checkpoint is then saved and --resume goes on from it.
absl::StatusOr<bool> RunTraining(const TrainRunOptions& options, const std::atomic<bool>& stop);

}  // namespace earshot

#endif  // EARSHOT_ASR_TRAIN_RUN_H_
