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
#include "lstm/simd/weight_sums-inl.h"
#include "lstm/simd/weight_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Multiplies `rows` packed rows for a block, whose inputs begin with its first panel, and adds to its sums.
HWY_INLINE void AddProducts(const WeightGradients& p, const WeightBlock& block, int64_t rows, const float* gates,
                            const float* inputs, float* sums) {
  for (int64_t panel = block.first_panel; panel < block.last_panel; ++panel, inputs += kPackedRows * kColumns) {
    const float* const next = panel + 1 < block.last_panel ? inputs + kPackedRows * kColumns : inputs;
    const int64_t rest = p.input + p.hidden - panel * kColumns;
    const int64_t columns = std::min<int64_t>(kColumnVectors, (rest + kLanes - 1) / kLanes);  // vectors of them
    for (int64_t vector = block.first_vector; vector < block.last_vector; ++vector, sums += kLanes * kColumns) {
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
  // Rows that are packed once pass by vector after vector: the sums stay near, and rows of the gradient are long.
  const bool once = p.rows <= kWeightGradientRows;
  const int64_t vectors = once ? 1 : p.last_vector - p.first_vector;
  WeightBlock block;
  for (block.first_panel = 0; block.first_panel < at.panels; block.first_panel = block.last_panel) {
    block.last_panel = std::min(block.first_panel + kPanelsAtOnce, at.panels);
    for (block.first_vector = p.first_vector; block.first_vector < p.last_vector;
         block.first_vector = block.last_vector) {
      block.last_vector = std::min(block.first_vector + vectors, p.last_vector);
      const bool first_inputs = block.first_vector == p.first_vector;
      const bool first_gates = first_inputs && block.first_panel == 0;
      std::fill_n(sums, (block.last_panel - block.first_panel) * vectors * kLanes * kColumns, 0.0f);
      if (first_gates || !once) std::fill(bias, sums, 0.0f);
      for (int64_t first = 0; first < p.rows; first += kWeightGradientRows) {
        const int64_t rows = std::min(kWeightGradientRows, p.rows - first);
        if (first_gates || !once) PackGates(p, first, rows, stride, gates, bias);
        if (first_inputs || !once) {
          const int64_t end = std::min(block.last_panel * kColumns, p.input + p.hidden);
          PackInputs(p, first, rows, block.first_panel * kColumns, end, inputs);
        }
        AddProducts(p, block, rows, gates, inputs, sums);
      }
      AddSums(p, block, sums);
      if (first_gates) AddBias(p, bias);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_WEIGHT_GRADIENTS_INL_H_
