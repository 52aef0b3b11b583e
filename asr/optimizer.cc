#include "asr/optimizer.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "asr/optimizer.cc"
#include <hwy/foreach_target.h>  // compiles what follows once an instruction set
#include <hwy/highway.h>

#include "base/check.h"
#include "base/reduce.h"

#ifndef EARSHOT_ASR_OPTIMIZER_CC_SHARED_
#define EARSHOT_ASR_OPTIMIZER_CC_SHARED_
namespace earshot {

// The numbers of one update, the same for every parameter.
struct AdamUpdate {
  float grad_scale, beta1, beta2, decay, rate, inverse_root2, epsilon;
};
struct SgdUpdate {
  float grad_scale, momentum, decay, rate;
};

}  // namespace earshot
#endif  // EARSHOT_ASR_OPTIMIZER_CC_SHARED_

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Calls work(d, i) for vectors that cover [begin, end), single numbers at the end: the same operations, so that a
// parameter has the same bits in either.
template <class Work>
HWY_INLINE void ForEachVector(int64_t begin, int64_t end, const Work& work) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const int64_t lanes = hn::Lanes(d);
  int64_t i = begin;
  for (; i + lanes <= end; i += lanes) work(d, i);
  for (; i < end; ++i) work(d1, i);
}

void Adam(const AdamUpdate& u, const float* g, float* m, float* v, float* w, int64_t begin, int64_t end) {
  ForEachVector(begin, end, [&](auto d, int64_t i) HWY_ATTR {
    const auto gradient = hn::Mul(hn::Set(d, u.grad_scale), hn::LoadU(d, g + i));
    const auto first = hn::MulAdd(hn::Set(d, u.beta1), hn::LoadU(d, m + i), hn::Mul(hn::Set(d, 1 - u.beta1), gradient));
    const auto second = hn::MulAdd(hn::Set(d, u.beta2), hn::LoadU(d, v + i),
                                   hn::Mul(hn::Mul(hn::Set(d, 1 - u.beta2), gradient), gradient));
    hn::StoreU(first, d, m + i);
    hn::StoreU(second, d, v + i);
    const auto root = hn::MulAdd(hn::Sqrt(second), hn::Set(d, u.inverse_root2), hn::Set(d, u.epsilon));
    const auto step = hn::Div(hn::Mul(hn::Set(d, u.rate), first), root);
    const auto param = hn::LoadU(d, w + i);
    hn::StoreU(hn::Sub(param, hn::MulAdd(hn::Set(d, u.decay), param, step)), d, w + i);
  });
}

void Sgd(const SgdUpdate& u, const float* g, float* m, float* w, int64_t begin, int64_t end) {
  ForEachVector(begin, end, [&](auto d, int64_t i) HWY_ATTR {
    const auto momentum =
        hn::MulAdd(hn::Set(d, u.momentum), hn::LoadU(d, m + i), hn::Mul(hn::Set(d, u.grad_scale), hn::LoadU(d, g + i)));
    hn::StoreU(momentum, d, m + i);
    const auto param = hn::LoadU(d, w + i);
    const auto step = hn::Mul(hn::Set(d, u.rate), momentum);
    hn::StoreU(hn::Sub(param, hn::MulAdd(hn::Set(d, u.decay), param, step)), d, w + i);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace earshot {
namespace {

HWY_EXPORT(Adam);
HWY_EXPORT(Sgd);

constexpr int64_t kGrain = 1 << 16;  // parameters that are worth a thread

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
  if (config_.kind() == OptimizerConfig::SGD) {
    const SgdUpdate update = {grad_scale, config_.momentum(), decay, learning_rate};
    pool_->ParallelFor(params.size(), kGrain, [&](int64_t begin, int64_t end) {
      HWY_DYNAMIC_DISPATCH(Sgd)(update, grads.data(), first_.data(), params.data(), begin, end);
    });
    return;
  }
  const double correction1 = 1 - std::pow(static_cast<double>(config_.beta1()), static_cast<double>(updates_));
  const double correction2 = 1 - std::pow(static_cast<double>(config_.beta2()), static_cast<double>(updates_));
  const AdamUpdate update = {grad_scale,
                             config_.beta1(),
                             config_.beta2(),
                             decay,
                             static_cast<float>(learning_rate / correction1),
                             static_cast<float>(1 / std::sqrt(correction2)),
                             config_.epsilon()};
  pool_->ParallelFor(params.size(), kGrain, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(Adam)
    (update, grads.data(), first_.data(), second_.data(), params.data(), begin, end);
  });
}

double GradientNorm(absl::Span<const float> grads, ThreadPool* pool) { return std::sqrt(SumOfSquares(grads, pool)); }

float ClipFactor(double norm, float max_norm) {
  return max_norm > 0 && norm > max_norm ? static_cast<float>(max_norm / norm) : 1.0f;
}

}  // namespace earshot
#endif  // HWY_ONCE
