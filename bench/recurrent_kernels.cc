#include "bench/recurrent_kernels.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/packing.h"
#include "base/status_macros.h"
#include "base/tensor.h"
#include "bench/kernel_check.h"
#include "lstm/lstm.h"
#include "lstm/lstm_params.h"
#include "lstm/registry.h"
#include "lstm/simd/direction.h"
#include "lstm/simd/kernels.h"
#include "lstm/simd/pair_barrier.h"

namespace earshot {
namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr int kInput = 123;  // features; their product is not in the times

// As many steps as make the saved gates leave the second-level cache, as they do in training.
int64_t StepsOf(int64_t hidden, int64_t batch) {
  constexpr int64_t kGateFloats = 4 << 20;
  return std::min<int64_t>(2000, std::max<int64_t>(16, kGateFloats / (4 * hidden * batch)));
}

std::vector<double> ToDouble(absl::Span<const float> values) { return {values.begin(), values.end()}; }

// One direction, with inputs, weights and what a loss would say of its outputs.
struct DirectionCase {
  DirectionCase(ThreadPool* pool, const LstmLevelConfig& config, const Packing& packing, uint64_t seed)
      : direction(BestKernels(), config, 0) {
    const int64_t h = config.hidden_size, n = packing.rows();
    const float range = 1 / std::sqrt(static_cast<float>(h));
    params = RandomTensor(pool, seed, -range, range, LstmParamsSize(config));
    x = RandomTensor(pool, seed + 1, -1, 1, n * kInput);
    dy = RandomTensor(pool, seed + 2, -1, 1, n * h);
    y.Resize({n, h});
    in.params = params.span();
    in.x = {x.data(), {n, kInput}};
    in.packing = &packing;
    pass.Resize({direction.PassFloats(packing.batch())});
  }
  TensorView<const float, 2> dy_view() const { return {dy.data(), y.view().shape()}; }

  SimdDirection direction;
  Tensor<float, 1> params, x, dy, pass;
  Tensor<float, 2> y;
  LstmInput in;
};

class RecurrentKernel : public Kernel {
 public:
  // `halves`: two threads work on one direction.
  RecurrentKernel(ThreadPool* pool, int64_t hidden, int64_t batch, bool halves, bool backward)
      : pool_(pool),
        config_{kInput, static_cast<int>(hidden), 1, false, false},
        packing_(Packing::CreateOrDie(std::vector<int32_t>(batch, static_cast<int32_t>(StepsOf(hidden, batch))))),
        halves_(halves),
        backward_(backward),
        rows_(pool->num_threads()),
        seconds_(pool->num_threads()) {
    CHECK(!halves || pool->num_threads() == 2);
    for (int i = 0; i < (halves ? 1 : pool->num_threads()); ++i) {
      cases_.push_back(std::make_unique<DirectionCase>(pool, config_, packing_, 10 * (i + 1)));
    }
    for (Tensor<int32_t, 1>& rows : rows_) rows.Resize({2 * ChunkRows(batch)});
  }

  KernelWork work() const override {
    const double h = config_.hidden_size, n = static_cast<double>(packing_.rows()) * static_cast<double>(cases_.size());
    KernelWork work;
    work.flops = 2 * 4 * h * h * n;
    work.cells = h * n;
    work.steps = packing_.steps();
    return work;
  }

  double Run() override {
    for (auto& c : cases_) c->direction.StartForward(pool_, c->in, c->pass.data());
    const double forward = RunParts([this](DirectionCase* c, const Part& part, const TeamMember& self) {
      return c->direction.ForwardPart(c->in, part, self, c->y.view());
    });
    if (!backward_) return forward;
    for (auto& c : cases_) c->direction.StartBackward(pool_, c->in, /*with_initial=*/true, c->pass.data());
    return RunParts([](DirectionCase* c, const Part& part, const TeamMember& self) {
      c->direction.BackwardPart(c->in, part, self, c->dy_view());
      return 0.0;
    });
  }

