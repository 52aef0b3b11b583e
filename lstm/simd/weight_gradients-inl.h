// WeightGradients and PeepholeGradients (kernels.h). Included once an instruction set.
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

// The right side: rows [x | h_prev], filled up with zeros to whole panels, as [panel][row][kColumns].
HWY_INLINE void PackInputs(const WeightGradients& p, int64_t first, int64_t rows, int64_t h_stride, float* packed) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* const x = p.x + (p.x_rows == nullptr ? first + r : p.x_rows[first + r]) * p.x_stride;
    const float* const h = p.h_prev + (first + r) * h_stride;
    float* to = packed + r * kColumns;
    for (int64_t column = 0; column < p.input + p.hidden; column += kColumns, to += kPackedRows * kColumns) {
      const int64_t of_x = std::max<int64_t>(0, std::min(kColumns, p.input - column));
      const int64_t of_both = std::min(kColumns, p.input + p.hidden - column);
      CopyColumns(x + column, 0, of_x, to);
      CopyColumns(h + column + of_x - p.input, of_x, of_both - of_x, to);
      for (int64_t j = of_both; j < kColumns; ++j) to[j] = 0;
    }
  }
}

// Adds the products of `rows` rows to the sums of kUnits units by the first kVectors vectors of a panel's columns.
template <int kUnits, int kVectors>
HWY_INLINE void WeightTile(const float* gates, const float* inputs, int64_t rows, const float* ahead, float* sums) {
  const float* a[kUnits];
  V sum[kUnits][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kUnits; ++r) {
    a[r] = gates + r;
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::Load(kTag, sums + r * kColumns + v * kLanes);
  }
  MultiplyTile<kUnits, kVectors, kColumnVectors, kLanes>(a, inputs, rows, ahead, sum);
#pragma GCC unroll 16
  for (int r = 0; r < kUnits; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) hn::Store(sum[r][v], kTag, sums + r * kColumns + v * kLanes);
  }
}

// Tiles of the first `units` units, or some more, of a vector of gates. Where a panel has one or two vectors of
// columns, a tile takes more units, to have as many sums as others: enough to hide the latency of the multiply-adds.
template <int kVectors>
void WeightTiles(int64_t units, const float* gates, const float* inputs, int64_t rows, const float* ahead,
                 float* sums) {
  constexpr int kTall = std::min<int>(kLanes, kManyRegisters && kVectors == 1 ? 16 : 8);
  if (kVectors <= 2 && units > kTileUnits) {
    for (int64_t u = 0; u < units; u += kTall) {
      WeightTile<kTall, kVectors>(gates + u, inputs, rows, ahead, sums + u * kColumns);
    }
    return;
  }
  WeightTile<kTileUnits, kVectors>(gates, inputs, rows, ahead, sums);
  for (int64_t u = kTileUnits; u < units; u += kOtherUnits) {
    WeightTile<kOtherUnits, kVectors>(gates + u, inputs, rows, ahead, sums + u * kColumns);
  }
}

// Of the first `columns` vectors of a panel, from 1 to kColumnVectors: those that have a column of [x | h].
void WeightPanel(int64_t columns, int64_t units, const float* gates, const float* inputs, int64_t rows,
                 const float* ahead, float* sums) {
  switch (columns) {
    case 1:
      return WeightTiles<1>(units, gates, inputs, rows, ahead, sums);
    case 2:
      return WeightTiles<2>(units, gates, inputs, rows, ahead, sums);
    case 3:
      return WeightTiles<3>(units, gates, inputs, rows, ahead, sums);
    default:
      return WeightTiles<kColumnVectors>(units, gates, inputs, rows, ahead, sums);
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

// Where the parts of the scratch memory begin.
struct WeightScratch {
  WeightScratch(int64_t vectors, int64_t input, int64_t hidden)
      : panels((input + hidden + kColumns - 1) / kColumns),
        inputs(vectors * kPackedRows * kLanes),
        sums(inputs + panels * kPackedRows * kColumns),
        bias(sums + panels * vectors * kLanes * kColumns),
        size(bias + vectors * kLanes) {}
  int64_t panels;
  int64_t inputs, sums, bias, size;  // the packed gates begin at 0
};

int64_t ScratchFloats(int64_t vectors, int64_t input, int64_t hidden) {
  return WeightScratch(vectors, input, hidden).size;
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

void AddPeepholeGradients(const PeepholeGradients& p) {
  const int64_t hp = (p.hidden + kLanes - 1) / kLanes * kLanes;
  for (int64_t u = p.first_block * kLanes; u < p.last_block * kLanes; u += kLanes) {
    V sum[3];
    for (int k = 0; k < 3; ++k) sum[k] = hn::LoadU(kTag, p.sums + k * hp + u);
    for (int64_t r = 0; r < p.rows; ++r) {
      const float* const d = p.dgates + r * 4 * hp + 4 * u;
      const V c_prev = hn::LoadU(kTag, p.c_prev + r * hp + u);
      sum[0] = hn::MulAdd(hn::LoadU(kTag, d), c_prev, sum[0]);
      sum[1] = hn::MulAdd(hn::LoadU(kTag, d + kLanes), c_prev, sum[1]);
      sum[2] = hn::MulAdd(hn::LoadU(kTag, d + 3 * kLanes), hn::LoadU(kTag, p.c + r * hp + u), sum[2]);
    }
    for (int k = 0; k < 3; ++k) hn::StoreU(sum[k], kTag, p.sums + k * hp + u);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_WEIGHT_GRADIENTS_INL_H_
