// ForwardGates and BackwardGates (kernels.h). Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_GATES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_GATES_INL_H_
#undef EARSHOT_LSTM_SIMD_GATES_INL_H_
#else
#define EARSHOT_LSTM_SIMD_GATES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "lstm/simd/backward_gates-inl.h"
#include "lstm/simd/forward_gates-inl.h"
#include "lstm/simd/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool kPeepholes, bool kMask, class Gates>
HWY_INLINE void AllBlocks(const Gates& p) {
  const int64_t hp = (p.hidden + kLanes - 1) / kLanes * kLanes;
  for (int64_t r = 0; r < p.rows; ++r) {
    for (int64_t b = p.first_block; b < p.last_block; ++b) GateBlock<kPeepholes, kMask>(p, hp, r, b * kLanes);
  }
}

template <class Gates>
HWY_INLINE void ComputeBlocks(const Gates& p) {
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
