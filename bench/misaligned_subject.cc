#include "bench/misaligned_subject.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/ragged.h"
#include "base/status_macros.h"

namespace earshot {

absl::Status MisalignedLengthsSubject::Load(const BenchConfig& config, absl::Span<const float> params) {
  TrainConfig train = config.train();
  train.mutable_model()->mutable_lstm()->set_implementation(std::string(implementation_->name));
  ASSIGN_OR_RETURN(
      model_, Model::Create(train.model(), config.batch().input_size(), config.batch().classes(), pool_, &phases_));
  CHECK_EQ(model_->params().size(), params.size());
  std::copy(params.begin(), params.end(), model_->params().begin());
  ASSIGN_OR_RETURN(loss_, CreateLoss(train.loss(), config.batch().classes(), pool_));
  optimizer_ = std::make_unique<Optimizer>(train.optimizer(), params.size(), pool_);
  learning_rate_ = train.optimizer().learning_rate();
  steps_ = 0;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<float>> MisalignedLengthsSubject::ForwardAndLoss(const Batch& batch) {
  const Packing& packing = batch.packing;
  const int last = packing.batch() - 1;
  const TensorView<float, 2> logits = model_->Forward(batch.features.view(), packing, nullptr);
  // In the loss's order: utterance last - b at place b, so that its wrong length packing.lengths()[b] fits.
  Tensor<float, 2> shuffled({logits.dim(0), logits.dim(1)}), dshuffled({logits.dim(0), logits.dim(1)});
  Ragged<int32_t> labels;
  for (int b = 0; b <= last; ++b) {
    labels.AddRow(batch.labels.row(last - b));
    for (int t = 0; t < std::min(packing.lengths()[b], packing.lengths()[last - b]); ++t) {
      const absl::Span<float> from = logits.row(packing.row(t, last - b));
      std::copy(from.begin(), from.end(), shuffled.view().row(packing.row(t, b)).begin());
    }
  }
  std::vector<float> losses(last + 1);
  ScopedPhase phase(&phases_, Phase::kLoss);
  RETURN_IF_ERROR(
      loss_->Compute(shuffled.view(), packing, labels, 1.0f / (last + 1), absl::MakeSpan(losses), dshuffled.view()));
  dlogits_.Resize({logits.dim(0), logits.dim(1)});
  dlogits_.Fill(0);
  for (int b = 0; b <= last; ++b) {
    for (int t = 0; t < std::min(packing.lengths()[b], packing.lengths()[last - b]); ++t) {
      const absl::Span<float> from = dshuffled.view().row(packing.row(t, b));
      std::copy(from.begin(), from.end(), dlogits_.view().row(packing.row(t, last - b)).begin());
    }
  }
  std::reverse(losses.begin(), losses.end());
  return losses;
}

absl::StatusOr<double> MisalignedLengthsSubject::Step(const Batch& batch) {
  ASSIGN_OR_RETURN(const std::vector<float> losses, ForwardAndLoss(batch));
  const Tensor<float, 2>& dlogits = dlogits_;
  model_->Backward(batch.features.view(), batch.packing, dlogits.view());
  ScopedPhase phase(&phases_, Phase::kOptimizer);
  optimizer_->Step(learning_rate_, 1, model_->grads(), model_->params());
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

absl::StatusOr<std::vector<float>> MisalignedLengthsSubject::Losses(const Batch& batch) {
  return ForwardAndLoss(batch);
}

}  // namespace earshot
