// ForwardGates and BackwardGates (kernels.h). Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_GATES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_GATES_INL_H_
#undef EARSHOT_LSTM_SIMD_GATES_INL_H_
#else
#define EARSHOT_LSTM_SIMD_GATES_INL_H_
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

HWY_INLINE void StoreUnits(V value, int64_t units, float* to) {
  if (units >= kLanes) return hn::StoreU(value, kTag, to);
  HWY_ALIGN float padded[kLanes];
  hn::Store(value, kTag, padded);
  std::copy_n(padded, units, to);
}

// Row r, units [u, u + L); kPeepholes and kMask say which of the optional arrays are there.
template <bool kPeepholes, bool kMask>
HWY_INLINE void ForwardBlock(const ForwardGates& p, int64_t hp, int64_t r, int64_t u) {
  float* const gates = p.gates + r * 4 * hp + 4 * u;
  const V c_prev = hn::Load(kTag, p.c_prev + r * hp + u);
  V i = hn::Load(kTag, gates), f = hn::Load(kTag, gates + kLanes), o = hn::Load(kTag, gates + 3 * kLanes);
  if (kPeepholes) {
    i = hn::MulAdd(hn::Load(kTag, p.peepholes + u), c_prev, i);
    f = hn::MulAdd(hn::Load(kTag, p.peepholes + hp + u), c_prev, f);
  }
  i = Sigmoid(kTag, i);
  f = Sigmoid(kTag, f);
  const V g = Tanh(kTag, hn::Load(kTag, gates + 2 * kLanes));
  const V c = hn::MulAdd(f, c_prev, hn::Mul(i, g));
  if (kPeepholes) o = hn::MulAdd(hn::Load(kTag, p.peepholes + 2 * hp + u), c, o);
  o = Sigmoid(kTag, o);
  hn::Store(i, kTag, gates);
  hn::Store(f, kTag, gates + kLanes);
  hn::Store(g, kTag, gates + 2 * kLanes);
  hn::Store(o, kTag, gates + 3 * kLanes);
  hn::Store(c, kTag, p.c + r * hp + u);
  const V h = hn::Mul(o, Tanh(kTag, c));
  StoreUnits(h, p.hidden - u, p.y + p.frames[r] * p.frame_stride + u);
  if (r >= p.next_rows) return;
  hn::Store(kMask ? hn::Mul(h, hn::Load(kTag, p.mask + r * hp + u)) : h, kTag, p.h_next + r * hp + u);
}

template <bool kPeepholes, bool kMask>
HWY_INLINE void BackwardBlock(const BackwardGates& p, int64_t hp, int64_t r, int64_t u) {
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
  V dh = LoadUnits(p.dy + p.frames[r] * p.frame_stride + u, p.hidden - u);
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

template <bool kPeepholes, bool kMask>
HWY_INLINE void AllBlocks(const ForwardGates& p) {
  const int64_t hp = (p.hidden + kLanes - 1) / kLanes * kLanes;
  for (int64_t r = 0; r < p.rows; ++r) {
    for (int64_t b = p.first_block; b < p.last_block; ++b) ForwardBlock<kPeepholes, kMask>(p, hp, r, b * kLanes);
  }
}

template <bool kPeepholes, bool kMask>
HWY_INLINE void AllBlocks(const BackwardGates& p) {
  const int64_t hp = (p.hidden + kLanes - 1) / kLanes * kLanes;
  for (int64_t r = 0; r < p.rows; ++r) {
    for (int64_t b = p.first_block; b < p.last_block; ++b) BackwardBlock<kPeepholes, kMask>(p, hp, r, b * kLanes);
  }
}

template <class GateRows>
HWY_INLINE void ComputeBlocks(const GateRows& p) {
  if (p.peepholes == nullptr) {
    p.mask == nullptr ? AllBlocks<false, false>(p) : AllBlocks<false, true>(p);
  } else {
    p.mask == nullptr ? AllBlocks<true, false>(p) : AllBlocks<true, true>(p);
  }
}

void ComputeForwardGates(const ForwardGates& p) { ComputeBlocks(p); }
void ComputeBackwardGates(const BackwardGates& p) { ComputeBlocks(p); }

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_GATES_INL_H_
