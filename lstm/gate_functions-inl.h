// The functions of the gates in vector code. Included once an instruction set.
#if defined(EARSHOT_LSTM_GATE_FUNCTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_GATE_FUNCTIONS_INL_H_
#undef EARSHOT_LSTM_GATE_FUNCTIONS_INL_H_
#else
#define EARSHOT_LSTM_GATE_FUNCTIONS_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Highway's own Exp and Tanh answer a number to NaN and end at 104; training has to see both. These two give NaN for NaN
// and their limits for +-infinity; gate_math_test.cc states their errors.

// e^x for x in [-87, 89]; infinity from 88.38 on. x = n ln 2 + r, e^x = 2^n (1 + r + r^2 P(r)), P minimax over |r|.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V n = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
  // ln 2 in two parts; n times the first one is exact.
  const V r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x));
  V p = hn::Set(d, 0.001381314451f);
  p = hn::MulAdd(p, r, hn::Set(d, 0.008369418836f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.04166845679f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.1666651479f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.4999999305f));
  p = hn::MulAdd(hn::Mul(p, r), r, hn::Add(r, hn::Set(d, 1.0f)));
  const auto exponent = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127)));
  return hn::Mul(p, hn::BitCast(d, exponent));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  const V clamped = hn::Min(hn::Max(hn::Neg(x), hn::Set(d, -87.0f)), hn::Set(d, 89.0f));
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Div(one, hn::Add(one, Exp(d, clamped))));
}

// x + x^3 Q(x^2) below 1/2, Q minimax; 1 - 2 / (e^2x + 1) above.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Tanh(D d, V x) {
  const V one = hn::Set(d, 1.0f), magnitude = hn::Abs(x), z = hn::Mul(x, x);
  V q = hn::Set(d, 0.01724149095f);
  q = hn::MulAdd(q, z, hn::Set(d, -0.053045494f));
  q = hn::MulAdd(q, z, hn::Set(d, 0.1332587895f));
  q = hn::MulAdd(q, z, hn::Set(d, -0.333331439f));
  const V small = hn::MulAdd(hn::Mul(q, z), magnitude, magnitude);
  const V clamped = hn::Min(magnitude, hn::Set(d, 10.0f));  // tanh(10) rounds to 1
  const V e = Exp(d, hn::Add(clamped, clamped));
  const V large = hn::Sub(one, hn::Div(hn::Set(d, 2.0f), hn::Add(e, one)));
  const V out = hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0.5f)), small, large);
  return hn::IfThenElse(hn::IsNaN(x), x, hn::CopySign(out, x));
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_GATE_FUNCTIONS_INL_H_
