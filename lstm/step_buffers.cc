#include "lstm/step_buffers.h"

#include <algorithm>

#include "lstm/initial_state.h"

namespace earshot {
namespace {

// Rows that one thread copies at least.
constexpr int64_t kCopyGrain = 256;

}  // namespace

void StepBuffers::StartForward(ThreadPool* pool, const LstmInput& in) {
  const Packing& packing = *in.packing;
  const int64_t n = packing.rows(), batch = packing.batch(), h = config_.hidden_size, i = config_.input_size;
  gates_.Resize({n, 4 * h});
  c_.Resize({n, h});
  h_prev_.Resize({n, h});
  c0_.Resize({batch, h});
  rows_.Resize({n});
  for (int s = 0; s < packing.steps(); ++s) {
    for (int b = 0; b < packing.batch_sizes()[s]; ++b) {
      rows_.data()[packing.row(s, b)] = direction_ == 0 ? packing.row(s, b) : packing.reversed_row(s, b);
    }
  }
  x_ = in.x.data();
  if (direction_ == 1) {
    gathered_x_.Resize({n, i});
    pool->ParallelFor(n, kCopyGrain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        std::copy_n(in.x.data() + rows_.data()[r] * i, i, gathered_x_.data() + r * i);
      }
    });
    x_ = gathered_x_.data();
  }
  const LstmDirectionParams<const float> p = LstmDirection(config_, in.params, direction_);
  for (int64_t b = 0; b < batch; ++b) {
    const float* h0 = InitialState(in.h0, p.h0, direction_, b);
    const float* c0 = InitialState(in.c0, p.c0, direction_, b);
    const float* mask = in.recurrent_mask.empty() ? nullptr : &in.recurrent_mask(direction_, b, 0);
    for (int64_t u = 0; u < h; ++u) {
      c0_.data()[b * h + u] = c0 == nullptr ? 0 : c0[u];
      h_prev_.data()[b * h + u] = (h0 == nullptr ? 0 : h0[u]) * (mask == nullptr ? 1 : mask[u]);
    }
  }
}

void StepBuffers::CopyFinal(const Packing& packing, TensorView<const float, 2> y, LstmState* final) const {
  const int64_t h = config_.hidden_size;
  for (int b = 0; b < packing.batch(); ++b) {
    const int64_t last = packing.row(packing.lengths()[b] - 1, b);
    std::copy_n(&y(rows_.data()[last], direction_ * h), h, &final->h.view()(direction_, b, 0));
    std::copy_n(c_.data() + last * h, h, &final->c.view()(direction_, b, 0));
  }
}

void StepBuffers::StartBackward(const LstmInput& in) {
  const int64_t batch = in.packing->batch(), h = config_.hidden_size;
  dh_.Resize({batch, h});
  dc_.Resize({batch, h});
  dh_.Fill(0);
  dc_.Fill(0);
}

void StepBuffers::FinishBackward(const LstmInput& in, const LstmDirectionParams<float>& dp, LstmState* dinitial) const {
  const int64_t h = config_.hidden_size;
  for (int b = 0; b < in.packing->batch(); ++b) {
    AddInitialGradient(in, dp, direction_, b, h, dh_.data() + b * h, dc_.data() + b * h, dinitial);
  }
}

void StepBuffers::FillStep(const LstmInput& in, int s, GateStep* step) {
  const int64_t h = config_.hidden_size, offset = in.packing->offsets()[s];
  const LstmDirectionParams<const float> p = LstmDirection(config_, in.params, direction_);
  step->batch = in.packing->batch_sizes()[s];
  step->hidden = h;
  step->w_ci = p.w_ci;
  step->w_cf = p.w_cf;
  step->w_co = p.w_co;
  step->mask = in.recurrent_mask.empty() ? nullptr : &in.recurrent_mask(direction_, 0, 0);
  step->gates = gates_.data() + offset * 4 * h;
  step->c_prev = s == 0 ? c0_.data() : c_.data() + in.packing->offsets()[s - 1] * h;
  step->c = c_.data() + offset * h;
  step->rows = rows_.data() + offset;
  step->stride = config_.directions * h;
}

GateForward StepBuffers::ForwardStep(const LstmInput& in, int s, TensorView<float, 2> y) {
  const int64_t h = config_.hidden_size;
  GateForward step;
  FillStep(in, s, &step);
  step.bias = LstmDirection(config_, in.params, direction_).bias;
  step.y = y.data() + direction_ * h;
  if (s + 1 < in.packing->steps()) {
    step.next_batch = in.packing->batch_sizes()[s + 1];
    step.h_next = h_prev_.data() + in.packing->offsets()[s + 1] * h;
  }
  return step;
}

GateBackward StepBuffers::BackwardStep(const LstmInput& in, int s, TensorView<const float, 2> dy,
                                       const LstmDirectionParams<float>& dp) {
  GateBackward step;
  FillStep(in, s, &step);
  step.dy = dy.data() + direction_ * config_.hidden_size;
  step.dh = dh_.data();
  step.dc = dc_.data();
  step.dbias = dp.bias;
  step.dw_ci = dp.w_ci;
  step.dw_cf = dp.w_cf;
  step.dw_co = dp.w_co;
  return step;
}

void StepBuffers::AddToPackedRows(ThreadPool* pool, TensorView<const float, 2> steps, TensorView<float, 2> dx) const {
  const int64_t width = dx.dim(1);
  pool->ParallelFor(dx.dim(0), kCopyGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const float* from = steps.data() + r * width;
      float* to = dx.data() + rows_.data()[r] * width;
      for (int64_t k = 0; k < width; ++k) to[k] += from[k];
    }
  });
}

}  // namespace earshot
