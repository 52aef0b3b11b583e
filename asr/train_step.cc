#include "asr/train_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/reduce.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

constexpr double kMaxGradNorm = 1e18;

// "utterance ID: feature D of frame T is nan", or empty when every feature is a finite number.
std::string FindBadFeature(const Batch& batch, ThreadPool* pool) {
  const int64_t bad = FindNotFinite(batch.features.span(), pool), width = batch.features.dim(1);
  if (bad == batch.features.size()) return "";
  const std::vector<int64_t>& offsets = batch.packing.offsets();
  const int64_t row = bad / width;
  const int64_t t = std::upper_bound(offsets.begin(), offsets.end(), row) - offsets.begin() - 1;
  return absl::StrCat("utterance ", batch.ids[row - offsets[t]], ": feature ", bad % width, " of frame ", t, " is ",
                      batch.features.data()[bad]);
}

}  // namespace

absl::StatusOr<std::unique_ptr<TrainStep>> TrainStep::Create(const TrainConfig& config, int input_size, int num_classes,
                                                             ThreadPool* pool) {
  std::unique_ptr<TrainStep> step(new TrainStep(config, pool));
  step->phases_ = std::make_unique<PhaseTimer>();
  ASSIGN_OR_RETURN(step->model_, Model::Create(config.model(), input_size, num_classes, pool, step->phases_.get()));
  ASSIGN_OR_RETURN(step->loss_, CreateLoss(config.loss(), num_classes, pool));
  step->optimizer_ = std::make_unique<Optimizer>(config.optimizer(), step->model_->params().size(), pool);
  return step;
}

absl::Status TrainStep::CheckLabels(const Batch& batch) const {
  for (int b = 0; b < batch.packing.batch(); ++b) {
    const absl::Status valid = loss_->CheckLabels(batch.packing.lengths()[b], batch.labels.row(b));
    if (!valid.ok()) return Annotate(valid, absl::StrCat("utterance ", batch.ids[b]));
  }
  return absl::OkStatus();
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
      stats->Skip(absl::StrCat("utterance ", batch.ids[b], ": loss is ", losses_[b]));
      return false;
    } else {
      stats->loss_sum += losses_[b];
      ++stats->utterances;
    }
  }
  return true;
}

bool TrainStep::CheckGradient(const Batch& batch, StepStats* stats, float* clip) const {
  ScopedPhase phase(phases_.get(), Phase::kClip);
  stats->grad_norm = GradientNorm(model_->grads(), pool_);
  *clip = ClipFactor(stats->grad_norm, config_.optimizer().max_grad_norm());
  // Not so long, either, that squares overflow in the optimizer's state or that clip is flushed to zero.
  if (!(stats->grad_norm * *clip < kMaxGradNorm) || *clip < std::numeric_limits<float>::min()) {
    stats->Skip(absl::StrCat("gradient norm is ", stats->grad_norm, " in the batch of utterance ", batch.ids[0]));
  }
  // Gates that are saturated for ever hide an infinite weight from the loss and the gradient.
  const absl::Span<const float> params = model_->params();
  const int64_t bad = FindNotFinite(params, pool_);
  if (bad < static_cast<int64_t>(params.size())) {
    stats->Skip(absl::StrCat("parameter ", bad, " is ", params[bad], " in the batch of utterance ", batch.ids[0]));
  }
  return !stats->not_finite;
}

absl::StatusOr<StepStats> TrainStep::Run(const Batch& batch, float learning_rate, uint64_t step) {
  StepStats stats;
  stats.frames = batch.packing.rows();
  {
    ScopedPhase phase(phases_.get(), Phase::kClip);
    stats.Skip(FindBadFeature(batch, pool_));
  }
  if (stats.not_finite) return stats;
  RETURN_IF_ERROR(CheckLabels(batch));
  // The count is known before the loss, so the gradient comes out divided by it.
  double count = 0;
  for (int b = 0; b < batch.packing.batch(); ++b) {
    const int32_t frames = batch.packing.lengths()[b];
    const absl::Span<const int32_t> labels = batch.labels.row(b);
    if (frames >= loss_->MinFrames(labels)) count += loss_->Count(frames, labels);
  }
  stats.count = Denominator(config_.loss(), count);
  const DropoutPosition dropout = {config_.seed(), step};
  const OutputRows judged =
      config_.loss().kind() == LossConfig::CROSS_ENTROPY_LAST_FRAME ? OutputRows::kLastFrames : OutputRows::kAll;
  const TensorView<float, 2> logits = model_->Forward(batch.features.view(), batch.packing, &dropout, judged);
  RETURN_IF_ERROR(ComputeLoss(batch, logits, stats.count > 0 ? static_cast<float>(1 / stats.count) : 0.0f));
  if (!SumLosses(batch, &stats)) return stats;
  if (stats.utterances == 0 || stats.count == 0) {
    stats.skipped = "no utterance of the batch has anything to learn from";
    return stats;
  }
  model_->Backward(batch.features.view(), batch.packing, dlogits_.view(), judged);
  float clip;
  if (!CheckGradient(batch, &stats, &clip)) return stats;
  ScopedPhase phase(phases_.get(), Phase::kOptimizer);
  optimizer_->Step(learning_rate, clip, model_->grads(), model_->params());
  return stats;
}

absl::Status TrainStep::Evaluate(const Batch& batch, std::vector<float>* losses, TensorView<float, 2>* logits) {
  RETURN_IF_ERROR(CheckLabels(batch));
  *logits = model_->Forward(batch.features.view(), batch.packing, nullptr);
  RETURN_IF_ERROR(ComputeLoss(batch, *logits, 0));
  *losses = losses_;
  return absl::OkStatus();
}

}  // namespace earshot
