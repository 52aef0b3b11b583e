// A block of BackwardGates, and PeepholeGradients (kernels.h). Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_BACKWARD_GATES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_BACKWARD_GATES_INL_H_
#undef EARSHOT_LSTM_SIMD_BACKWARD_GATES_INL_H_
#else
#define EARSHOT_LSTM_SIMD_BACKWARD_GATES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "lstm/gate_functions-inl.h"
#include "lstm/simd/kernels.h"
#include "lstm/simd/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A vector of an array that is not padded: its first `units` lanes.
HWY_INLINE V LoadUnits(const float* from, int64_t units) {
  if (units >= kLanes) return hn::LoadU(kTag, from);
  HWY_ALIGN float padded[kLanes] = {};
  std::copy_n(from, units, padded);
  return hn::Load(kTag, padded);
}

// As the forward block.
template <bool kPeepholes, bool kMask>
HWY_INLINE void GateBlock(const BackwardGates& p, int64_t hp, int64_t r, int64_t u) {
  const V one = hn::Set(kTag, 1.0f);
  if (p.gates_ahead != nullptr) {
    const float* const gates_ahead = p.gates_ahead + r * 4 * hp + 4 * u;
    for (int v = 0; v < 4; ++v) Prefetch(gates_ahead + v * kLanes);
    Prefetch(p.c_ahead + r * hp + u);
    Prefetch(p.dy + p.frames_ahead[r] * p.frame_stride + u);
  }
  float* const gates = p.gates + r * 4 * hp + 4 * u;
  const V i = hn::Load(kTag, gates), f = hn::Load(kTag, gates + kLanes);
  const V g = hn::Load(kTag, gates + 2 * kLanes), o = hn::Load(kTag, gates + 3 * kLanes);
  const V c = hn::Load(kTag, p.c + r * hp + u), c_prev = hn::Load(kTag, p.c_prev + r * hp + u);
  const V tanh_c = Tanh(kTag, c);
  V dh = r < p.first_dy ? hn::Zero(kTag) : LoadUnits(p.dy + p.frames[r] * p.frame_stride + u, p.hidden - u);
  if (r < p.next_rows) {
    V carried = hn::Add(hn::Load(kTag, p.dh[0] + r * p.dh_stride + u), hn::Load(kTag, p.dh[1] + r * p.dh_stride + u));
    if (kMask) carried = hn::Mul(carried, hn::Load(kTag, p.mask + r * hp + u));
    dh = hn::Add(dh, carried);
  }
  // sigma' = a (1 - a), tanh' = 1 - a^2
  const V d_o = hn::Mul(hn::Mul(dh, tanh_c), hn::Mul(o, hn::Sub(one, o)));
  V dc = hn::MulAdd(hn::Mul(dh, o), hn::NegMulAdd(tanh_c, tanh_c, one), hn::Load(kTag, p.dc + r * hp + u));
  if (kPeepholes) dc = hn::MulAdd(d_o, hn::Load(kTag, p.peepholes + 2 * hp + u), dc);
  const V d_i = hn::Mul(hn::Mul(dc, g), hn::Mul(i, hn::Sub(one, i)));
  const V d_f = hn::Mul(hn::Mul(dc, c_prev), hn::Mul(f, hn::Sub(one, f)));
  const V d_g = hn::Mul(hn::Mul(dc, i), hn::NegMulAdd(g, g, one));
  V dc_prev = hn::Mul(dc, f);
  if (kPeepholes) {
    dc_prev = hn::MulAdd(d_i, hn::Load(kTag, p.peepholes + u), dc_prev);
    dc_prev = hn::MulAdd(d_f, hn::Load(kTag, p.peepholes + hp + u), dc_prev);
  }
  hn::Store(dc_prev, kTag, p.dc + r * hp + u);
  hn::Store(d_i, kTag, gates);
  hn::Store(d_f, kTag, gates + kLanes);
  hn::Store(d_g, kTag, gates + 2 * kLanes);
  hn::Store(d_o, kTag, gates + 3 * kLanes);
}

void AddPeepholeGradients(const PeepholeGradients& p) {
  const int64_t hp = (p.hidden + kLanes - 1) / kLanes * kLanes;
  for (int64_t u = p.first_block * kLanes; u < p.last_block * kLanes; u += kLanes) {
    V sum[3];
    for (int k = 0; k < 3; ++k) sum[k] = hn::LoadU(kTag, p.sums + k * hp + u);
    for (int64_t r = 0; r < p.rows; ++r) {
      const float* const d = p.dgates + r * 4 * hp + 4 * u;
      const V c_prev = hn::LoadU(kTag, p.c_prev + r * hp + u);
      sum[0] = hn::MulAdd(hn::LoadU(kTag, d), c_prev, sum[0]);
      sum[1] = hn::MulAdd(hn::LoadU(kTag, d + kLanes), c_prev, sum[1]);
      sum[2] = hn::MulAdd(hn::LoadU(kTag, d + 3 * kLanes), hn::LoadU(kTag, p.c + r * hp + u), sum[2]);
    }
    for (int k = 0; k < 3; ++k) hn::StoreU(sum[k], kTag, p.sums + k * hp + u);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_BACKWARD_GATES_INL_H_
