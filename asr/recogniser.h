// A trained model with everything it needs to turn a waveform into text.
#ifndef EARSHOT_ASR_RECOGNISER_H_
#define EARSHOT_ASR_RECOGNISER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "asr/model.h"
#include "asr/train.pb.h"
#include "base/thread_pool.h"
#include "data/cmvn.h"
#include "data/features.h"
#include "data/tokens.h"
#include "data/utterance.h"

namespace earshot {

class Recogniser {
 public:
  // From a checkpoint file. `implementation` replaces the LSTM implementation it was trained with unless empty. The pool
  // outlives the recogniser. Errors name the file.
  static absl::StatusOr<std::unique_ptr<Recogniser>> Load(const std::string& path, const std::string& implementation,
                                                          ThreadPool* pool);

  struct Result {
    std::string text;
    // The probability of the best path, a frame (geometric mean), in (0, 1]: how sure the network was.
    double confidence = 0;
    int64_t frames = 0;
  };
  // Audio at another rate than the model's is resampled. An utterance shorter than one window gives an empty text and 0
  // frames.
  absl::StatusOr<Result> Recognise(const Utterance& utterance);

  const TrainConfig& config() const { return config_; }

 private:
  explicit Recogniser(const TrainConfig& config) : config_(config), normalizer_(config.features()) {}

  TrainConfig config_;
  absl::optional<FeatureExtractor> extractor_;
  Normalizer normalizer_;
  absl::optional<TokenTable> tokens_;
  std::unique_ptr<Model> model_;
};

}  // namespace earshot

#endif  // EARSHOT_ASR_RECOGNISER_H_
