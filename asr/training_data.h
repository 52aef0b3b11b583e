// From a corpus to what the trainer draws batches from: features of every utterance (at every speed), normalised with
// the statistics of the training set, and labels.
#ifndef EARSHOT_ASR_TRAINING_DATA_H_
#define EARSHOT_ASR_TRAINING_DATA_H_

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "asr/train.pb.h"
#include "base/thread_pool.h"
#include "data/batcher.h"
#include "data/cmvn.h"
#include "data/dataset.h"
#include "data/example_store.h"
#include "data/tokens.h"

namespace earshot {

// One part of a corpus, ready to use. Utterances that cannot be used are left out by name.
struct DataPart {
  ExampleStore store;
  std::unordered_map<std::string, std::string> texts;  // id -> reference text
  std::vector<std::string> too_short;                  // ids of utterances shorter than one window
};

struct TrainingData {
  std::string kind;                            // of the corpus
  absl::optional<TokenTable> tokens;
  absl::optional<NormalizationStats> stats;    // with global normalisation
  DataPart train, dev, test;

  absl::StatusOr<std::unique_ptr<Batcher>> TrainBatcher(const TrainConfig& config) const;
  absl::StatusOr<std::unique_ptr<Batcher>> EvaluationBatcher(const TrainConfig& config, const DataPart& part) const;
};

// Token table of a configuration whose tokens are named (a checkpoint's always are).
absl::StatusOr<TokenTable> CreateTokens(const TrainConfig& config);

// Reads `corpus` and computes everything above; `config->tokens.token` is filled from the training text when it is
// empty. With `stats` (of a checkpoint) those are used and none are computed. `report` receives one line a stage.
// Errors name the utterance: an unreadable file, a token that is not in the table, several words where the loss wants
// one class, an empty part.
absl::StatusOr<std::unique_ptr<TrainingData>> PrepareTrainingData(
    const Corpus& corpus, const NormalizationStats* stats, ThreadPool* pool, TrainConfig* config,
    const std::function<void(const std::string&)>& report);

}  // namespace earshot

#endif  // EARSHOT_ASR_TRAINING_DATA_H_
