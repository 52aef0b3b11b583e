// What a training run puts into a checkpoint (asr/checkpoint) and takes out again.
//   tensors   lstm.*, output.* (PyTorch's names), optimizer.m.*, optimizer.v.* (or optimizer.momentum.*),
//             features.mean, features.inverse_deviation [dimensions] with global normalisation
//   metadata  config (TrainConfig with the tokens resolved), state (TrainState), both textprotos
#ifndef EARSHOT_ASR_TRAIN_CHECKPOINT_H_
#define EARSHOT_ASR_TRAIN_CHECKPOINT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "asr/checkpoint/checkpoint.h"
#include "asr/train.pb.h"
#include "asr/train_state.pb.h"
#include "asr/train_step.h"
#include "data/cmvn.h"

namespace earshot {

constexpr int kTrainStateFormat = 1;

// `config` with its tokens resolved; `stats` null when the features are not normalised globally.
Checkpoint MakeCheckpoint(const TrainConfig& config, const NormalizationStats* stats, TrainStep* step,
                          const TrainState& state);

// The configuration and position; InvalidArgument when they are missing, unreadable or of an unknown format.
absl::StatusOr<TrainConfig> CheckpointConfig(const Checkpoint& checkpoint);
absl::StatusOr<TrainState> CheckpointState(const Checkpoint& checkpoint);

// The statistics of the training set, of features with that many dimensions.
absl::StatusOr<NormalizationStats> CheckpointStats(const Checkpoint& checkpoint, int dimensions);

// Whether the tensors are those of this network, before it takes its memory: a small file may describe a huge one.
absl::Status CheckParameters(const Checkpoint& checkpoint, const ModelConfig& config, int input_size, int num_classes);

// Parameters alone, or with the optimizer's state. Errors name the tensor.
absl::Status RestoreParameters(const Checkpoint& checkpoint, Model* model);
absl::Status RestoreTraining(const Checkpoint& checkpoint, TrainStep* step);

}  // namespace earshot

#endif  // EARSHOT_ASR_TRAIN_CHECKPOINT_H_
