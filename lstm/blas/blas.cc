#include "lstm/blas/blas.h"

#include <algorithm>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/gemm.h"
#include "lstm/step_buffers.h"

namespace earshot {
namespace {

constexpr Transpose kNo = Transpose::kNo, kYes = Transpose::kYes;

class BlasLstm : public Lstm {
 public:
  BlasLstm(const LstmLevelConfig& config, const LstmContext& context)
      : Lstm(config), pool_(context.pool), phases_(context.phases) {
    for (int d = 0; d < config.directions; ++d) directions_.emplace_back(config, d);
  }

 private:
  void DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) override;
  void DoBackward(const LstmInput& in, TensorView<const float, 2> /*y*/, TensorView<const float, 2> dy,
                  TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) override;
  // Step s for units [begin, end): their four columns blocks of the recurrent product, then their gates. A step only
  // reads what all units of the step before wrote.
  void ForwardUnits(const LstmInput& in, StepBuffers* direction, int s, TensorView<float, 2> y, int64_t begin,
                    int64_t end);
  // The gradient by h of step s from step s + 1 for units [begin, end), then their gates' gradients. s = -1: only the
  // gradient by the state before the first step.
  void BackwardUnits(const LstmInput& in, StepBuffers* direction, int s, TensorView<const float, 2> dy,
                     const LstmDirectionParams<float>& dp, int64_t begin, int64_t end);
  void WeightGradients(const LstmInput& in, StepBuffers* direction, const LstmDirectionParams<float>& dp,
                       TensorView<float, 2> dx);
  // Calls work(direction, i, begin, end) for i in [0, steps) in order, for every direction and all units. The
  // directions run side by side; with threads to spare each step's units are cut too.
  void RunSteps(const Packing& packing, int steps,
                absl::FunctionRef<void(int direction, int i, int64_t begin, int64_t end)> work);

  ThreadPool* const pool_;
  PhaseTimer* const phases_;
  std::vector<StepBuffers> directions_;
};

void BlasLstm::RunSteps(const Packing& packing, int steps,
                        absl::FunctionRef<void(int direction, int i, int64_t begin, int64_t end)> work) {
  constexpr int64_t kUnit = 16;          // shares are whole vectors
  constexpr int64_t kMinWork = 200'000;  // multiply-adds of a step that are worth a hand-over
  const int64_t h = config().hidden_size, units = (h + kUnit - 1) / kUnit;
  const int directions = config().directions;
  const int64_t threads_each = 4 * h * h * packing.batch() < kMinWork ? 1 : pool_->num_threads() / directions;
  const int shares = static_cast<int>(std::max<int64_t>(1, std::min(threads_each, units)));
  if (shares == 1) {
    pool_->ParallelFor(directions, 1, [&](int64_t first, int64_t last) {
      for (int64_t d = first; d < last; ++d) {
        for (int i = 0; i < steps; ++i) work(d, i, 0, h);
      }
    });
  } else {
    for (int i = 0; i < steps; ++i) {
      pool_->Run([&](int thread) {
        const int share = thread % shares, d = thread / shares;
        if (d >= directions) return;
        work(d, i, units * share / shares * kUnit, std::min(h, units * (share + 1) / shares * kUnit));
      });
    }
  }
}

void BlasLstm::ForwardUnits(const LstmInput& in, StepBuffers* direction, int s, TensorView<float, 2> y, int64_t begin,
                            int64_t end) {
  const int64_t h = config().hidden_size;
  const LstmDirectionParams<const float> p = LstmDirection(config(), in.params, direction->direction());
  const GateForward step = direction->ForwardStep(in, s, y);
  const float* h_prev = direction->h_prev() + in.packing->offsets()[s] * h;
  const bool all = begin == 0 && end == h;
  for (int gate = 0; gate < (all ? 1 : 4); ++gate) {
    const int64_t column = gate * h + begin;
    Gemm(nullptr, kNo, kYes, step.batch, all ? 4 * h : end - begin, h, 1, h_prev, h, p.w_hh.data() + column * h, h, 1,
         step.gates + column, 4 * h);
  }
  ComputeGates(step, begin, end);
}

void BlasLstm::DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) {
  const int64_t h = config().hidden_size, i = config().input_size, n = in.packing->rows();
  {
    ScopedPhase phase(phases_, Phase::kCopy);
    for (StepBuffers& d : directions_) d.StartForward(pool_, in);
  }
  {
    ScopedPhase phase(phases_, Phase::kInputGemm);
    for (StepBuffers& d : directions_) {
      const LstmDirectionParams<const float> p = LstmDirection(config(), in.params, d.direction());
      Gemm(pool_, kNo, kYes, n, 4 * h, i, 1, d.x(), i, p.w_ih.data(), i, 0, d.gates(), 4 * h);
    }
  }
  {
    ScopedPhase phase(phases_, Phase::kRecurrence);
    RunSteps(*in.packing, in.packing->steps(),
             [&](int d, int s, int64_t begin, int64_t end) { ForwardUnits(in, &directions_[d], s, y, begin, end); });
  }
  if (final == nullptr) return;
  ScopedPhase phase(phases_, Phase::kCopy);
  for (const StepBuffers& d : directions_) d.CopyFinal(*in.packing, y, final);
}