  // Against the implementation on OpenBLAS.
  absl::Status Check() override {
    for (auto& c : cases_) {
      ASSIGN_OR_RETURN(const std::unique_ptr<Lstm> lstm, CreateLstm("blas", config_, {pool_, nullptr}));
      Tensor<float, 2> y(c->y.view().shape()), dx({packing_.rows(), kInput}), expected_dx(dx.view().shape());
      lstm->Forward(c->in, y.view(), nullptr);
      RETURN_IF_ERROR(CheckClose("output", c->y.span(), ToDouble(y.span()), 1e-5));
      if (!backward_) continue;
      std::vector<float> dparams(LstmParamsSize(config_));
      lstm->Backward(c->in, y.view(), c->dy_view(), expected_dx.view(), absl::MakeSpan(dparams), nullptr);
      c->direction.StartInputGradient(pool_, c->in, c->pass.data());
      c->direction.InputGradient(0, packing_.rows(), dx.view());
      RETURN_IF_ERROR(CheckClose("gradient by the input", dx.span(), ToDouble(expected_dx.span()), 1e-4));
    }
    return absl::OkStatus();
  }

 private:
  // work(case, part, member) returns the seconds of it that do not count. The mean over the threads of those that do:
  // two that share a direction wait for each other, also where one of them is later with its input product.
  double RunParts(absl::FunctionRef<double(DirectionCase*, const Part&, const TeamMember&)> work) {
    pool_->Run([&](int i) {
      DirectionCase* const c = cases_[halves_ ? 0 : i].get();
      const TeamMember self = {halves_ ? i : 0, halves_ ? &barrier_ : nullptr, rows_[i].data()};
      if (halves_) barrier_.Wait(i);  // both are awake
      const Clock::time_point start = Clock::now();
      const double other = work(c, {0, 0, packing_.batch()}, self);
      seconds_[i] = Since(start) - other;
    });
    return std::accumulate(seconds_.begin(), seconds_.end(), 0.0) / static_cast<double>(seconds_.size());
  }

  ThreadPool* const pool_;
  const LstmLevelConfig config_;
  const Packing packing_;
  const bool halves_, backward_;
  PairBarrier barrier_;
  std::vector<std::unique_ptr<DirectionCase>> cases_;  // of each thread, or the one that both share
  std::vector<Tensor<int32_t, 1>> rows_;               // of each thread
  std::vector<double> seconds_;                        // of each thread
};

// The barrier of `halves` alone. It is slow where the two cores share no cache, which a virtual machine may change at
// any time.
class BarrierKernel : public Kernel {
 public:
  explicit BarrierKernel(ThreadPool* pool) : pool_(pool) {}

  KernelWork work() const override {
    KernelWork work;
    work.steps = kRounds;
    return work;
  }

  double Run() override {
    double seconds = 0;
    pool_->Run([&](int i) {
      barrier_.Wait(i);  // both are awake
      const Clock::time_point start = Clock::now();
      for (int round = 0; round < kRounds; ++round) {
        written_[i].value = round;
        barrier_.Wait(i);
        missed_[i].value += written_[1 - i].value < round;  // the other one may be a round ahead
      }
      if (i == 0) seconds = Since(start);
    });
    return seconds;
  }

  absl::Status Check() override {
    if (missed_[0].value + missed_[1].value == 0) return absl::OkStatus();
    return absl::InternalError("what one thread wrote was not seen by the other");
  }

 private:
  static constexpr int kRounds = 1000;
  struct alignas(128) Line {
    std::atomic<int> value{0};
  };

  ThreadPool* const pool_;
  PairBarrier barrier_;
  Line written_[2], missed_[2];
};

}  // namespace

void RegisterRecurrentKernels(KernelSuite* suite) {
  if (suite->has_threads(2)) {
    suite->Register("barrier", 2, [](ThreadPool* pool) { return std::make_unique<BarrierKernel>(pool); });
  }
  for (const bool backward : {false, true}) {
    for (const int64_t hidden : {32, 64, 128, 320, 512, 1024}) {
      for (const int64_t batch : {1, 4, 8, 16, 24, 32, 50, 64, 128}) {
        const auto add = [&](bool halves, int threads) {
          suite->Register(absl::StrCat(backward ? "recurrent_backward" : "recurrent_forward",
                                       halves ? "/halves" : "/own", "/H:", hidden, "/B:", batch),
                          threads, [=](ThreadPool* pool) {
                            return std::make_unique<RecurrentKernel>(pool, hidden, batch, halves, backward);
                          });
        };
        for (const int threads : suite->thread_counts()) add(/*halves=*/false, threads);
        if (suite->has_threads(2)) add(/*halves=*/true, 2);
      }
    }
  }
}

}  // namespace earshot
