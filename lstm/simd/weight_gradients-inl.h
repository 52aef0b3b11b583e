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
#include "lstm/simd/weight_packing-inl.h"
#include "lstm/simd/weight_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
      const int64_t rest = p.input + p.hidden - panel * kColumns;
      const int64_t columns = std::min<int64_t>(kColumnVectors, (rest + kLanes - 1) / kLanes);  // vectors of them
      for (int64_t v = 0; v < vectors; ++v) {
        const float* const left = gates + v * kPackedRows * kLanes;
        const float* const ahead = next + v % 4 * rows * kLanes;
        const int64_t units = std::min(kLanes, p.hidden - (p.first_vector + v) / 4 * kLanes);
        WeightPanel(columns, units, left, right, rows, ahead, sums);
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
