// Vectors of doubles from and to arrays of floats or doubles. Included once an instruction set.
#if defined(EARSHOT_LOSSES_DOUBLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LOSSES_DOUBLES_INL_H_
#undef EARSHOT_LOSSES_DOUBLES_INL_H_
#else
#define EARSHOT_LOSSES_DOUBLES_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using V = hn::Vec<Tag>;

HWY_INLINE V LoadDoubles(Tag d, const double* x) { return hn::LoadU(d, x); }
HWY_INLINE V LoadDoubles(Tag d, const float* x) { return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Tag>(), x)); }
HWY_INLINE void StoreDoubles(V v, Tag d, double* x) { hn::StoreU(v, d, x); }
HWY_INLINE void StoreDoubles(V v, Tag /*d*/, float* x) {
  const hn::Rebind<float, Tag> half;
  hn::StoreU(hn::DemoteTo(half, v), half, x);
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LOSSES_DOUBLES_INL_H_
