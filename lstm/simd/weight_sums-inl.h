// Adding the sums of the weight gradients to these. Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_WEIGHT_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_WEIGHT_SUMS_INL_H_
#undef EARSHOT_LSTM_SIMD_WEIGHT_SUMS_INL_H_
#else
#define EARSHOT_LSTM_SIMD_WEIGHT_SUMS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "lstm/simd/kernels.h"
#include "lstm/simd/tile-inl.h"
#include "lstm/simd/weight_packing-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Some panels of columns by some vectors of gates; their sums are [panel][vector][L][kColumns].
struct WeightBlock {
  int64_t first_panel, last_panel, first_vector, last_vector;
};

// Adds n numbers to those of a row. Those of the next row, `stride` further, come into the cache meanwhile: of wide
// rows each begins in a page of its own, where the processor does not foresee it.
HWY_INLINE void AddColumns(const float* from, int64_t n, float* to, int64_t stride) {
  int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    Prefetch(to + j + stride);
    hn::StoreU(hn::Add(hn::LoadU(kTag, to + j), hn::LoadU(kTag, from + j)), kTag, to + j);
  }
  for (; j < n; ++j) to[j] += from[j];
}

// Adds the sums of a block to the gradients.
HWY_INLINE void AddSums(const WeightGradients& p, const WeightBlock& block, const float* sums) {
  const int64_t vectors = block.last_vector - block.first_vector;
  for (int64_t v = 0; v < vectors; ++v) {
    const int64_t vector = block.first_vector + v, unit = vector / 4 * kLanes, first = vector % 4 * p.hidden + unit;
    for (int64_t u = 0; u < std::min(kLanes, p.hidden - unit); ++u) {
      float* const x = p.dw_ih + (first + u) * p.input;
      float* const h = p.dw_hh + (first + u) * p.hidden;
      for (int64_t panel = block.first_panel; panel < block.last_panel; ++panel) {
        const float* const from = sums + (((panel - block.first_panel) * vectors + v) * kLanes + u) * kColumns;
        const int64_t column = panel * kColumns;
        const int64_t of_x = std::max<int64_t>(0, std::min(p.input - column, kColumns));
        const int64_t of_both = std::min(p.input + p.hidden - column, kColumns);
        AddColumns(from, of_x, x + column, p.input);
        AddColumns(from + of_x, of_both - of_x, h + column + of_x - p.input, p.hidden);
      }
    }
  }
}

// And those of the bias, [vector][L], to theirs.
HWY_INLINE void AddBias(const WeightGradients& p, const float* sums) {
  for (int64_t vector = p.first_vector; vector < p.last_vector; ++vector, sums += kLanes) {
    const int64_t unit = vector / 4 * kLanes;
    float* const bias = p.dbias + vector % 4 * p.hidden + unit;
    for (int64_t u = 0; u < std::min(kLanes, p.hidden - unit); ++u) bias[u] += sums[u];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_WEIGHT_SUMS_INL_H_
