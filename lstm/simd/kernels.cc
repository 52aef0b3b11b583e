#include "lstm/simd/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lstm/simd/kernels.cc"
#include <hwy/foreach_target.h>  // compiles what follows once an instruction set
#include <hwy/highway.h>

#include "lstm/simd/gates-inl.h"
#include "lstm/simd/product-inl.h"
#include "lstm/simd/weight_gradients-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {

const Kernels* GetKernels() {
  static const Kernels kKernels = {hwy::TargetName(HWY_TARGET),
                                   kLanes,
                                   Product,
                                   ComputeForwardGates,
                                   ComputeBackwardGates,
                                   AddWeightGradients,
                                   ScratchFloats,
                                   AddPeepholeGradients};
  return &kKernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace earshot {

HWY_EXPORT(GetKernels);

const Kernels& BestKernels() { return *HWY_DYNAMIC_DISPATCH(GetKernels)(); }

}  // namespace earshot
#endif  // HWY_ONCE
