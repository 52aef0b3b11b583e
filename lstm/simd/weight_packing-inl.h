// What the weight gradients multiply, as their tiles read it. Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_WEIGHT_PACKING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_WEIGHT_PACKING_INL_H_
#undef EARSHOT_LSTM_SIMD_WEIGHT_PACKING_INL_H_
#else
#define EARSHOT_LSTM_SIMD_WEIGHT_PACKING_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "lstm/simd/kernels.h"
#include "lstm/simd/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A tile is some units of one gate by kColumnVectors vectors of columns of [x | h]. The 16 units of AVX-512 are tiles
// of 6, 5 and 5 by four vectors, 20 to 24 sums; where registers are few, 4 by three.
constexpr int kColumnVectors = kManyRegisters ? 4 : 3;
constexpr int64_t kColumns = kColumnVectors * kLanes;
constexpr int kTilesOfVector = kManyRegisters ? 3 : (kLanes + 3) / 4;
constexpr int kTileUnits = (kLanes + kTilesOfVector - 1) / kTilesOfVector;  // of the first tile
constexpr int kOtherUnits = kTilesOfVector == 1 ? 1 : (kLanes - kTileUnits) / (kTilesOfVector - 1);  // of the others
static_assert(kTileUnits + (kTilesOfVector - 1) * kOtherUnits == kLanes, "tiles cover a vector");

// Terms of the sums that are packed at a time: a tile's part of the right side stays in the second-level cache. One row
// more than that lies between packed vectors and panels, or they would all compete for the same sets of the caches.
constexpr int64_t kWeightGradientRows = 128;
constexpr int64_t kPackedRows = kWeightGradientRows + 1;

// Panels of columns whose sums are kept while all rows pass by; with wide inputs the rows pass by several times.
constexpr int64_t kPanelsAtOnce = 16;

// The left side, dgates transposed: [vector][row][L], which is what a tile's broadcasts read. Adds up the bias on the
// way, row by row.
HWY_INLINE void PackGates(const WeightGradients& p, int64_t first, int64_t rows, int64_t stride, float* packed,
                          float* bias) {
  constexpr int64_t kAtOnce = 8;  // rows, so that their vectors fill several cache lines in a row
  const int64_t vectors = p.last_vector - p.first_vector;
  for (int64_t begin = 0; begin < rows; begin += kAtOnce) {
    const int64_t end = std::min(begin + kAtOnce, rows);
    const float* const from = p.dgates + first * stride + p.first_vector * kLanes;
    for (int64_t v = 0; v < vectors; ++v) {
      V sum = hn::Load(kTag, bias + v * kLanes);
      for (int64_t r = begin; r < end; ++r) {
        const float* const at = from + r * stride + v * kLanes;
        _mm_prefetch(reinterpret_cast<const char*>(at + kAtOnce * stride), _MM_HINT_T0);
        const V gate = hn::LoadU(kTag, at);
        sum = hn::Add(sum, gate);
        hn::Store(gate, kTag, packed + (v * kPackedRows + r) * kLanes);
      }
      hn::Store(sum, kTag, bias + v * kLanes);
    }
  }
}

// Columns [first, first + n) of a panel's row.
HWY_INLINE void CopyColumns(const float* from, int64_t first, int64_t n, float* row) {
  int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes) hn::StoreU(hn::LoadU(kTag, from + j), kTag, row + first + j);
  for (; j < n; ++j) row[first + j] = from[j];
}

// The right side: columns [begin, end) of the rows [x | h], filled up with zeros to whole panels, as
// [panel][row][kColumns].
HWY_INLINE void PackInputs(const WeightGradients& p, int64_t first, int64_t rows, int64_t begin, int64_t end,
                           float* packed) {
  const int64_t hp = (p.hidden + kLanes - 1) / kLanes * kLanes;
  for (int64_t r = 0; r < rows; ++r) {
    const float* const x = p.x + (p.x_rows == nullptr ? first + r : p.x_rows[first + r]) * p.x_stride;
    const float* const h = first + r < p.own_rows ? p.h_own + (first + r) * hp : p.h + p.h_rows[first + r] * p.h_stride;
    float* to = packed + r * kColumns;
    for (int64_t column = begin; column < end; column += kColumns, to += kPackedRows * kColumns) {
      const int64_t of_x = std::max<int64_t>(0, std::min(kColumns, p.input - column));
      const int64_t of_both = std::min(kColumns, p.input + p.hidden - column);
      CopyColumns(x + column, 0, of_x, to);
      CopyColumns(h + column + of_x - p.input, of_x, of_both - of_x, to);
      for (int64_t j = of_both; j < kColumns; ++j) to[j] = 0;
    }
  }
}

// Where the parts of the scratch memory begin.
struct WeightScratch {
  WeightScratch(int64_t vectors, int64_t input, int64_t hidden)
      : panels((input + hidden + kColumns - 1) / kColumns),
        inputs(vectors * kPackedRows * kLanes),
        bias(inputs + std::min(panels, kPanelsAtOnce) * kPackedRows * kColumns),
        sums(bias + vectors * kLanes),
        size(sums + std::min(panels, kPanelsAtOnce) * vectors * kLanes * kColumns) {}
  int64_t panels;
  int64_t inputs, bias, sums, size;  // the packed gates begin at 0
};

int64_t ScratchFloats(int64_t vectors, int64_t input, int64_t hidden) {
  return WeightScratch(vectors, input, hidden).size;
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_WEIGHT_PACKING_INL_H_
