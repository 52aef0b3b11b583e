// A task that a small network learns in seconds, and one training run on it, for tests.
#ifndef EARSHOT_ASR_TESTING_TOY_TASK_H_
#define EARSHOT_ASR_TESTING_TOY_TASK_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "asr/trainer.h"

namespace earshot {

constexpr int kToyDimensions = 6;

// Utterances of one to three of the words "ay", "bee", "sea": each word raises a dimension of its own for some frames,
// with silence in between and noise on everything. With last-frame cross-entropy: one word an utterance.
std::unique_ptr<TrainingData> MakeToyData(LossConfig::Kind kind, int train_utterances);

// 24 utterances in 6 or 7 steps an epoch, dropout, Adam, a checkpoint after each epoch, every step in metrics.jsonl.
TrainConfig MakeToyConfig(LossConfig::Kind kind, const std::string& implementation);

// A new process, so to say: opens the run directory, starts anew or resumes from its newest checkpoint, and trains
// until the end or until `stop` says so. `then` sees the trainer before everything is closed. Progress goes to `log`,
// which may be null.
absl::StatusOr<bool> TrainToy(const TrainConfig& config, const TrainingData& data, const std::string& directory,
                              bool resume, int threads, absl::FunctionRef<bool()> stop,
                              absl::FunctionRef<void(Trainer*)> then, FILE* log = nullptr);

}  // namespace earshot

#endif  // EARSHOT_ASR_TESTING_TOY_TASK_H_
