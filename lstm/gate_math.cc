#include "lstm/gate_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lstm/gate_math.cc"
#include <hwy/foreach_target.h>  // compiles what follows once an instruction set
#include <hwy/highway.h>

#include "lstm/gate_functions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE void Accumulate(D d, hn::Vec<D> value, float* sum) {
  hn::StoreU(hn::Add(hn::LoadU(d, sum), value), d, sum);
}

// Row b of the step, units u to u + Lanes(d).
template <class D>
HWY_INLINE void ForwardUnits(D d, const GateForward& s, int64_t b, int64_t u) {
  const int64_t h = s.hidden;
  float* gates = s.gates + b * 4 * h + u;
  const auto pre = [&](int64_t gate) {
    return hn::Add(hn::LoadU(d, gates + gate * h), hn::LoadU(d, s.bias + gate * h + u));
  };
  const auto c_prev = hn::LoadU(d, s.c_prev + b * h + u);
  auto i = pre(0), f = pre(1), o = pre(3);
  if (s.w_ci != nullptr) {
    i = hn::MulAdd(hn::LoadU(d, s.w_ci + u), c_prev, i);
    f = hn::MulAdd(hn::LoadU(d, s.w_cf + u), c_prev, f);
  }
  i = Sigmoid(d, i);
  f = Sigmoid(d, f);
  const auto g = Tanh(d, pre(2));
  const auto c = hn::MulAdd(f, c_prev, hn::Mul(i, g));
  if (s.w_co != nullptr) o = hn::MulAdd(hn::LoadU(d, s.w_co + u), c, o);
  o = Sigmoid(d, o);
  hn::StoreU(i, d, gates);
  hn::StoreU(f, d, gates + h);
  hn::StoreU(g, d, gates + 2 * h);
  hn::StoreU(o, d, gates + 3 * h);
  hn::StoreU(c, d, s.c + b * h + u);
  const auto out = hn::Mul(o, Tanh(d, c));
  hn::StoreU(out, d, s.y + s.rows[b] * s.stride + u);
  if (b >= s.next_batch) return;
  const auto masked = s.mask == nullptr ? out : hn::Mul(out, hn::LoadU(d, s.mask + b * h + u));
  hn::StoreU(masked, d, s.h_next + b * h + u);
}

template <class D>
HWY_INLINE void BackwardUnits(D d, const GateBackward& s, int64_t b, int64_t u) {
  const int64_t h = s.hidden;
  const auto one = hn::Set(d, 1.0f);
  float* gates = s.gates + b * 4 * h + u;
  const auto i = hn::LoadU(d, gates), f = hn::LoadU(d, gates + h);
  const auto g = hn::LoadU(d, gates + 2 * h), o = hn::LoadU(d, gates + 3 * h);
  const auto c = hn::LoadU(d, s.c + b * h + u), c_prev = hn::LoadU(d, s.c_prev + b * h + u);
  const auto tanh_c = Tanh(d, c);
  auto carried = hn::LoadU(d, s.dh + b * h + u);
  if (s.mask != nullptr) carried = hn::Mul(carried, hn::LoadU(d, s.mask + b * h + u));
  const auto dh = hn::Add(hn::LoadU(d, s.dy + s.rows[b] * s.stride + u), carried);
  // sigma' = a (1 - a), tanh' = 1 - a^2
  const auto d_o = hn::Mul(hn::Mul(dh, tanh_c), hn::Mul(o, hn::Sub(one, o)));
  auto dc = hn::MulAdd(hn::Mul(dh, o), hn::NegMulAdd(tanh_c, tanh_c, one), hn::LoadU(d, s.dc + b * h + u));
  if (s.w_co != nullptr) dc = hn::MulAdd(d_o, hn::LoadU(d, s.w_co + u), dc);
  const auto d_i = hn::Mul(hn::Mul(dc, g), hn::Mul(i, hn::Sub(one, i)));
  const auto d_f = hn::Mul(hn::Mul(dc, c_prev), hn::Mul(f, hn::Sub(one, f)));
  const auto d_g = hn::Mul(hn::Mul(dc, i), hn::NegMulAdd(g, g, one));
  auto dc_prev = hn::Mul(dc, f);
  if (s.w_ci != nullptr) {
    dc_prev = hn::MulAdd(d_i, hn::LoadU(d, s.w_ci + u), dc_prev);
    dc_prev = hn::MulAdd(d_f, hn::LoadU(d, s.w_cf + u), dc_prev);
    Accumulate(d, hn::Mul(d_i, c_prev), s.dw_ci + u);
    Accumulate(d, hn::Mul(d_f, c_prev), s.dw_cf + u);
    Accumulate(d, hn::Mul(d_o, c), s.dw_co + u);
  }
  hn::StoreU(dc_prev, d, s.dc + b * h + u);
  hn::StoreU(d_i, d, gates);
  hn::StoreU(d_f, d, gates + h);
  hn::StoreU(d_g, d, gates + 2 * h);
  hn::StoreU(d_o, d, gates + 3 * h);
  Accumulate(d, d_i, s.dbias + u);
  Accumulate(d, d_f, s.dbias + h + u);
  Accumulate(d, d_g, s.dbias + 2 * h + u);
  Accumulate(d, d_o, s.dbias + 3 * h + u);
}

