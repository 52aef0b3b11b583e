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

// Highway's own Exp and Tanh answer a number to NaN and end at 104; training has to see both. These give NaN for NaN
// and their limits for +-infinity; gate_math_test.cc states their errors.

// x in [low, high]; NaN stays NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Clamp(D d, float low, V x, float high) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  // The processor's minimum and maximum answer their second operand where one is NaN.
  return hn::Min(hn::Set(d, high), hn::Max(hn::Set(d, low), x));
#else
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Min(hn::Set(d, high), hn::Max(hn::Set(d, low), x)));
#endif
}

// e^x for |x| <= 88 as scale * (1 + fraction), scale a power of two: x = n ln 2 + r, fraction = r + r^2 P(r), P minimax
// over |r|, so that the fraction is exact to rounding also near 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void Exp(D d, V x, V* scale, V* fraction) {
  const hn::RebindToSigned<D> di;
  // A float of this size has no fraction, so adding it rounds; its last bits are then n + 127, the exponent of 2^n.
  const V magic = hn::Set(d, 12582912.0f + 127.0f);
  const V rounded = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
  const V n = hn::Sub(rounded, magic);
  // ln 2 in two parts; n times the first one is exact.
  const V r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x));
  V p = hn::Set(d, 0.001381314451f);
  p = hn::MulAdd(p, r, hn::Set(d, 0.008369418836f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.04166845679f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.1666651479f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.4999999305f));
  *fraction = hn::MulAdd(p, hn::Mul(r, r), r);
  *scale = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, rounded)));
}

// 1 / (1 + e^-x)
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  V scale, fraction;
  Exp(d, Clamp(d, -88.0f, hn::Neg(x), 88.0f), &scale, &fraction);
  return hn::Div(one, hn::MulAdd(scale, fraction, hn::Add(scale, one)));
}

// e / (e + 2) with e = e^2|x| - 1
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Tanh(D d, V x) {
  const V magnitude = Clamp(d, 0.0f, hn::Abs(x), 10.0f);  // tanh(10) rounds to 1
  V scale, fraction;
  Exp(d, hn::Add(magnitude, magnitude), &scale, &fraction);
  const V e = hn::MulAdd(scale, fraction, hn::Sub(scale, hn::Set(d, 1.0f)));
  return hn::CopySign(hn::Div(e, hn::Add(e, hn::Set(d, 2.0f))), x);
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_GATE_FUNCTIONS_INL_H_