void BlasLstm::BackwardUnits(const LstmInput& in, StepBuffers* direction, int s, TensorView<const float, 2> dy,
                             const LstmDirectionParams<float>& dp, int64_t begin, int64_t end) {
  const int64_t h = config().hidden_size;
  if (s + 1 < in.packing->steps()) {
    const LstmDirectionParams<const float> p = LstmDirection(config(), in.params, direction->direction());
    Gemm(nullptr, kNo, kNo, in.packing->batch_sizes()[s + 1], end - begin, 4 * h, 1,
         direction->gates() + in.packing->offsets()[s + 1] * 4 * h, 4 * h, p.w_hh.data() + begin, h, 0,
         direction->dh() + begin, h);
  }
  if (s >= 0) ComputeGateGradients(direction->BackwardStep(in, s, dy, dp), begin, end);
}

void BlasLstm::WeightGradients(const LstmInput& in, StepBuffers* direction, const LstmDirectionParams<float>& dp,
                               TensorView<float, 2> dx) {
  const int64_t h = config().hidden_size, i = config().input_size, n = in.packing->rows();
  const float* gates = direction->gates();
  Gemm(pool_, kYes, kNo, 4 * h, i, n, 1, gates, 4 * h, direction->x(), i, 1, dp.w_ih.data(), i);
  Gemm(pool_, kYes, kNo, 4 * h, h, n, 1, gates, 4 * h, direction->h_prev(), h, 1, dp.w_hh.data(), h);
  if (dx.empty()) return;
  const LstmDirectionParams<const float> p = LstmDirection(config(), in.params, direction->direction());
  float* out = direction->direction() == 0 ? dx.data() : direction->x_scratch();
  Gemm(pool_, kNo, kNo, n, i, 4 * h, 1, gates, 4 * h, p.w_ih.data(), i, 0, out, i);
  if (direction->direction() == 1) direction->AddToPackedRows(pool_, {out, {n, i}}, dx);
}

void BlasLstm::DoBackward(const LstmInput& in, TensorView<const float, 2> /*y*/, TensorView<const float, 2> dy,
                          TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) {
  {
    ScopedPhase phase(phases_, Phase::kRecurrentBackward);
    for (StepBuffers& d : directions_) d.StartBackward(in);
    const int steps = in.packing->steps();
    RunSteps(*in.packing, steps + 1, [&](int d, int i, int64_t begin, int64_t end) {
      BackwardUnits(in, &directions_[d], steps - 1 - i, dy, LstmDirection(config(), dparams, d), begin, end);
    });
    for (StepBuffers& d : directions_) {
      d.FinishBackward(in, LstmDirection(config(), dparams, d.direction()), dinitial);
    }
  }
  ScopedPhase phase(phases_, Phase::kWeightGradients);
  for (StepBuffers& d : directions_) {
    WeightGradients(in, &d, LstmDirection(config(), dparams, d.direction()), dx);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Lstm>> CreateBlas(const LstmLevelConfig& config, const LstmContext& context) {
  return std::make_unique<BlasLstm>(config, context);
}

}  // namespace earshot
