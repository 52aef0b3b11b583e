#include "bench/loss_kernels.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/packing.h"
#include "base/ragged.h"
#include "base/random.h"
#include "base/status_macros.h"
#include "base/tensor.h"
#include "bench/kernel_check.h"
#include "losses/loss.h"

namespace earshot {
namespace {

constexpr int kUtterances = 32, kMinFrames = 500, kMaxFrames = 1000, kClasses = 59, kLabels = 100;

double LogAdd(double a, double b) {
  const double high = std::max(a, b);
  return high == -std::numeric_limits<double>::infinity() ? high : high + std::log1p(std::exp(std::min(a, b) - high));
}

std::vector<double> LogSoftmax(std::vector<double> logits) {
  double sum = -std::numeric_limits<double>::infinity();
  for (const double logit : logits) sum = LogAdd(sum, logit);
  for (double& logit : logits) logit -= sum;
  return logits;
}

// Minus the logarithm of the probability of all paths that read as `labels` (Graves et al. 2006, equations 6 to 8).
template <class LogProbs>
double CtcByDefinition(int frames, absl::Span<const int32_t> labels, LogProbs log_probs /* of frame t */) {
  const int states = 2 * static_cast<int>(labels.size()) + 1;
  const auto label = [&](int s) { return s % 2 == 0 ? 0 : labels[s / 2]; };
  std::vector<double> alpha(states, -std::numeric_limits<double>::infinity());
  for (int t = 0; t < frames; ++t) {
    const std::vector<double> p = log_probs(t);
    for (int s = states - 1; s >= 0; --s) {
      double from = t == 0 ? (s < 2 ? 0.0 : alpha[s]) : alpha[s];
      if (t > 0 && s > 0) from = LogAdd(from, alpha[s - 1]);
      if (t > 0 && s > 1 && s % 2 == 1 && label(s) != label(s - 2)) from = LogAdd(from, alpha[s - 2]);
      alpha[s] = from + p[label(s)];
    }
  }
  return -LogAdd(alpha[states - 1], alpha[states - 2]);
}

class LossKernel : public Kernel {
 public:
  LossKernel(ThreadPool* pool, LossConfig::Kind kind) : ctc_(kind == LossConfig::CTC) {
    std::vector<int32_t> lengths;
    for (int b = 0; b < kUtterances; ++b) {
      lengths.push_back(kMaxFrames - (kMaxFrames - kMinFrames) * b / (kUtterances - 1));
    }
    packing_ = Packing::CreateOrDie(lengths);
    logits_ = RandomTensor(pool, 1, -3, 3, packing_.rows() * kClasses);
    direction_ = RandomTensor(pool, 2, -1, 1, packing_.rows() * kClasses);
    dlogits_.Resize({packing_.rows(), kClasses});
    losses_.resize(kUtterances);
    RandomStream random(3, RandomPurpose::kBench);
    for (const int32_t length : lengths) {
      std::vector<int32_t> row(ctc_ ? kLabels : length);
      for (int32_t& label : row)
        label = static_cast<int32_t>(ctc_ ? 1 + random.Below(kClasses - 1) : random.Below(kClasses));
      labels_.AddRow(row);
    }
    LossConfig config;
    config.set_kind(kind);
    auto loss = CreateLoss(config, kClasses, pool);
    CHECK(loss.ok()) << loss.status();
    loss_ = *std::move(loss);
  }

  KernelWork work() const override {
    KernelWork work;
    const double rows = static_cast<double>(packing_.rows());
    work.bytes = 2 * sizeof(float) * kClasses * rows;
    work.bound = Bound::kCopy;
    work.cells = ctc_ ? (2 * kLabels + 1) * rows : 0;
    return work;
  }

  double Run() override {
    const auto start = std::chrono::steady_clock::now();
    status_ = loss_->Compute({logits_.data(), {packing_.rows(), kClasses}}, packing_, labels_, 1,
                             absl::MakeSpan(losses_), dlogits_.view());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  // The losses, and the gradient in a random direction by differences of losses in double.
  absl::Status Check() override {
    RETURN_IF_ERROR(status_);
    constexpr double kStep = 1e-4;
    std::vector<double> losses, slopes;
    std::vector<float> actual_slopes;
    for (int b = 0; b < kUtterances; ++b) {
      losses.push_back(ByDefinition(b, 0));
      slopes.push_back((ByDefinition(b, kStep) - ByDefinition(b, -kStep)) / (2 * kStep));
      double slope = 0;
      for (int t = 0; t < packing_.lengths()[b]; ++t) {
        for (int c = 0; c < kClasses; ++c) {
          slope +=
              double{dlogits_.view()(packing_.row(t, b), c)} * direction_.data()[packing_.row(t, b) * kClasses + c];
        }
      }
      actual_slopes.push_back(static_cast<float>(slope));
    }
    RETURN_IF_ERROR(CheckClose("loss", losses_, losses, 1e-5));
    return CheckClose("gradient in one direction", actual_slopes, slopes, 1e-4);
  }

 private:
  // The loss of utterance b at logits + step * direction.
  double ByDefinition(int b, double step) const {
    const auto log_probs = [&](int t) {
      const int64_t at = packing_.row(t, b) * kClasses;
      std::vector<double> logits(kClasses);
      for (int c = 0; c < kClasses; ++c) logits[c] = logits_.data()[at + c] + step * direction_.data()[at + c];
      return LogSoftmax(std::move(logits));
    };
    const int frames = packing_.lengths()[b];
    if (ctc_) return CtcByDefinition(frames, labels_.row(b), log_probs);
    double loss = 0;
    for (int t = 0; t < frames; ++t) loss -= log_probs(t)[labels_.row(b)[t]];
    return loss;
  }

  const bool ctc_;
  Packing packing_;
  Tensor<float, 1> logits_, direction_;
  Tensor<float, 2> dlogits_;
  Ragged<int32_t> labels_;
  std::vector<float> losses_;
  std::unique_ptr<Loss> loss_;
  absl::Status status_;
};

}  // namespace

void RegisterLossKernels(KernelSuite* suite) {
  for (const int threads : suite->thread_counts()) {
    suite->Register("ctc", threads,
                    [](ThreadPool* pool) { return std::make_unique<LossKernel>(pool, LossConfig::CTC); });
    suite->Register("cross_entropy", threads, [](ThreadPool* pool) {
      return std::make_unique<LossKernel>(pool, LossConfig::CROSS_ENTROPY_FRAME);
    });
  }
}

}  // namespace earshot
