#include "losses/utterances.h"

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace earshot {

void CheckLossShapes(TensorView<const float, 2> logits, const Packing& packing, int classes, absl::Span<float> losses,
                     TensorView<float, 2> dlogits) {
  CHECK_EQ(logits.dim(0), packing.rows());
  CHECK_EQ(logits.dim(1), classes);
  CHECK(dlogits.shape() == logits.shape());
  CHECK(dlogits.empty() || dlogits.data() != logits.data());
  CHECK_EQ(static_cast<int>(losses.size()), packing.batch());
}

absl::Status CheckBatchLabels(const Loss& loss, const Packing& packing, const Ragged<int32_t>& labels) {
  if (labels.rows() != packing.batch()) {
    return absl::InvalidArgumentError(
        absl::StrCat("labels of ", labels.rows(), " utterances, expected ", packing.batch()));
  }
  for (int b = 0; b < labels.rows(); ++b) {
    const absl::Status valid = loss.CheckLabels(packing.lengths()[b], labels.row(b));
    if (!valid.ok()) return Annotate(valid, absl::StrCat("utterance ", b, " of the batch"));
  }
  return absl::OkStatus();
}

void ForEachUtterance(ThreadPool* pool, const Packing& packing,
                      absl::FunctionRef<void(int thread, int utterance)> work) {
  const int threads = pool == nullptr ? 1 : pool->num_threads();
  const auto share = [&](int thread) {
    int64_t twice_begin = 0;  // of the utterance among all frames; it is the thread's in whose share its middle lies
    for (int b = 0; b < packing.batch(); ++b) {
      const int64_t twice_middle = twice_begin + packing.lengths()[b];
      if (twice_middle * threads / (2 * packing.rows()) == thread) work(thread, b);
      twice_begin += 2 * packing.lengths()[b];
    }
  };
  if (pool == nullptr) {
    ScopedFlushDenormals flush;
    share(0);
  } else {
    pool->Run(share);
  }
}

}  // namespace earshot
