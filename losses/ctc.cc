#include "losses/ctc.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "losses/ctc_utterance.h"
#include "losses/reduction.h"
#include "losses/utterances.h"

namespace earshot {
namespace {

class Ctc : public Loss {
 public:
  Ctc(LossConfig::Reduction reduction, int num_classes, ThreadPool* pool)
      : reduction_(reduction),
        classes_(num_classes),
        pool_(pool),
        workspaces_(pool == nullptr ? 1 : pool->num_threads()) {}

  absl::Status Compute(TensorView<const float, 2> logits, const Packing& packing, const Ragged<int32_t>& labels,
                       float scale, absl::Span<float> losses, TensorView<float, 2> dlogits) override {
    CheckLossShapes(logits, packing, classes_, losses, dlogits);
    RETURN_IF_ERROR(CheckBatchLabels(*this, packing, labels));
    ForEachUtterance(pool_, packing, [&](int thread, int b) {
      losses[b] = static_cast<float>(
          CtcUtterance<float>(logits, packing, b, labels.row(b), kCtcBlank, scale, dlogits, &workspaces_[thread]));
    });
    return absl::OkStatus();
  }

  absl::Status CheckLabels(int32_t /*frames*/, absl::Span<const int32_t> labels) const override {
    for (size_t k = 0; k < labels.size(); ++k) {
      if (labels[k] == kCtcBlank || labels[k] < 0 || labels[k] >= classes_) {
        return absl::InvalidArgumentError(absl::StrCat("label ", k, " is ", labels[k],
                                                       labels[k] == kCtcBlank ? ", the blank" : "", ", expected 1 to ",
                                                       classes_ - 1, " (the blank is ", kCtcBlank, ")"));
      }
    }
    return absl::OkStatus();
  }

  double Count(int32_t frames, absl::Span<const int32_t> labels) const override {
    return ReductionCount(reduction_, static_cast<double>(labels.size()), frames);
  }

  int64_t MinFrames(absl::Span<const int32_t> labels) const override { return CtcMinFrames(labels); }

 private:
  const LossConfig::Reduction reduction_;
  const int classes_;
  ThreadPool* const pool_;
  std::vector<CtcWorkspace> workspaces_;  // one a thread
};

}  // namespace

std::unique_ptr<Loss> CreateCtc(LossConfig::Reduction reduction, int num_classes, ThreadPool* pool) {
  return std::make_unique<Ctc>(reduction, num_classes, pool);
}

}  // namespace earshot
