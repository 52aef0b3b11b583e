#include "bench/optimizer_kernels.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "asr/optimizer.h"
#include "base/status_macros.h"
#include "base/tensor.h"
#include "bench/kernel_check.h"

namespace earshot {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kParameters = 8'565'120;  // of bench/configs/lstm_ctc.textproto
constexpr float kLearningRate = 1e-3f, kGradScale = 0.5f;

double Since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Between two updates a training step goes through all its activations: of what an update reads, nothing is left in the
// caches.
class Caches {
 public:
  void Evict(ThreadPool* pool) {
    pool->ParallelFor(other_.size(), 1, [this](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) other_.data()[i] += 1;
    });
  }

 private:
  Tensor<float, 1> other_ = Tensor<float, 1>({int64_t{32} << 20});  // 128 MB
};

class Adam : public Kernel {
 public:
  explicit Adam(ThreadPool* pool)
      : pool_(pool),
        optimizer_(config_, kParameters, pool),
        start_(RandomTensor(pool, 1, -1, 1, kParameters)),
        params_(RandomTensor(pool, 1, -1, 1, kParameters)),
        grads_(RandomTensor(pool, 2, -0.01f, 0.01f, kParameters)) {}

  KernelWork work() const override {
    KernelWork work;
    work.bytes = 7.0 * sizeof(float) * kParameters;  // parameters and both moments in and out, gradients in
    work.bound = Bound::kUpdate;
    return work;
  }

  double Run() override {
    caches_.Evict(pool_);
    const Clock::time_point start = Clock::now();
    optimizer_.Step(kLearningRate, kGradScale, grads_.span(), params_.span());
    return Since(start);
  }

  // The first step, from moments of 0: m / (1 - beta1) is the gradient, v / (1 - beta2) its square.
  absl::Status Check() override {
    std::vector<float> moved(kParameters);
    std::vector<double> expected(kParameters);
    for (int64_t i = 0; i < kParameters; ++i) {
      const double gradient = double{kGradScale} * grads_.data()[i];
      moved[i] = params_.data()[i] - start_.data()[i];
      expected[i] = -kLearningRate * gradient / (std::abs(gradient) + config_.epsilon());
    }
    return CheckClose("step", moved, expected, 1e-3);  // what rounding a parameter of 1 leaves of a step of 1e-3
  }

 private:
  ThreadPool* const pool_;
  const OptimizerConfig config_;
  Optimizer optimizer_;
  Tensor<float, 1> start_, params_, grads_;
  Caches caches_;
};

class Norm : public Kernel {
 public:
  explicit Norm(ThreadPool* pool) : pool_(pool), grads_(RandomTensor(pool, 2, -0.01f, 0.01f, kParameters)) {}

  KernelWork work() const override {
    KernelWork work;
    work.bytes = 1.0 * sizeof(float) * kParameters;
    work.bound = Bound::kRead;
    return work;
  }

  double Run() override {
    caches_.Evict(pool_);
    const Clock::time_point start = Clock::now();
    norm_ = GradientNorm(grads_.span(), pool_);
    return Since(start);
  }

  absl::Status Check() override {
    double sum = 0;
    for (const float g : grads_.span()) sum += double{g} * g;
    return CheckClose("norm", {static_cast<float>(norm_)}, {std::sqrt(sum)}, 1e-6);
  }

 private:
  ThreadPool* const pool_;
  Tensor<float, 1> grads_;
  Caches caches_;
  double norm_ = 0;
};

}  // namespace

void RegisterOptimizerKernels(KernelSuite* suite) {
  for (const int threads : suite->thread_counts()) {
    suite->Register("adam", threads, [](ThreadPool* pool) { return std::make_unique<Adam>(pool); });
    suite->Register("gradient_norm", threads, [](ThreadPool* pool) { return std::make_unique<Norm>(pool); });
  }
}

}  // namespace earshot
