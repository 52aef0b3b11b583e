#include "lstm/simd/simd.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "base/phase_timer.h"
#include "lstm/lstm_params.h"
#include "lstm/simd/direction.h"
#include "lstm/simd/kernels.h"
#include "lstm/simd/schedule.h"

namespace earshot {
namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class SimdLstm : public Lstm {
 public:
  SimdLstm(const LstmLevelConfig& config, const LstmContext& context)
      : Lstm(config),
        kernels_(BestKernels()),
        pool_(context.pool),
        phases_(context.phases),
        trial_(context.pool->num_threads()),
        barriers_(context.pool->num_threads()) {
    for (int d = 0; d < config.directions; ++d) directions_.emplace_back(kernels_, config, d);
  }
  std::string note() const override {
    const std::string schedule = trial_.Result();
    return schedule.empty() ? schedule : absl::StrCat(kernels_.instruction_set, ", ", schedule);
  }

 private:
  void DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) override;
  void DoBackward(const LstmInput& in, TensorView<const float, 2> y, TensorView<const float, 2> dy,
                  TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) override;
  bool takes_last_frames() const override { return true; }
  // Takes the memory for all that follows, once, at its largest.
  void SizeScratch(int64_t batch);
  float* PassMemory(int direction) { return scratch_.data() + direction * pass_floats_; }
  // Calls work(thread, part, member) for every thread and each part of its team, as the schedule deals them.
  void RunParts(absl::FunctionRef<void(int thread, const Part& part, const TeamMember& self)> work);
  void AddWeightGradients(const LstmInput& in, TensorView<const float, 2> y, absl::Span<float> dparams);

  const Kernels& kernels_;
  ThreadPool* const pool_;
  PhaseTimer* const phases_;
  std::vector<SimdDirection> directions_;
  ScheduleTrial trial_;
  Schedule schedule_;
  std::vector<PairBarrier> barriers_;  // of each team
  Tensor<int32_t, 2> rows_;            // of each thread, for TeamMember
  // What lives only as long as a pass, one pass after the other in the same memory: PassFloats of each direction, or
  // the scratch of each thread for WeightGradients.
  Tensor<float, 1> scratch_;
  int64_t pass_floats_ = 0, thread_floats_ = 0;
};

void SimdLstm::RunParts(absl::FunctionRef<void(int thread, const Part& part, const TeamMember& self)> work) {
  pool_->Run([&](int thread) {
    const int team = thread / schedule_.team_size;
    if (team >= schedule_.teams) return;
    const TeamMember self = {thread % schedule_.team_size, schedule_.team_size == 1 ? nullptr : &barriers_[team],
                             &rows_.view()(thread, 0)};
    for (size_t k = team; k < schedule_.parts.size(); k += schedule_.teams) work(thread, schedule_.parts[k], self);
  });
}

void SimdLstm::SizeScratch(int64_t batch) {
  constexpr int64_t kAlignment = 16;  // floats
  const int64_t threads = pool_->num_threads(), vectors = directions_[0].vectors(), all = vectors * config().directions;
  const int64_t share = std::min(vectors, (all + threads - 1) / threads);
  const int64_t floats = kernels_.weight_gradients_scratch(share, config().input_size, config().hidden_size);
  thread_floats_ = (floats + kAlignment - 1) / kAlignment * kAlignment;
  pass_floats_ = directions_[0].PassFloats(batch);
  scratch_.Resize({std::max(config().directions * pass_floats_, threads * thread_floats_)});
}

