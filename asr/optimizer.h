// Adam and SGD with momentum over the flat parameter vector.
#ifndef EARSHOT_ASR_OPTIMIZER_H_
#define EARSHOT_ASR_OPTIMIZER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "asr/train.pb.h"
#include "base/tensor.h"
#include "base/thread_pool.h"

namespace earshot {

class Optimizer {
 public:
  // The pool outlives the optimizer; `size` is the number of parameters.
  Optimizer(const OptimizerConfig& config, int64_t size, ThreadPool* pool);

  // One update with the gradient grad_scale * grads.
  // Adam: m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2,
  //       w -= learning_rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
  // SGD:  v = momentum v + g, w -= learning_rate v
  // Weight decay, where configured, first takes w -= learning_rate weight_decay w.
  void Step(float learning_rate, float grad_scale, absl::Span<const float> grads, absl::Span<float> params);

  // What a checkpoint has to hold: named vectors as long as the parameters ("m", "v" or "momentum"), and the number of
  // updates so far.
  struct NamedState {
    std::string name;
    absl::Span<float> values;
  };
  std::vector<NamedState> state();
  int64_t updates() const { return updates_; }
  void set_updates(int64_t updates) { updates_ = updates; }

 private:
  const OptimizerConfig config_;
  ThreadPool* const pool_;
  int64_t updates_ = 0;
  Tensor<float, 1> first_, second_;  // Adam: m, v; SGD: the momentum alone
};

// Euclidean norm, accumulated in double in a fixed order; infinity or NaN when the gradient holds such a number. `pool`
// null: the calling thread does it all, with the same result.
double GradientNorm(absl::Span<const float> grads, ThreadPool* pool = nullptr);

// The factor that brings a gradient of this norm down to max_norm: 1 when it is small enough or max_norm is 0 (off).
float ClipFactor(double norm, float max_norm);

}  // namespace earshot

#endif  // EARSHOT_ASR_OPTIMIZER_H_
