#include "losses/exps.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "losses/exps.cc"
#include <hwy/foreach_target.h>  // compiles what follows once an instruction set
#include <hwy/highway.h>

#include "losses/doubles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace {

// e^x for x <= 0; 0 below -708, where it would be denormal. x = n ln 2 + r, e^x = 2^n (1 + r + r^2 P(r)), P through the
// Chebyshev nodes of |r| <= ln(2) / 2.
HWY_INLINE V Exp(Tag d, V x) {
  const hn::RebindToUnsigned<Tag> du;
  // Rounds to an integer, which then stands in the lowest bits.
  const V shift = hn::Set(d, 0x1.8p52), shifted = hn::MulAdd(x, hn::Set(d, 1.4426950408889634), shift);
  const V n = hn::Sub(shifted, shift);
  // ln 2 in two parts; n times the first one is exact.
  const V r = hn::NegMulAdd(n, hn::Set(d, 7.440617110012397e-11), hn::NegMulAdd(n, hn::Set(d, 0x1.62e42fefp-1), x));
  V p = hn::Set(d, 2.5100424157005067e-08);
  p = hn::MulAdd(p, r, hn::Set(d, 2.7620138719733994e-07));
  p = hn::MulAdd(p, r, hn::Set(d, 2.7557268378684192e-06));
  p = hn::MulAdd(p, r, hn::Set(d, 2.480152119021773e-05));
  p = hn::MulAdd(p, r, hn::Set(d, 0.00019841269863105968));
  p = hn::MulAdd(p, r, hn::Set(d, 0.0013888888917281794));
  p = hn::MulAdd(p, r, hn::Set(d, 0.008333333333330051));
  p = hn::MulAdd(p, r, hn::Set(d, 0.04166666666662399));
  p = hn::MulAdd(p, r, hn::Set(d, 0.16666666666666669));
  p = hn::MulAdd(p, r, hn::Set(d, 0.5));
  p = hn::Add(hn::MulAdd(hn::Mul(p, r), r, r), hn::Set(d, 1.0));
  const V e = hn::BitCast(d, hn::Add(hn::BitCast(du, p), hn::ShiftLeft<52>(hn::BitCast(du, shifted))));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -708.0)), e);
}

template <typename T>
HWY_INLINE double Exps(const T* x, int n, int left_out, double* exps, double* largest) {
  const Tag d;
  const int lanes = static_cast<int>(hn::Lanes(d)), padded = WholeVectors(n);
  constexpr double kLowest = std::numeric_limits<double>::lowest();  // whose exponential is 0
  V max = hn::Set(d, kLowest), poison = hn::Zero(d), sum = hn::Zero(d);
  const auto look = [&](V v) HWY_ATTR {
    max = hn::Max(max, v);
    poison = hn::MulAdd(v, hn::Zero(d), poison);  // 0 for finite numbers, else NaN
  };
  int i = 0;
  for (; i + lanes <= n; i += lanes) {
    const V v = LoadDoubles(d, x + i);
    look(v);
    hn::StoreU(v, d, exps + i);
  }
  for (int k = i; k < n; ++k) exps[k] = x[k];
  std::fill(exps + n, exps + padded, kLowest);
  if (i < n) look(hn::LoadU(d, exps + i));
  if (left_out >= 0) exps[left_out] = kLowest;
  max = hn::MaxOfLanes(d, max);
  for (i = 0; i < padded; i += lanes) {
    const V e = Exp(d, hn::Sub(hn::LoadU(d, exps + i), max));
    hn::StoreU(e, d, exps + i);
    sum = hn::Add(sum, e);
  }
  *largest = hn::GetLane(max);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(sum, poison)));
}

template <typename T>
HWY_INLINE void Scale(const double* exps, int n, double factor, T* out) {
  const Tag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int i = 0;
  for (; i + lanes <= n; i += lanes) StoreDoubles(hn::Mul(hn::LoadU(d, exps + i), hn::Set(d, factor)), d, out + i);
  for (; i < n; ++i) out[i] = static_cast<T>(exps[i] * factor);
}

double ExpsOfFloats(const float* x, int n, int left_out, double* exps, double* largest) {
  return Exps(x, n, left_out, exps, largest);
}
double ExpsOfDoubles(const double* x, int n, int left_out, double* exps, double* largest) {
  return Exps(x, n, left_out, exps, largest);
}
void ScaleToFloats(const double* exps, int n, double factor, float* out) { Scale(exps, n, factor, out); }
void ScaleToDoubles(const double* exps, int n, double factor, double* out) { Scale(exps, n, factor, out); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace earshot {

HWY_EXPORT(ExpsOfFloats);
HWY_EXPORT(ExpsOfDoubles);
HWY_EXPORT(ScaleToFloats);
HWY_EXPORT(ScaleToDoubles);

double ComputeExps(const float* x, int n, int left_out, double* exps, double* largest) {
  return HWY_DYNAMIC_DISPATCH(ExpsOfFloats)(x, n, left_out, exps, largest);
}
double ComputeExps(const double* x, int n, int left_out, double* exps, double* largest) {
  return HWY_DYNAMIC_DISPATCH(ExpsOfDoubles)(x, n, left_out, exps, largest);
}

void ScaleExps(const double* exps, int n, double factor, float* out) {
  HWY_DYNAMIC_DISPATCH(ScaleToFloats)(exps, n, factor, out);
}
void ScaleExps(const double* exps, int n, double factor, double* out) {
  HWY_DYNAMIC_DISPATCH(ScaleToDoubles)(exps, n, factor, out);
}

}  // namespace earshot
#endif  // HWY_ONCE
