// WeightGradients (kernels.h). Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_WEIGHT_GRADIENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_WEIGHT_GRADIENTS_INL_H_
#undef EARSHOT_LSTM_SIMD_WEIGHT_GRADIENTS_INL_H_
#else
#define EARSHOT_LSTM_SIMD_WEIGHT_GRADIENTS_INL_H_
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

// Adds the products of `rows` rows to the sums of kUnits units by the columns of a panel.
template <int kUnits>
HWY_INLINE void WeightTile(const float* gates, const float* inputs, int64_t rows, const float* ahead, float* sums) {
  const float* a[kUnits];
  V sum[kUnits][kColumnVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kUnits; ++r) {
    a[r] = gates + r;
#pragma GCC unroll 8
    for (int v = 0; v < kColumnVectors; ++v) sum[r][v] = hn::Load(kTag, sums + r * kColumns + v * kLanes);
  }
  MultiplyTile<kUnits, kColumnVectors, kColumnVectors, kLanes>(a, inputs, rows, ahead, sum);
#pragma GCC unroll 16
  for (int r = 0; r < kUnits; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kColumnVectors; ++v) hn::Store(sum[r][v], kTag, sums + r * kColumns + v * kLanes);
  }
}

// Adds the sums, [panel][vector][L][kColumns], and those of the bias, [vector][L], to the gradients.
HWY_INLINE void AddSums(const WeightGradients& p, int64_t panels, const float* sums, const float* bias) {
  const int64_t vectors = p.last_vector - p.first_vector;
  for (int64_t v = 0; v < vectors; ++v) {
    const int64_t vector = p.first_vector + v, unit = vector / 4 * kLanes, first = vector % 4 * p.hidden + unit;
    for (int64_t u = 0; u < std::min(kLanes, p.hidden - unit); ++u) {
      p.dbias[first + u] += bias[v * kLanes + u];
      float* const x = p.dw_ih + (first + u) * p.input;
      float* const h = p.dw_hh + (first + u) * p.hidden;
      for (int64_t panel = 0; panel < panels; ++panel) {
        const float* const from = sums + ((panel * vectors + v) * kLanes + u) * kColumns;
        const int64_t column = panel * kColumns;
        const int64_t of_x = std::max<int64_t>(0, std::min(p.input - column, kColumns));
        const int64_t of_both = std::min(p.input + p.hidden - column, kColumns);
        for (int64_t j = 0; j < of_x; ++j) x[column + j] += from[j];
        for (int64_t j = of_x; j < of_both; ++j) h[column + j - p.input] += from[j];
      }
    }
  }
}

void AddWeightGradients(const WeightGradients& p) {
  const int64_t hp = (p.hidden + kLanes - 1) / kLanes * kLanes, vectors = p.last_vector - p.first_vector;
  const WeightScratch at(vectors, p.input, p.hidden);
  float* const gates = p.scratch;
  float* const inputs = p.scratch + at.inputs;
  float* const bias = p.scratch + at.bias;
  std::fill(p.scratch + at.sums, p.scratch + at.size, 0.0f);
  for (int64_t first = 0; first < p.rows; first += kWeightGradientRows) {
    const int64_t rows = std::min(kWeightGradientRows, p.rows - first);
    PackGates(p, first, rows, 4 * hp, gates, bias);
    PackInputs(p, first, rows, hp, inputs);
    for (int64_t panel = 0; panel < at.panels; ++panel) {
      const float* const right = inputs + panel * kPackedRows * kColumns;
      const float* const next = panel + 1 < at.panels ? right + kPackedRows * kColumns : right;
      float* sums = p.scratch + at.sums + panel * vectors * kLanes * kColumns;
      for (int64_t v = 0; v < vectors; ++v) {
        const float* const left = gates + v * kPackedRows * kLanes;
        const float* const ahead = next + v % 4 * rows * kLanes;
        WeightTile<kTileUnits>(left, right, rows, ahead, sums);
        for (int64_t u = kTileUnits; u < kLanes; u += kOtherUnits) {
          WeightTile<kOtherUnits>(left + u, right, rows, ahead, sums + u * kColumns);
        }
        sums += kLanes * kColumns;
      }
    }
  }
  AddSums(p, at.panels, p.scratch + at.sums, bias);
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_WEIGHT_GRADIENTS_INL_H_
