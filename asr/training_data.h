// From a corpus to what the trainer draws batches from.
#ifndef EARSHOT_ASR_TRAINING_DATA_H_
#define EARSHOT_ASR_TRAINING_DATA_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "asr/train.pb.h"
#include "data/batcher.h"
#include "data/cmvn.h"
#include "data/dataset.h"
#include "data/example_loader.h"
#include "data/tokens.h"

namespace earshot {

struct TrainingData {
  absl::optional<TokenTable> tokens;         // always there
  absl::optional<NormalizationStats> stats;  // of the training set, with global normalisation
  LoadedExamples train, dev, test;           // train: one version of the features a speed

  absl::StatusOr<std::unique_ptr<Batcher>> TrainBatcher(const TrainConfig& config) const;
  absl::StatusOr<std::unique_ptr<Batcher>> EvaluationBatcher(const TrainConfig& config,
                                                             const LoadedExamples& part) const;
};

// The table of a configuration whose tokens are named (a checkpoint's always are).
absl::StatusOr<TokenTable> CreateTokens(const TrainConfig& config);

// Computes features and labels of all three parts. What `config` leaves open is filled in: tokens.token from the
// training text, epochs from train_frames, features.precomputed_dims from a corpus that brings features. With `stats`
// (of a checkpoint) the features are normalised with those, else with the training set's own.
// Utterances that cannot be used are left out and named through `report`, which receives lines for people; errors say
// which part has none left.
absl::StatusOr<std::unique_ptr<TrainingData>> PrepareTrainingData(
    const Corpus& corpus, const NormalizationStats* stats, int num_threads, TrainConfig* config,
    const std::function<void(const std::string&)>& report);

}  // namespace earshot

#endif  // EARSHOT_ASR_TRAINING_DATA_H_