void SimdLstm::DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) {
  {
    ScopedPhase phase(phases_, Phase::kCopy);
    MakeSchedule(*in.packing, config().directions, pool_->num_threads(), trial_.team_size(), &schedule_);
    rows_.Resize({pool_->num_threads(), 2 * ChunkRows(in.packing->batch())});
    SizeScratch(in.packing->batch());
    for (int d = 0; d < config().directions; ++d) directions_[d].StartForward(pool_, in, PassMemory(d));
  }
  if (SimdDirection::FewFrames(*in.packing)) {
    ScopedPhase phase(phases_, Phase::kInputGemm);
    pool_->ParallelFor(directions_[0].blocks(), 1, [&](int64_t first, int64_t last) {
      for (SimdDirection& d : directions_) d.InputProducts(in, first, last);
    });
  }
  const Clock::time_point start = Clock::now();
  double input_seconds = 0;  // of the calling thread, like all phases
  RunParts([&](int thread, const Part& part, const TeamMember& self) {
    const double seconds = directions_[part.direction].ForwardPart(in, part, self, y);
    if (thread == 0) input_seconds += seconds;
  });
  const double seconds = Since(start);
  trial_.Record(in.packing->rows(), in.packing->steps(), seconds);
  if (phases_ != nullptr) {
    phases_->Add(Phase::kInputGemm, input_seconds);
    phases_->Add(Phase::kRecurrence, seconds - input_seconds);
  }
  if (final == nullptr) return;
  ScopedPhase phase(phases_, Phase::kCopy);
  for (const SimdDirection& d : directions_) d.CopyFinal(*in.packing, y, final);
}

void SimdLstm::AddWeightGradients(const LstmInput& in, TensorView<const float, 2> y, absl::Span<float> dparams) {
  const int threads = pool_->num_threads();
  const int64_t vectors = directions_[0].vectors(), all = vectors * config().directions;
  pool_->Run([&](int thread) {
    const int64_t begin = all * thread / threads, end = all * (thread + 1) / threads;
    for (int d = 0; d < config().directions; ++d) {
      const int64_t first = std::max(begin - d * vectors, int64_t{0}), last = std::min(end - d * vectors, vectors);
      if (first >= last) continue;
      directions_[d].AddWeightGradients(in, y, first, last, scratch_.data() + thread * thread_floats_,
                                        LstmDirection(config(), dparams, d));
    }
  });
}

void SimdLstm::DoBackward(const LstmInput& in, TensorView<const float, 2> y, TensorView<const float, 2> dy,
                          TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) {
  {
    ScopedPhase phase(phases_, Phase::kCopy);
    const bool with_initial = dinitial != nullptr || (config().trainable_initial_state && in.h0.empty());
    for (int d = 0; d < config().directions; ++d) directions_[d].StartBackward(pool_, in, with_initial, PassMemory(d));
  }
  {
    ScopedPhase phase(phases_, Phase::kRecurrentBackward);
    RunParts([&](int, const Part& part, const TeamMember& self) {
      directions_[part.direction].BackwardPart(in, part, self, dy);
    });
    for (SimdDirection& d : directions_) {
      d.FinishBackward(pool_, in, LstmDirection(config(), dparams, &d - directions_.data()), dinitial);
    }
  }
  {
    ScopedPhase phase(phases_, Phase::kWeightGradients);
    AddWeightGradients(in, y, dparams);
  }
  if (dx.empty()) return;
  {
    ScopedPhase phase(phases_, Phase::kCopy);
    for (int d = 0; d < config().directions; ++d) directions_[d].StartInputGradient(pool_, in, PassMemory(d));
  }
  ScopedPhase phase(phases_, Phase::kWeightGradients);
  if (SimdDirection::FewFrames(*in.packing)) {
    pool_->ParallelFor(directions_[0].input_panels(), 1, [&](int64_t first, int64_t last) {
      for (SimdDirection& d : directions_) d.InputGradientPanels(in, first, last, dx);
    });
    return;
  }
  constexpr int64_t kGrain = 32;  // rows
  pool_->ParallelFor(in.packing->rows(), kGrain, [&](int64_t begin, int64_t end) {
    for (const SimdDirection& d : directions_) d.InputGradient(begin, end, dx);
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Lstm>> CreateSimd(const LstmLevelConfig& config, const LstmContext& context) {
  return std::make_unique<SimdLstm>(config, context);
}

}  // namespace earshot