struct SigmoidOp {
  template <class D>
  HWY_INLINE hn::Vec<D> operator()(D d, hn::Vec<D> x) const {
    return Sigmoid(d, x);
  }
};

struct TanhOp {
  template <class D>
  HWY_INLINE hn::Vec<D> operator()(D d, hn::Vec<D> x) const {
    return Tanh(d, x);
  }
};

template <class Op>
HWY_INLINE void Map(const float* in, int64_t n, float* out) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const int64_t lanes = hn::Lanes(d);
  int64_t k = 0;
  for (; k + lanes <= n; k += lanes) hn::StoreU(Op()(d, hn::LoadU(d, in + k)), d, out + k);
  for (; k < n; ++k) hn::StoreU(Op()(d1, hn::LoadU(d1, in + k)), d1, out + k);
}

void SigmoidAll(const float* in, int64_t n, float* out) { Map<SigmoidOp>(in, n, out); }
void TanhAll(const float* in, int64_t n, float* out) { Map<TanhOp>(in, n, out); }

void ForwardAll(const GateForward& s, int64_t begin, int64_t end) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const int64_t lanes = hn::Lanes(d);
  for (int64_t b = 0; b < s.batch; ++b) {
    int64_t u = begin;
    for (; u + lanes <= end; u += lanes) ForwardUnits(d, s, b, u);
    for (; u < end; ++u) ForwardUnits(d1, s, b, u);
  }
}

void BackwardAll(const GateBackward& s, int64_t begin, int64_t end) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> d1;
  const int64_t lanes = hn::Lanes(d);
  for (int64_t b = 0; b < s.batch; ++b) {
    int64_t u = begin;
    for (; u + lanes <= end; u += lanes) BackwardUnits(d, s, b, u);
    for (; u < end; ++u) BackwardUnits(d1, s, b, u);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace earshot {

HWY_EXPORT(ForwardAll);
HWY_EXPORT(BackwardAll);
HWY_EXPORT(SigmoidAll);
HWY_EXPORT(TanhAll);

void ComputeGates(const GateForward& step, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(ForwardAll)(step, begin, end);
}

void ComputeGateGradients(const GateBackward& step, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(BackwardAll)(step, begin, end);
}

void ComputeSigmoid(const float* in, int64_t n, float* out) { HWY_DYNAMIC_DISPATCH(SigmoidAll)(in, n, out); }

void ComputeTanh(const float* in, int64_t n, float* out) { HWY_DYNAMIC_DISPATCH(TanhAll)(in, n, out); }

}  // namespace earshot
#endif  // HWY_ONCE
