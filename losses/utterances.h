// What the losses share: the shapes of a call, and the work of a batch dealt to threads.
#ifndef EARSHOT_LOSSES_UTTERANCES_H_
#define EARSHOT_LOSSES_UTTERANCES_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "base/packing.h"
#include "base/ragged.h"
#include "base/tensor.h"
#include "base/thread_pool.h"
#include "losses/loss.h"

namespace earshot {

// CHECKs the arguments of Loss::Compute.
void CheckLossShapes(TensorView<const float, 2> logits, const Packing& packing, int classes, absl::Span<float> losses,
                     TensorView<float, 2> dlogits);

// Loss::CheckLabels of every utterance; errors name its position in the batch.
absl::Status CheckBatchLabels(const Loss& loss, const Packing& packing, const Ragged<int32_t>& labels);

// Calls work(thread, utterance) once for every utterance of a batch. The shares are fixed: neighbours, of about the
// same number of frames. The rows of neighbours lie side by side, and threads that write to one cache line in turns
// wait for each other. A null pool: the calling thread is thread 0.
void ForEachUtterance(ThreadPool* pool, const Packing& packing,
                      absl::FunctionRef<void(int thread, int utterance)> work);

}  // namespace earshot

#endif  // EARSHOT_LOSSES_UTTERANCES_H_
