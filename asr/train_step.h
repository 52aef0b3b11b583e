// The one training step: the trainer loops over it, the bench times it.
#ifndef EARSHOT_ASR_TRAIN_STEP_H_
#define EARSHOT_ASR_TRAIN_STEP_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "asr/model.h"
#include "asr/optimizer.h"
#include "asr/train.pb.h"
#include "base/phase_timer.h"
#include "base/thread_pool.h"
#include "data/batch.h"
#include "losses/loss.h"

namespace earshot {

struct StepStats {
  double loss_sum = 0;                  // over the utterances that count
  double count = 0;                     // what loss_sum and the gradient are divided by: Denominator() of losses/loss.h
  int utterances = 0;                   // that count
  int64_t frames = 0;                   // of the whole batch
  double grad_norm = 0;                 // before clipping
  std::vector<std::string> impossible;  // ids with too few frames for their labels: left out
  // Empty, or why this step was not taken ("utterance X: feature 7 of frame 3 is nan"): the parameters and the
  // optimizer's state then have the same bits as before.
  std::string skipped;
  bool not_finite = false;  // skipped for a number that is not finite, or a gradient whose square is not

  // Not taken for `number`, which is not finite; nothing happens when it is empty.
  void Skip(std::string number) {
    skipped = std::move(number);
    not_finite = !skipped.empty();
  }
};

class TrainStep {
 public:
  // `config` needs model, loss and optimizer. The pool outlives the step.
  static absl::StatusOr<std::unique_ptr<TrainStep>> Create(const TrainConfig& config, int input_size, int num_classes,
                                                           ThreadPool* pool);

  // Forward, loss, backward, clipping and update. `step` (updates before this one) places the dropout masks.
  // InvalidArgument for labels that have no meaning, naming the utterance.
  absl::StatusOr<StepStats> Run(const Batch& batch, float learning_rate, uint64_t step);

  // Loss of every utterance and the logits [N, C] (valid until the next call), without dropout or update.
  absl::Status Evaluate(const Batch& batch, std::vector<float>* losses, TensorView<float, 2>* logits);

  Model& model() { return *model_; }
  Optimizer& optimizer() { return *optimizer_; }
  const Loss& loss() const { return *loss_; }
  PhaseTimer& phases() { return *phases_; }

 private:
  TrainStep(const TrainConfig& config, ThreadPool* pool) : config_(config), pool_(pool) {}
  absl::Status CheckLabels(const Batch& batch) const;  // errors name the utterance's id
  absl::Status ComputeLoss(const Batch& batch, TensorView<const float, 2> logits, float scale);
  // The sums over the utterances that count; false, and stats->skipped set, when a loss is not finite.
  bool SumLosses(const Batch& batch, StepStats* stats) const;
  // Measures the gradient and the factor that clips it; false, and stats->skipped set, when an update with it would not
  // be finite.
  bool CheckGradient(const Batch& batch, StepStats* stats, float* clip) const;

  const TrainConfig config_;
  ThreadPool* const pool_;
  std::unique_ptr<PhaseTimer> phases_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Loss> loss_;
  std::unique_ptr<Optimizer> optimizer_;
  std::vector<float> losses_;  // [B]
  Tensor<float, 2> dlogits_;   // [N, C]
};

}  // namespace earshot

#endif  // EARSHOT_ASR_TRAIN_STEP_H_
