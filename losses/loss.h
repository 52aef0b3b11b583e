// Losses over packed logits: values and gradient in one call.
#ifndef EARSHOT_LOSSES_LOSS_H_
#define EARSHOT_LOSSES_LOSS_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/packing.h"
#include "base/ragged.h"
#include "base/tensor.h"
#include "base/thread_pool.h"
#include "losses/loss.pb.h"

namespace earshot {

class Loss {
 public:
  virtual ~Loss() = default;

  // logits [N, C]; labels: one row an utterance of the packing, in its order. Writes losses [B] (each utterance's own
  // sum, never divided) and dlogits [N, C], the gradient of `scale` * sum of losses.
  // An utterance that cannot be right (CTC: fewer frames than labels + equal neighbours) gets the loss +infinity and a
  // gradient of exactly 0. Labels that have no meaning (blank or out of range, a wrong count) are InvalidArgument naming
  // the utterance's position in the batch, the position of the label and its value; the outputs are then unspecified.
  virtual absl::Status Compute(TensorView<const float, 2> logits, const Packing& packing, const Ragged<int32_t>& labels,
                               float scale, absl::Span<float> losses, TensorView<float, 2> dlogits) = 0;

  // What one utterance adds to the denominator of the configured reduction (LossConfig.reduction).
  virtual double Count(int32_t frames, absl::Span<const int32_t> labels) const = 0;
};

absl::StatusOr<std::unique_ptr<Loss>> CreateLoss(const LossConfig& config, int num_classes, ThreadPool* pool);

}  // namespace earshot

#endif  // EARSHOT_LOSSES_LOSS_H_
