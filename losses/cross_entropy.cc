#include "losses/cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/tensor.h"
#include "losses/exps.h"
#include "losses/reduction.h"
#include "losses/utterances.h"

namespace earshot {
namespace {

// Returns -log softmax(logits)[label] and writes scale * (softmax - onehot). NaN when a logit is not finite. `exps` is
// memory for WholeVectors(C) numbers.
double JudgeFrame(absl::Span<const float> logits, int32_t label, float scale, double* exps, absl::Span<float> dlogits) {
  const int n = static_cast<int>(logits.size());
  double max;
  // The sum of all but the label keeps the loss exact when it is tiny: log1p(others / own).
  const double others = ComputeExps(logits.data(), n, label, exps, &max);
  const double own = std::exp(logits[label] - max), sum = own + others;
  ScaleExps(exps, n, scale / sum, dlogits.data());
  dlogits[label] = static_cast<float>(-others * (scale / sum));
  return own > others ? std::log1p(others / own) : std::log(sum) - (logits[label] - max);
}

class CrossEntropy : public Loss {
 public:
  CrossEntropy(LossConfig::Kind kind, LossConfig::Reduction reduction, int num_classes, ThreadPool* pool)
      : last_frame_(kind == LossConfig::CROSS_ENTROPY_LAST_FRAME),
        reduction_(reduction),
        classes_(num_classes),
        pool_(pool),
        exps_({pool == nullptr ? 1 : pool->num_threads(), WholeVectors(num_classes)}) {}

  absl::Status Compute(TensorView<const float, 2> logits, const Packing& packing, const Ragged<int32_t>& labels,
                       float scale, absl::Span<float> losses, TensorView<float, 2> dlogits) override {
    CheckLossShapes(logits, packing, classes_, losses, dlogits);
    RETURN_IF_ERROR(CheckBatchLabels(*this, packing, labels));
    ForEachUtterance(pool_, packing, [&](int thread, int b) {
      double* const exps = exps_.data() + thread * exps_.dim(1);
      losses[b] = static_cast<float>(Utterance(logits, packing, b, labels.row(b), scale, exps, dlogits));
    });
    return absl::OkStatus();
  }

  absl::Status CheckLabels(int32_t frames, absl::Span<const int32_t> labels) const override {
    const int32_t lowest = last_frame_ ? 0 : kIgnoredLabel, expected = last_frame_ ? 1 : frames;
    if (static_cast<int64_t>(labels.size()) != expected) {
      return absl::InvalidArgumentError(absl::StrCat(labels.size(), " labels, expected ", expected,
                                                     last_frame_ ? " (one an utterance)" : " (one a frame)"));
    }
    for (size_t k = 0; k < labels.size(); ++k) {
      if (labels[k] < lowest || labels[k] >= classes_) {
        return absl::InvalidArgumentError(
            absl::StrCat("label ", k, " is ", labels[k], ", expected ", lowest, " to ", classes_ - 1));
      }
    }
    return absl::OkStatus();
  }

  double Count(int32_t /*frames*/, absl::Span<const int32_t> labels) const override {
    const double judged = static_cast<double>(labels.size() - std::count(labels.begin(), labels.end(), kIgnoredLabel));
    return ReductionCount(reduction_, judged, judged);
  }

 private:
  double Utterance(TensorView<const float, 2> logits, const Packing& packing, int b, absl::Span<const int32_t> labels,
                   float scale, double* exps, TensorView<float, 2> dlogits) const {
    const int frames = packing.lengths()[b];
    double loss = 0;
    for (int t = 0; t < frames; ++t) {
      const int64_t row = packing.row(t, b);
      const int32_t label = !last_frame_ ? labels[t] : t == frames - 1 ? labels[0] : kIgnoredLabel;
      const absl::Span<float> gradient = dlogits.row(row);
      if (label != kIgnoredLabel) loss += JudgeFrame(logits.row(row), label, scale, exps, gradient);
      if (label == kIgnoredLabel || scale == 0) std::fill(gradient.begin(), gradient.end(), 0.0f);
    }
    return loss;
  }

  const bool last_frame_;
  const LossConfig::Reduction reduction_;
  const int classes_;
  ThreadPool* const pool_;
  Tensor<double, 2> exps_;  // a row a thread
};

}  // namespace

std::unique_ptr<Loss> CreateCrossEntropy(LossConfig::Kind kind, LossConfig::Reduction reduction, int num_classes,
                                         ThreadPool* pool) {
  return std::make_unique<CrossEntropy>(kind, reduction, num_classes, pool);
}

}  // namespace earshot
