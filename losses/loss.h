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
  // gradient of exactly 0. Where an utterance's logits are not all finite, its loss is NaN and its gradient
  // unspecified. With scale = 0 every gradient is exactly 0. Labels that CheckLabels refuses are InvalidArgument naming
  // the utterance's position in the batch; the outputs are then unspecified.
  virtual absl::Status Compute(TensorView<const float, 2> logits, const Packing& packing, const Ragged<int32_t>& labels,
                               float scale, absl::Span<float> losses, TensorView<float, 2> dlogits) = 0;

  // InvalidArgument when the labels of an utterance of `frames` frames have no meaning (blank or out of range, a wrong
  // count): names the position of the label and its value.
  virtual absl::Status CheckLabels(int32_t frames, absl::Span<const int32_t> labels) const = 0;

  // What one utterance with these labels adds to the count that the configured reduction divides by (0 for SUM); see
  // Denominator. Ignored labels do not count. An utterance whose loss is infinite belongs in neither sum: the caller
  // leaves it out.
  virtual double Count(int32_t frames, absl::Span<const int32_t> labels) const = 0;

  // Fewest frames in which `labels` can be right: an utterance with fewer has an infinite loss whatever the logits are.
  virtual int64_t MinFrames(absl::Span<const int32_t> labels) const {
    (void)labels;
    return 0;
  }
};

// num_classes is C, with the blank for CTC; InvalidArgument when there are too few. `pool` may be null (then the
// calling thread does all the work) and must outlive the loss. The results are the same bits for any number of threads.
absl::StatusOr<std::unique_ptr<Loss>> CreateLoss(const LossConfig& config, int num_classes, ThreadPool* pool);

// What the sum of losses of a batch or an epoch is divided by, `count` being the sum of Loss::Count over the same
// utterances: 1 for SUM, else `count`. 0 means that nothing was judged: there is no mean then, and no step to take.
double Denominator(const LossConfig& config, double count);

}  // namespace earshot

#endif  // EARSHOT_LOSSES_LOSS_H_
