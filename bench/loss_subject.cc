#include "bench/loss_subject.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/status_macros.h"
#include "losses/ctc_log_space.h"

namespace earshot {
namespace {

// What the sum of the batch's losses is divided by.
absl::StatusOr<double> BatchDenominator(const LossConfig& config, const Loss& loss, const Batch& batch) {
  double count = 0;
  for (int b = 0; b < batch.packing.batch(); ++b) {
    RETURN_IF_ERROR(loss.CheckLabels(batch.packing.lengths()[b], batch.labels.row(b)));
    count += loss.Count(batch.packing.lengths()[b], batch.labels.row(b));
  }
  return Denominator(config, count);
}

std::vector<double> LogSoftmax(absl::Span<const float> logits) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (float x : logits) sum += std::exp(x - largest);
  std::vector<double> log_probabilities;
  for (float x : logits) log_probabilities.push_back(x - largest - std::log(sum));
  return log_probabilities;
}

// Adds up the loss of one utterance and writes scale times its gradient.
double DefineCrossEntropy(const Batch& batch, int b, bool last_frame, double scale, TensorView<float, 2> dlogits) {
  const int frames = batch.packing.lengths()[b];
  double loss = 0;
  for (int t = 0; t < frames; ++t) {
    const int64_t row = batch.packing.row(t, b);
    const absl::Span<float> gradient = dlogits.row(row);
    std::fill(gradient.begin(), gradient.end(), 0.0f);
    if (last_frame && t + 1 < frames) continue;
    const int32_t label = batch.labels.row(b)[last_frame ? 0 : t];
    const std::vector<double> log_probabilities = LogSoftmax(batch.features.view().row(row));
    loss -= log_probabilities[label];
    for (size_t c = 0; c < gradient.size(); ++c) {
      const double target = static_cast<int32_t>(c) == label ? 1 : 0;
      gradient[c] = static_cast<float>(scale * (std::exp(log_probabilities[c]) - target));
    }
  }
  return loss;
}

double DefineCtc(const Batch& batch, int b, double scale, TensorView<float, 2> dlogits) {
  const int frames = batch.packing.lengths()[b];
  const absl::Span<const int32_t> labels = batch.labels.row(b);
  const size_t states = 2 * labels.size() + 1;
  const auto symbol = [&](size_t state) { return state % 2 == 0 ? 0 : labels[state / 2]; };
  std::vector<double> emissions, occupancies;
  std::vector<std::vector<double>> log_probabilities;
  for (int t = 0; t < frames; ++t) {
    log_probabilities.push_back(LogSoftmax(batch.features.view().row(batch.packing.row(t, b))));
    for (size_t s = 0; s < states; ++s) emissions.push_back(log_probabilities.back()[symbol(s)]);
  }
  const double loss = CtcLogSpace(emissions, frames, labels, &occupancies);
  for (int t = 0; t < frames; ++t) {
    std::vector<double> gradient;
    for (double log_probability : log_probabilities[t]) gradient.push_back(std::exp(log_probability));
    for (size_t s = 0; s < states; ++s) gradient[symbol(s)] -= occupancies[t * states + s];
    const absl::Span<float> row = dlogits.row(batch.packing.row(t, b));
    for (size_t c = 0; c < row.size(); ++c) row[c] = static_cast<float>(scale * gradient[c]);
  }
  return loss;
}

}  // namespace

absl::Status LossSubject::Load(const BenchConfig& config, absl::Span<const float> params) {
  if (!params.empty()) return absl::InternalError("the loss has no parameters");
  config_ = config.train().loss();
  ASSIGN_OR_RETURN(loss_, CreateLoss(config_, config.batch().classes(), pool_));
  return absl::OkStatus();
}

absl::StatusOr<double> LossSubject::Step(const Batch& batch) {
  ScopedPhase phase(&phases_, Phase::kLoss);
  ASSIGN_OR_RETURN(const double denominator, BatchDenominator(config_, *loss_, batch));
  losses_.resize(batch.packing.batch());
  dlogits_.Resize({batch.features.dim(0), batch.features.dim(1)});
  RETURN_IF_ERROR(loss_->Compute(batch.features.view(), batch.packing, batch.labels,
                                 static_cast<float>(1 / denominator), absl::MakeSpan(losses_), dlogits_.view()));
  return std::accumulate(losses_.begin(), losses_.end(), 0.0) / denominator;
}

absl::StatusOr<std::vector<float>> LossSubject::Losses(const Batch& batch) {
  RETURN_IF_ERROR(Step(batch).status());
  return losses_;
}

absl::Status LossDefinitionSubject::Load(const BenchConfig& config, absl::Span<const float>) {
  config_ = config.train().loss();
  return absl::OkStatus();
}

absl::StatusOr<double> LossDefinitionSubject::Step(const Batch& batch) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Loss> counts,
                   CreateLoss(config_, static_cast<int>(batch.features.dim(1)), /*pool=*/nullptr));
  ASSIGN_OR_RETURN(const double denominator, BatchDenominator(config_, *counts, batch));
  dlogits_.Resize({batch.features.dim(0), batch.features.dim(1)});
  double sum = 0;
  for (int b = 0; b < batch.packing.batch(); ++b) {
    const bool last = config_.kind() == LossConfig::CROSS_ENTROPY_LAST_FRAME;
    sum += config_.kind() == LossConfig::CTC ? DefineCtc(batch, b, 1 / denominator, dlogits_.view())
                                             : DefineCrossEntropy(batch, b, last, 1 / denominator, dlogits_.view());
  }
  return sum / denominator;
}

absl::StatusOr<std::vector<float>> LossDefinitionSubject::Losses(const Batch& batch) {
  Tensor<float, 2> unused({batch.features.dim(0), batch.features.dim(1)});
  std::vector<float> losses;
  for (int b = 0; b < batch.packing.batch(); ++b) {
    const bool last = config_.kind() == LossConfig::CROSS_ENTROPY_LAST_FRAME;
    losses.push_back(static_cast<float>(config_.kind() == LossConfig::CTC
                                            ? DefineCtc(batch, b, 0, unused.view())
                                            : DefineCrossEntropy(batch, b, last, 0, unused.view())));
  }
  return losses;
}

}  // namespace earshot
