#include "lstm/simd/direction.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "lstm/initial_state.h"
#include "lstm/simd/pack.h"

namespace earshot {
namespace {

constexpr int64_t kGates = 4;

int64_t RoundUp(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

SimdDirection::SimdDirection(const Kernels& kernels, const LstmLevelConfig& config, int direction)
    : kernels_(kernels),
      config_(config),
      direction_(direction),
      blocks_((config.hidden_size + kernels.lanes - 1) / kernels.lanes),
      hp_(blocks_ * kernels.lanes),
      dh_stride_(RoundUp(hp_, kGates * kernels.lanes)) {}

void SimdDirection::StartForward(ThreadPool* pool, const LstmInput& in) {
  const Packing& packing = *in.packing;
  const int64_t n = packing.rows(), h = config_.hidden_size, lanes = kernels_.lanes;
  CHECK_LE(n, std::numeric_limits<int32_t>::max()) << "frames of a batch";
  batch_ = packing.batch();
  gates_.Resize({n, kGates * hp_});
  c_.Resize({n, hp_});
  h_prev_.Resize({n, hp_});
  frames_.Resize({n});
  for (int s = 0; s < packing.steps(); ++s) {
    for (int b = 0; b < packing.batch_sizes()[s]; ++b) {
      frames_.data()[packing.row(s, b)] = direction_ == 0 ? packing.row(s, b) : packing.reversed_row(s, b);
    }
  }
  const LstmDirectionParams<const float> p = LstmDirection(config_, in.params, direction_);
  w_ih_.Resize({kGates * hp_ * config_.input_size});
  w_hh_.Resize({kGates * hp_ * h});
  bias_.Resize({kGates * hp_});
  PackTransposed(pool, p.w_ih.data(), h, config_.input_size, lanes, w_ih_.data());
  PackTransposed(pool, p.w_hh.data(), h, h, lanes, w_hh_.data());
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
  std::fill_n(h_prev_.data(), batch_ * hp_, 0.0f);
  for (int64_t b = 0; b < batch_; ++b) {
    const float* const h0 = InitialState(in.h0, p.h0, direction_, b);
    const float* const c0 = InitialState(in.c0, p.c0, direction_, b);
    float* const h_first = h_prev_.data() + b * hp_;
    if (h0 != nullptr) std::copy_n(h0, h, h_first);
    if (c0 != nullptr) std::copy_n(c0, h, c0_.data() + b * hp_);
    if (mask_.empty()) continue;
    std::copy_n(&in.recurrent_mask(direction_, b, 0), h, mask_.data() + b * hp_);
    for (int64_t u = 0; u < h; ++u) h_first[u] *= mask_.data()[b * hp_ + u];
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

void SimdDirection::StartBackward(ThreadPool* pool, const LstmInput& in, bool with_dx, bool with_initial) {
  const LstmDirectionParams<const float> p = LstmDirection(config_, in.params, direction_);
  const int64_t h = config_.hidden_size, i = config_.input_size, panel = kGates * kernels_.lanes;
  with_initial_ = with_initial;
  if (in.packing->steps() > 1 || with_initial) {  // else nothing needs the gradient by h
    w_hh_t_.Resize({blocks_ * panel * dh_stride_});
    for (int half = 0; half < 2; ++half) {
      PackRows(pool, p.w_hh.data(), h, h, kernels_.lanes, half_begin(half), half_begin(half + 1),
               w_hh_t_.data() + half_begin(half) * panel * dh_stride_);
    }
  }
  if (with_dx) {
    w_ih_t_.Resize({blocks_ * panel * RoundUp(i, panel)});
    PackRows(pool, p.w_ih.data(), h, i, kernels_.lanes, 0, blocks_, w_ih_t_.data());
  }
  dh_.Resize({2 * 2 * batch_ * dh_stride_});
  dc_.Resize({batch_, hp_});
  dc_.Fill(0);
}

void SimdDirection::AddWeightGradients(const LstmInput& in, int64_t first, int64_t last, float* scratch,
                                       const LstmDirectionParams<float>& dp) {
  WeightGradients gradients;
  gradients.rows = in.packing->rows();
  gradients.hidden = config_.hidden_size;
  gradients.input = gradients.x_stride = config_.input_size;
  gradients.dgates = gates_.data();
  gradients.first_vector = first;
  gradients.last_vector = last;
  gradients.x = in.x.data();
  gradients.x_rows = direction_ == 0 ? nullptr : frames_.data();
  gradients.h_prev = h_prev_.data();
  gradients.dw_ih = dp.w_ih.data();
  gradients.dw_hh = dp.w_hh.data();
  gradients.dbias = dp.bias;
  gradients.scratch = scratch;
  kernels_.weight_gradients(gradients);
}

void SimdDirection::InputGradient(int64_t first, int64_t last, TensorView<float, 2> dx) const {
  RowProduct product;
  product.rows = last - first;
  product.k = product.a_stride = kGates * hp_;
  product.a = direction_ == 0 ? gates_.data() + first * product.a_stride : gates_.data();
  product.a_rows = direction_ == 0 ? nullptr : frames_.data() + first;
  product.b = w_ih_t_.data();
  product.last_panel = (config_.input_size + kGates * kernels_.lanes - 1) / (kGates * kernels_.lanes);
  product.c = dx.data() + first * config_.input_size;
  product.c_stride = product.columns = config_.input_size;
  product.start = direction_ == 0 ? RowProduct::Start::kZero : RowProduct::Start::kAdd;
  kernels_.product(product);
}

void SimdDirection::FinishBackward(const LstmInput& in, const LstmDirectionParams<float>& dp, LstmState* dinitial) {
  const int64_t h = config_.hidden_size;
  if (config_.peepholes) {
    peephole_sums_.Resize({3 * hp_});
    peephole_sums_.Fill(0);
    for (int s = 0; s < in.packing->steps(); ++s) {
      const GateRows step = StepRows(in, s, 0, in.packing->batch_sizes()[s]);
      kernels_.peephole_gradients({step.rows, h, 0, blocks_, step.gates, step.c_prev,
                                   c_.data() + in.packing->offsets()[s] * hp_, peephole_sums_.data()});
    }
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
