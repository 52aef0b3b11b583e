#include "lstm/simd/direction.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "lstm/initial_state.h"
#include "lstm/simd/pack.h"

namespace earshot {
namespace {

constexpr int64_t kGates = 4;
constexpr int64_t kAlignment = 16;  // floats

int64_t RoundUp(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

SimdDirection::SimdDirection(const Kernels& kernels, const LstmLevelConfig& config, int direction)
    : kernels_(kernels),
      config_(config),
      direction_(direction),
      blocks_((config.hidden_size + kernels.lanes - 1) / kernels.lanes),
      hp_(blocks_ * kernels.lanes),
      dh_stride_(RoundUp(hp_, kGates * kernels.lanes)) {}

int64_t SimdDirection::PassFloats(int64_t batch) const {
  const int64_t i = config_.input_size, panel = kGates * kernels_.lanes;
  const int64_t forward = kGates * hp_ * (i + config_.hidden_size);
  const int64_t backward = (kGates * hp_ + 2 * 2 * batch) * dh_stride_;
  const int64_t input_gradient = kGates * hp_ * RoundUp(i, panel);
  return RoundUp(std::max({forward, backward, input_gradient}), kAlignment);
}

void SimdDirection::StartForward(ThreadPool* pool, const LstmInput& in, float* pass) {
  const Packing& packing = *in.packing;
  const int64_t n = packing.rows(), h = config_.hidden_size, lanes = kernels_.lanes;
  CHECK_LE(n, std::numeric_limits<int32_t>::max()) << "frames of a batch";
  batch_ = packing.batch();
  gates_.Resize({n, kGates * hp_});
  c_.Resize({n, hp_});
  h_own_.Resize({in.recurrent_mask.empty() ? batch_ : n, hp_});
  ListFrames(packing);
  const LstmDirectionParams<const float> p = LstmDirection(config_, in.params, direction_);
  w_ih_ = pass;
  w_hh_ = pass + kGates * hp_ * config_.input_size;
  if (!FewFrames(packing)) PackTransposed(pool, p.w_ih.data(), h, config_.input_size, lanes, w_ih_);
  from_zero_ = in.h0.empty() && p.h0 == nullptr;
  if (packing.steps() > 1 || !from_zero_) PackTransposed(pool, p.w_hh.data(), h, h, lanes, w_hh_);
  bias_.Resize({kGates * hp_});
  PackVector(p.bias, h, lanes, bias_.data());
  peepholes_.Resize({config_.peepholes ? 3 * hp_ : 0});
  peepholes_.Fill(0);
  for (int k = 0; k < 3 && config_.peepholes; ++k) {
    const float* const w = k == 0 ? p.w_ci : k == 1 ? p.w_cf : p.w_co;
    std::copy_n(w, h, peepholes_.data() + k * hp_);
  }
  c0_.Resize({batch_, hp_});
  c0_.Fill(0);
  mask_.Resize({in.recurrent_mask.empty() ? 0 : batch_, hp_});
  mask_.Fill(0);
  std::fill_n(h_own_.data(), batch_ * hp_, 0.0f);
  for (int64_t b = 0; b < batch_; ++b) {
    const float* const h0 = InitialState(in.h0, p.h0, direction_, b);
    const float* const c0 = InitialState(in.c0, p.c0, direction_, b);
    float* const h_first = h_own_.data() + b * hp_;
    if (h0 != nullptr) std::copy_n(h0, h, h_first);
    if (c0 != nullptr) std::copy_n(c0, h, c0_.data() + b * hp_);
    if (mask_.empty()) continue;
    std::copy_n(&in.recurrent_mask(direction_, b, 0), h, mask_.data() + b * hp_);
    for (int64_t u = 0; u < h; ++u) h_first[u] *= mask_.data()[b * hp_ + u];
  }
}

void SimdDirection::ListFrames(const Packing& packing) {
  frames_.Resize({packing.rows()});
  frames_before_.Resize({packing.rows()});
  utterances_.Resize({packing.batch()});
  std::iota(utterances_.data(), utterances_.data() + packing.batch(), 0);
  for (int s = 0; s < packing.steps(); ++s) {
    for (int b = 0; b < packing.batch_sizes()[s]; ++b) {
      const int64_t row = packing.row(s, b);
      frames_.data()[row] = static_cast<int32_t>(direction_ == 0 ? row : packing.reversed_row(s, b));
      frames_before_.data()[row] = s == 0 ? 0 : frames_.data()[packing.row(s - 1, b)];
    }
  }
}

void SimdDirection::CopyFinal(const Packing& packing, TensorView<const float, 2> y, LstmState* final) const {
  const int64_t h = config_.hidden_size;
  for (int b = 0; b < packing.batch(); ++b) {
    const int64_t last = packing.row(packing.lengths()[b] - 1, b);
    std::copy_n(&y(frames_.data()[last], direction_ * h), h, &final->h.view()(direction_, b, 0));
    std::copy_n(c_.data() + last * hp_, h, &final->c.view()(direction_, b, 0));
  }
}

void SimdDirection::StartBackward(ThreadPool* pool, const LstmInput& in, bool with_initial, float* pass) {
  const LstmDirectionParams<const float> p = LstmDirection(config_, in.params, direction_);
  const int64_t h = config_.hidden_size, panel = kGates * kernels_.lanes;
  with_initial_ = with_initial;
  w_hh_t_ = pass;
  dh_ = pass + kGates * hp_ * dh_stride_;
  const bool used = in.packing->steps() > 1 || with_initial;  // else nothing needs the gradient by h
  for (int half = 0; half < (used ? 2 : 0); ++half) {
    PackRows(pool, p.w_hh.data(), h, h, kernels_.lanes, half_begin(half), half_begin(half + 1),
             w_hh_t_ + half_begin(half) * panel * dh_stride_);
  }
  dc_.Resize({batch_, hp_});
  dc_.Fill(0);
}

void SimdDirection::AddWeightGradients(const LstmInput& in, TensorView<const float, 2> y, int64_t first, int64_t last,
                                       float* scratch, const LstmDirectionParams<float>& dp) {
  WeightGradients gradients;
  gradients.rows = in.packing->rows();
  gradients.hidden = config_.hidden_size;
  gradients.input = gradients.x_stride = config_.input_size;
  gradients.dgates = gates_.data();
  gradients.first_vector = first;
  gradients.last_vector = last;
  gradients.x = in.x.data();
  gradients.x_rows = direction_ == 0 ? nullptr : frames_.data();
  gradients.h_own = h_own_.data();
  gradients.own_rows = h_own_.dim(0);
  gradients.h = y.data() + direction_ * config_.hidden_size;
  gradients.h_stride = y.dim(1);
  gradients.h_rows = frames_before_.data();
  gradients.dw_ih = dp.w_ih.data();
  gradients.dw_hh = dp.w_hh.data();
  gradients.dbias = dp.bias;
  gradients.scratch = scratch;
  kernels_.weight_gradients(gradients);
}

void SimdDirection::FinishBackward(ThreadPool* pool, const LstmInput& in, const LstmDirectionParams<float>& dp,
                                   LstmState* dinitial) {
  const int64_t h = config_.hidden_size;
  if (config_.peepholes) {
    peephole_sums_.Resize({3 * hp_});
    peephole_sums_.Fill(0);
    pool->ParallelFor(blocks_, 1, [&](int64_t first, int64_t last) {  // each unit's sum in the order of the steps
      for (int s = 0; s < in.packing->steps(); ++s) {
        const GateRows step = StepRows(in, s, 0, in.packing->batch_sizes()[s]);
        kernels_.peephole_gradients({step.rows, h, first, last, step.gates, step.c_prev,
                                     c_.data() + in.packing->offsets()[s] * hp_, peephole_sums_.data()});
      }
    });
    for (int64_t u = 0; u < h; ++u) {
      dp.w_ci[u] += peephole_sums_.data()[u];
      dp.w_cf[u] += peephole_sums_.data()[hp_ + u];
      dp.w_co[u] += peephole_sums_.data()[2 * hp_ + u];
    }
  }
  if (!with_initial_) return;
  for (int64_t b = 0; b < batch_; ++b) {
    float* const dh = Dh(0, 0) + b * dh_stride_;
    for (int64_t u = 0; u < h; ++u) dh[u] += Dh(0, 1)[b * dh_stride_ + u];
    AddInitialGradient(in, dp, direction_, b, h, dh, dc_.data() + b * hp_, dinitial);
  }
}

}  // namespace earshot
