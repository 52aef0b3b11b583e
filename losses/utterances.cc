#include "losses/utterances.h"

#include "base/check.h"

namespace earshot {

void CheckLossShapes(TensorView<const float, 2> logits, const Packing& packing, int classes, absl::Span<float> losses,
                     TensorView<float, 2> dlogits) {
  CHECK_EQ(logits.dim(0), packing.rows());
  CHECK_EQ(logits.dim(1), classes);
  CHECK(dlogits.shape() == logits.shape());
  CHECK(dlogits.empty() || dlogits.data() != logits.data());
  CHECK_EQ(static_cast<int>(losses.size()), packing.batch());
}

void ForEachUtterance(ThreadPool* pool, int batch, absl::FunctionRef<void(int thread, int utterance)> work) {
  const int threads = pool == nullptr ? 1 : pool->num_threads();
  const auto share = [&](int thread) {
    for (int first = 0, round = 0; first < batch; first += threads, ++round) {
      const int b = first + (round % 2 == 0 ? thread : threads - 1 - thread);
      if (b < batch) work(thread, b);
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
