// What is timed in a configuration that measures the loss alone: losses and the gradient with respect to the logits,
// which are the batch's features [N, classes].
#ifndef EARSHOT_BENCH_LOSS_SUBJECT_H_
#define EARSHOT_BENCH_LOSS_SUBJECT_H_

#include <memory>
#include <string>
#include <vector>

#include "base/phase_timer.h"
#include "base/tensor.h"
#include "base/thread_pool.h"
#include "base/tolerance.h"
#include "bench/subject.h"
#include "losses/loss.h"

namespace earshot {

// The trainer's loss.
class LossSubject : public Subject {
 public:
  explicit LossSubject(ThreadPool* pool) : pool_(pool) {}

  std::string name() const override { return "loss"; }
  double tolerance_factor() const override { return kDefaultToleranceFactor; }
  // There are no parameters.
  absl::Status Load(const BenchConfig& config, absl::Span<const float> params) override;
  void Unload() override { loss_.reset(); }
  absl::StatusOr<double> Step(const Batch& batch) override;
  absl::StatusOr<std::vector<float>> Losses(const Batch& batch) override;
  absl::Span<const float> gradients() override { return dlogits_.span(); }
  PhaseTimer* phases() override { return &phases_; }

 private:
  ThreadPool* const pool_;
  LossConfig config_;
  std::unique_ptr<Loss> loss_;
  PhaseTimer phases_;
  std::vector<float> losses_;  // [B]
  Tensor<float, 2> dlogits_;   // [N, C]
};

// By the definitions, in double, on one thread: softmax cross-entropy; CTC in log space (losses/ctc_log_space.h).
class LossDefinitionSubject : public Subject {
 public:
  std::string name() const override { return "definition"; }
  double tolerance_factor() const override { return kDefaultToleranceFactor; }
  absl::Status Load(const BenchConfig& config, absl::Span<const float> params) override;
  void Unload() override {}
  absl::StatusOr<double> Step(const Batch& batch) override;
  absl::StatusOr<std::vector<float>> Losses(const Batch& batch) override;
  absl::Span<const float> gradients() override { return dlogits_.span(); }
  PhaseTimer* phases() override { return nullptr; }

 private:
  LossConfig config_;
  Tensor<float, 2> dlogits_;
};

}  // namespace earshot

#endif  // EARSHOT_BENCH_LOSS_SUBJECT_H_
