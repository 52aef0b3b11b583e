#include "asr/train_step.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

// "utterance ID: feature D of frame T is nan", or empty when every feature is a finite number.
std::string FindBadFeature(const Batch& batch, ThreadPool* pool) {
  const int64_t width = batch.features.dim(1);
  std::vector<int64_t> first_bad(pool->num_threads(), -1);
  pool->Run([&](int worker) {
    const int64_t n = batch.features.size(), begin = n * worker / pool->num_threads(),
                  end = n * (worker + 1) / pool->num_threads();
    const float* x = batch.features.data();
    // x * 0 is 0 for finite numbers and NaN for others: one sum tells without a branch an element.
    float zero = 0;
    for (int64_t i = begin; i < end; ++i) zero += x[i] * 0.0f;
    if (zero == 0) return;
    for (int64_t i = begin; i < end && first_bad[worker] < 0; ++i) {
      if (!std::isfinite(x[i])) first_bad[worker] = i;
    }
  });
  for (int64_t bad : first_bad) {
    if (bad < 0) continue;
    const Packing& p = batch.packing;
    const int64_t row = bad / width;
    int t = 0;
    while (t + 1 < p.steps() && p.offsets()[t + 1] <= row) ++t;
    return absl::StrCat("utterance ", batch.ids[row - p.offsets()[t]], ": feature ", bad % width, " of frame ", t,
                        " is ", batch.features.data()[bad]);
  }
  return "";
}

}  // namespace

absl::StatusOr<std::unique_ptr<TrainStep>> TrainStep::Create(const TrainConfig& config, int input_size,
                                                             int num_classes, ThreadPool* pool) {
  std::unique_ptr<TrainStep> step(new TrainStep(config, pool));
  step->phases_ = std::make_unique<PhaseTimer>();
  ASSIGN_OR_RETURN(step->model_, Model::Create(config.model(), input_size, num_classes, pool, step->phases_.get()));
  ASSIGN_OR_RETURN(step->loss_, CreateLoss(config.loss(), num_classes, pool));
  step->optimizer_ = std::make_unique<Optimizer>(config.optimizer(), step->model_->params().size(), pool);
  return step;
}

absl::Status TrainStep::ComputeLoss(const Batch& batch, TensorView<const float, 2> logits, float scale) {
  ScopedPhase phase(phases_.get(), Phase::kLoss);
  losses_.resize(batch.packing.batch());
  dlogits_.Resize({logits.dim(0), logits.dim(1)});
  return loss_->Compute(logits, batch.packing, batch.labels, scale, absl::MakeSpan(losses_), dlogits_.view());
}

bool TrainStep::SumLosses(const Batch& batch, StepStats* stats) const {
  for (size_t b = 0; b < losses_.size(); ++b) {
    if (batch.packing.lengths()[b] < loss_->MinFrames(batch.labels.row(b))) {
      stats->impossible.push_back(batch.ids[b]);
    } else if (!std::isfinite(losses_[b])) {
      stats->skipped = absl::StrCat("utterance ", batch.ids[b], ": loss is ", losses_[b]);
      return false;
    } else {
      stats->loss_sum += losses_[b];
      ++stats->utterances;
    }
  }
  return true;
}

absl::StatusOr<StepStats> TrainStep::Run(const Batch& batch, float learning_rate, uint64_t step) {
  StepStats stats;
  stats.frames = batch.packing.rows();
  {
    ScopedPhase phase(phases_.get(), Phase::kClip);
    stats.skipped = FindBadFeature(batch, pool_);
  }
  if (!stats.skipped.empty()) return stats;
  // The count is known before the loss, so the gradient comes out divided by it.
  for (int b = 0; b < batch.packing.batch(); ++b) {
    const int32_t frames = batch.packing.lengths()[b];
    const absl::Span<const int32_t> labels = batch.labels.row(b);
    if (frames >= loss_->MinFrames(labels)) stats.count += loss_->Count(frames, labels);
  }
  const double denominator = Denominator(config_.loss(), stats.count);
  const DropoutPosition dropout = {config_.seed(), step};
  const TensorView<float, 2> logits = model_->Forward(batch.features.view(), batch.packing, &dropout);
  RETURN_IF_ERROR(ComputeLoss(batch, logits, denominator > 0 ? static_cast<float>(1 / denominator) : 0.0f));
  if (!SumLosses(batch, &stats)) return stats;
  stats.count = denominator;
  if (stats.utterances == 0 || denominator == 0) {
    stats.skipped = "no utterance of the batch has anything to learn from";
    return stats;
  }
  model_->Backward(batch.features.view(), batch.packing, dlogits_.view());
  float clip;
  {
    ScopedPhase phase(phases_.get(), Phase::kClip);
    stats.grad_norm = GradientNorm(model_->grads());
    clip = ClipFactor(stats.grad_norm, config_.optimizer().max_grad_norm());
  }
  if (!std::isfinite(stats.grad_norm)) {
    stats.skipped = absl::StrCat("gradient norm is ", stats.grad_norm, " in the batch of utterance ", batch.ids[0]);
    return stats;
  }
  ScopedPhase phase(phases_.get(), Phase::kOptimizer);
  optimizer_->Step(learning_rate, clip, model_->grads(), model_->params());
  return stats;
}

absl::Status TrainStep::Evaluate(const Batch& batch, std::vector<float>* losses, TensorView<float, 2>* logits) {
  *logits = model_->Forward(batch.features.view(), batch.packing, nullptr);
  RETURN_IF_ERROR(ComputeLoss(batch, *logits, 0));
  *losses = losses_;
  return absl::OkStatus();
}

}  // namespace earshot
