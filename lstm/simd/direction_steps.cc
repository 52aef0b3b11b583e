// The time steps of a direction, forward and backward.
#include <algorithm>
#include <chrono>

#include "lstm/simd/direction.h"

namespace earshot {
namespace {

constexpr int64_t kGates = 4;

// Utterances of [0, end) that are alive at step s.
int64_t Alive(const Packing& packing, int s, int end) {
  return s < packing.steps() ? std::min(end, packing.batch_sizes()[s]) : 0;
}

}  // namespace

int64_t ChunkRows(int64_t batch) {
  constexpr int64_t kRows = 96;  // what they produce is still in the cache when the recurrence comes to it
  return std::max(kRows, batch);
}

GateRows SimdDirection::StepRows(const LstmInput& in, int s, int64_t first, int64_t rows) {
  const int64_t at = in.packing->offsets()[s] + first;
  GateRows step;
  step.rows = rows;
  step.hidden = config_.hidden_size;
  step.gates = gates_.data() + at * kGates * hp_;
  step.c_prev = s == 0 ? c0_.data() + first * hp_ : c_.data() + (in.packing->offsets()[s - 1] + first) * hp_;
  step.peepholes = config_.peepholes ? peepholes_.data() : nullptr;
  step.mask = mask_.empty() ? nullptr : mask_.data() + first * hp_;
  step.frames = frames_.data() + at;
  step.frame_stride = int64_t{config_.directions} * config_.hidden_size;
  return step;
}

int64_t SimdDirection::ListRows(const Packing& packing, const Part& part, int first, int last, int32_t* rows,
                                int32_t* frames) const {
  int64_t n = 0;
  for (int s = first; s < last; ++s) {
    for (int64_t b = part.begin; b < Alive(packing, s, part.end); ++b, ++n) {
      rows[n] = static_cast<int32_t>(packing.row(s, b));
      frames[n] = frames_.data()[rows[n]];
    }
  }
  return n;
}

double SimdDirection::ForwardPart(const LstmInput& in, const Part& part, const TeamMember& self,
                                  TensorView<float, 2> y) {
  using Clock = std::chrono::steady_clock;
  const Packing& packing = *in.packing;
  const int64_t first_block = self.barrier == nullptr ? 0 : half_begin(self.member);
  const int64_t last_block = self.barrier == nullptr ? blocks_ : half_begin(self.member + 1);
  const int steps_at_once = std::max<int>(1, ChunkRows(batch_) / (part.end - part.begin));
  int32_t* const frames = self.rows;
  int32_t* const rows = self.rows + ChunkRows(batch_);

  RowProduct input;
  input.k = input.a_stride = config_.input_size;
  input.a = in.x.data();
  input.a_rows = frames;
  input.b = w_ih_;
  input.first_panel = first_block;
  input.last_panel = last_block;
  input.c = gates_.data();
  input.c_stride = input.columns = kGates * hp_;
  input.c_rows = rows;
  input.start = RowProduct::Start::kBias;
  input.bias = bias_.data();

  RowProduct recurrent = input;
  recurrent.k = config_.hidden_size;
  recurrent.b = w_hh_;
  recurrent.c_rows = nullptr;
  recurrent.start = RowProduct::Start::kAdd;

  double input_seconds = 0;
  const int steps = packing.lengths()[part.begin];
  for (int first = 0; first < steps; first += steps_at_once) {
    const int last = std::min(steps, first + steps_at_once);
    if (!FewFrames(packing)) {
      const Clock::time_point start = Clock::now();
      input.rows = ListRows(packing, part, first, last, rows, frames);
      kernels_.product(input);
      input_seconds += std::chrono::duration<double>(Clock::now() - start).count();
    }
    for (int s = first; s < last; ++s) {
      ForwardGates step;
      static_cast<GateRows&>(step) = StepRows(in, s, part.begin, Alive(packing, s, part.end) - part.begin);
      step.first_block = first_block;
      step.last_block = last_block;
      step.c = c_.data() + packing.row(s, part.begin) * hp_;
      step.y = y.data() + direction_ * config_.hidden_size;
      if (s + 1 < steps && !mask_.empty()) {
        step.next_rows = Alive(packing, s + 1, part.end) - part.begin;
        step.h_next = h_own_.data() + packing.row(s + 1, part.begin) * hp_;
      }
      recurrent.rows = step.rows;
      const int64_t row = packing.row(s, part.begin);
      const bool own = row < h_own_.dim(0);
      recurrent.a = own ? h_own_.data() + row * hp_ : step.y;
      recurrent.a_stride = own ? hp_ : step.frame_stride;
      recurrent.a_rows = own ? nullptr : frames_before_.data() + row;
      recurrent.c = step.gates;
      recurrent.backwards = s % 2 == 1;
      if (s > 0 || !from_zero_) kernels_.product(recurrent);
      kernels_.gates(step);
      if (self.barrier != nullptr) self.barrier->Wait(self.member);
    }
  }
  return input_seconds;
}

void SimdDirection::BackwardPart(const LstmInput& in, const Part& part, const TeamMember& self,
                                 TensorView<const float, 2> dy) {
  const Packing& packing = *in.packing;
  const int first_half = self.barrier == nullptr ? 0 : self.member;
  const int last_half = self.barrier == nullptr ? 2 : self.member + 1;
  const int64_t panel = kGates * kernels_.lanes;

  RowProduct product;
  product.a_stride = kGates * hp_;
  product.last_panel = dh_stride_ / panel;
  product.c_stride = dh_stride_;
  product.columns = hp_;
  const bool last_frames = dy.dim(0) == batch_;

  const int steps = packing.lengths()[part.begin];
  for (int s = steps - 1; s >= 0; --s) {
    BackwardGates step;
    static_cast<GateRows&>(step) = StepRows(in, s, part.begin, Alive(packing, s, part.end) - part.begin);
    step.first_block = half_begin(first_half);
    step.last_block = half_begin(last_half);
    step.c = c_.data() + packing.row(s, part.begin) * hp_;
    step.dy = dy.data() + direction_ * config_.hidden_size;
    if (s + 1 < steps) step.next_rows = Alive(packing, s + 1, part.end) - part.begin;
    if (last_frames) {
      step.frames = utterances_.data() + part.begin;
      step.first_dy = direction_ == 0 ? step.next_rows : s == 0 ? 0 : step.rows;  // of direction 1 it is the first step
    }
    for (int half = 0; half < 2; ++half) step.dh[half] = Dh(s + 1, half) + part.begin * dh_stride_;
    step.dh_stride = dh_stride_;
    if (s > 0) {  // every row of this step is alive in the one before
      const GateRows ahead = StepRows(in, s - 1, part.begin, step.rows);
      step.gates_ahead = ahead.gates;
      step.c_ahead = ahead.c_prev;
      step.frames_ahead = last_frames ? step.frames : ahead.frames;
    }
    step.dc = dc_.data() + part.begin * hp_;
    kernels_.gate_gradients(step);
    if (s == 0 && !with_initial_) break;
    product.backwards = s % 2 == 1;
    for (int half = first_half; half < last_half; ++half) {
      const int64_t begin = half_begin(half);
      product.rows = step.rows;
      product.k = (half_begin(half + 1) - begin) * panel;
      product.a = step.gates + begin * panel;
      product.b = w_hh_t_ + begin * panel * dh_stride_;
      product.c = Dh(s, half) + part.begin * dh_stride_;
      kernels_.product(product);
    }
    if (self.barrier != nullptr) self.barrier->Wait(self.member);
  }
}

}  // namespace earshot
