// The step of a published benchmark with its error, to reproduce what it measured.
#ifndef EARSHOT_BENCH_MISALIGNED_SUBJECT_H_
#define EARSHOT_BENCH_MISALIGNED_SUBJECT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "asr/model.h"
#include "asr/optimizer.h"
#include "base/phase_timer.h"
#include "base/tensor.h"
#include "base/thread_pool.h"
#include "bench/subject.h"
#include "losses/loss.h"
#include "lstm/registry.h"

namespace earshot {

// The published benchmark's error: the network sees the utterances longest first, the loss gets their lengths shortest
// first. Utterance b is scored on the length of utterance B-1-b: on some of its own frames, or on zero logits after
// them.
class MisalignedLengthsSubject : public Subject {
 public:
  // Both outlive the subject.
  MisalignedLengthsSubject(const LstmImplementation* implementation, ThreadPool* pool)
      : implementation_(implementation), pool_(pool) {}
  std::string name() const override { return std::string(implementation_->name); }
  double tolerance_factor() const override { return implementation_->tolerance_factor; }
  absl::Status Load(const BenchConfig& config, absl::Span<const float> params) override;
  void Unload() override { model_.reset(); }
  absl::StatusOr<double> Step(const Batch& batch) override;
  absl::StatusOr<std::vector<float>> Losses(const Batch& batch) override;
  absl::Span<const float> gradients() override { return model_->grads(); }
  PhaseTimer* phases() override { return &phases_; }

 private:
  // Fills dlogits_ [N, C] with the gradient of the mean loss.
  absl::StatusOr<std::vector<float>> ForwardAndLoss(const Batch& batch);

  const LstmImplementation* const implementation_;
  ThreadPool* const pool_;
  PhaseTimer phases_;
  float learning_rate_ = 0;
  uint64_t steps_ = 0;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Loss> loss_;
  std::unique_ptr<Optimizer> optimizer_;
  Tensor<float, 2> dlogits_;
};

}  // namespace earshot

#endif  // EARSHOT_BENCH_MISALIGNED_SUBJECT_H_
