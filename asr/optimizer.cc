#include "asr/optimizer.h"

#include <cmath>

#include "base/check.h"

namespace earshot {
namespace {

constexpr int64_t kGrain = 1 << 14;  // parameters that are worth a thread

}  // namespace

Optimizer::Optimizer(const OptimizerConfig& config, int64_t size, ThreadPool* pool)
    : config_(config), pool_(pool), first_({size}) {
  if (config.kind() == OptimizerConfig::ADAM) second_ = Tensor<float, 1>({size});
}

std::vector<Optimizer::NamedState> Optimizer::state() {
  if (config_.kind() == OptimizerConfig::SGD) return {{"momentum", first_.span()}};
  return {{"m", first_.span()}, {"v", second_.span()}};
}

void Optimizer::Step(float learning_rate, float grad_scale, absl::Span<const float> grads, absl::Span<float> params) {
  CHECK_EQ(static_cast<int64_t>(grads.size()), first_.size());
  CHECK_EQ(grads.size(), params.size());
  ++updates_;
  const float decay = learning_rate * config_.weight_decay();
  float* const w = params.data();
  const float* const g = grads.data();
  float* const m = first_.data();
  float* const v = second_.data();
  if (config_.kind() == OptimizerConfig::SGD) {
    const float momentum = config_.momentum();
    pool_->ParallelFor(params.size(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        m[i] = momentum * m[i] + grad_scale * g[i];
        w[i] -= decay * w[i] + learning_rate * m[i];
      }
    });
    return;
  }
  const float b1 = config_.beta1(), b2 = config_.beta2(), epsilon = config_.epsilon();
  const double correction1 = 1 - std::pow(static_cast<double>(b1), static_cast<double>(updates_));
  const double correction2 = 1 - std::pow(static_cast<double>(b2), static_cast<double>(updates_));
  const float rate = static_cast<float>(learning_rate / correction1);
  const float inverse_root2 = static_cast<float>(1 / std::sqrt(correction2));
  pool_->ParallelFor(params.size(), kGrain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float gradient = grad_scale * g[i];
      m[i] = b1 * m[i] + (1 - b1) * gradient;
      v[i] = b2 * v[i] + (1 - b2) * gradient * gradient;
      w[i] -= decay * w[i] + rate * m[i] / (std::sqrt(v[i]) * inverse_root2 + epsilon);
    }
  });
}

double GradientNorm(absl::Span<const float> grads) {
  // Eight fixed partial sums: independent of threads, and short dependency chains.
  double sum[8] = {};
  size_t i = 0;
  for (; i + 8 <= grads.size(); i += 8) {
    for (int k = 0; k < 8; ++k) sum[k] += static_cast<double>(grads[i + k]) * grads[i + k];
  }
  for (; i < grads.size(); ++i) sum[0] += static_cast<double>(grads[i]) * grads[i];
  return std::sqrt(((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])));
}

float ClipFactor(double norm, float max_norm) {
  return max_norm > 0 && norm > max_norm ? static_cast<float>(max_norm / norm) : 1.0f;
}

}  // namespace earshot
