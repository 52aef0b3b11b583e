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

// Adds the sums of the panels [first, last), [panel][vector][L][kColumns], to the gradients.
HWY_INLINE void AddSums(const WeightGradients& p, int64_t first_panel, int64_t last_panel, const float* sums) {
  const int64_t vectors = p.last_vector - p.first_vector;
  for (int64_t v = 0; v < vectors; ++v) {
    const int64_t vector = p.first_vector + v, unit = vector / 4 * kLanes, first = vector % 4 * p.hidden + unit;
    for (int64_t u = 0; u < std::min(kLanes, p.hidden - unit); ++u) {
      float* const x = p.dw_ih + (first + u) * p.input;
      float* const h = p.dw_hh + (first + u) * p.hidden;
      for (int64_t panel = first_panel; panel < last_panel; ++panel) {
        const float* const from = sums + (((panel - first_panel) * vectors + v) * kLanes + u) * kColumns;
        const int64_t column = panel * kColumns;
        const int64_t of_x = std::max<int64_t>(0, std::min(p.input - column, kColumns));
        const int64_t of_both = std::min(p.input + p.hidden - column, kColumns);
        for (int64_t j = 0; j < of_x; ++j) x[column + j] += from[j];
        for (int64_t j = of_x; j < of_both; ++j) h[column + j - p.input] += from[j];
      }
    }
  }
}

// And those of the bias, [vector][L].
HWY_INLINE void AddBias(const WeightGradients& p, const float* sums) {
  for (int64_t vector = p.first_vector; vector < p.last_vector; ++vector, sums += kLanes) {
    const int64_t unit = vector / 4 * kLanes;
    float* const bias = p.dbias + vector % 4 * p.hidden + unit;
    for (int64_t u = 0; u < std::min(kLanes, p.hidden - unit); ++u) bias[u] += sums[u];
  }
}

// Multiplies the packed rows for the panels [first, last), `inputs` and `sums` of which begin with the first.
HWY_INLINE void AddProducts(const WeightGradients& p, int64_t rows, int64_t first_panel, int64_t last_panel,
                            const float* gates, const float* inputs, float* sums) {
  for (int64_t panel = first_panel; panel < last_panel; ++panel, inputs += kPackedRows * kColumns) {
    const float* const next = panel + 1 < last_panel ? inputs + kPackedRows * kColumns : inputs;
    const int64_t rest = p.input + p.hidden - panel * kColumns;
    const int64_t columns = std::min<int64_t>(kColumnVectors, (rest + kLanes - 1) / kLanes);  // vectors of them
    for (int64_t vector = p.first_vector; vector < p.last_vector; ++vector, sums += kLanes * kColumns) {
      const int64_t v = vector - p.first_vector;
      const float* const ahead = next + v % 4 * rows * kLanes;
      WeightPanel(columns, std::min(kLanes, p.hidden - vector / 4 * kLanes), gates + v * kPackedRows * kLanes, inputs,
                  rows, ahead, sums);
    }
  }
}

void AddWeightGradients(const WeightGradients& p) {
  const int64_t stride = 4 * ((p.hidden + kLanes - 1) / kLanes * kLanes);
  const WeightScratch at(p.last_vector - p.first_vector, p.input, p.hidden);
  float* const gates = p.scratch;
  float* const inputs = p.scratch + at.inputs;
  float* const bias = p.scratch + at.bias;
  float* const sums = p.scratch + at.sums;
  const bool one_pass = p.rows <= kWeightGradientRows;
  const int64_t panels_at_once = one_pass ? kPanelsOfOnePass : kPanelsAtOnce;
  for (int64_t panel = 0; panel < at.panels; panel += panels_at_once) {
    const int64_t last = std::min(panel + panels_at_once, at.panels);
    std::fill(sums, sums + (last - panel) * (p.last_vector - p.first_vector) * kLanes * kColumns, 0.0f);
    if (panel == 0 || !one_pass) std::fill(bias, sums, 0.0f);
    for (int64_t first = 0; first < p.rows; first += kWeightGradientRows) {
      const int64_t rows = std::min(kWeightGradientRows, p.rows - first);
      if (panel == 0 || !one_pass) PackGates(p, first, rows, stride, gates, bias);
      PackInputs(p, first, rows, panel * kColumns, std::min(last * kColumns, p.input + p.hidden), inputs);
      AddProducts(p, rows, panel, last, gates, inputs, sums);
    }
    AddSums(p, panel, last, sums);
    if (panel == 0) AddBias(p, bias);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_WEIGHT_GRADIENTS_INL_H_
