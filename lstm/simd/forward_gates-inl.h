// A block of ForwardGates (kernels.h). Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_FORWARD_GATES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_FORWARD_GATES_INL_H_
#undef EARSHOT_LSTM_SIMD_FORWARD_GATES_INL_H_
#else
#define EARSHOT_LSTM_SIMD_FORWARD_GATES_INL_H_
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

// The first `units` lanes to an array that is not padded.
HWY_INLINE void StoreUnits(V value, int64_t units, float* to) {
  if (units >= kLanes) return hn::StoreU(value, kTag, to);
  HWY_ALIGN float padded[kLanes];
  hn::Store(value, kTag, padded);
  std::copy_n(padded, units, to);
}

// Row r, units [u, u + L); kPeepholes and kMask say which of the optional arrays are there.
template <bool kPeepholes, bool kMask>
HWY_INLINE void GateBlock(const ForwardGates& p, int64_t hp, int64_t r, int64_t u) {
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
  if (!kMask || r >= p.next_rows) return;
  hn::Store(hn::Mul(h, hn::Load(kTag, p.mask + r * hp + u)), kTag, p.h_next + r * hp + u);
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_FORWARD_GATES_INL_H_
