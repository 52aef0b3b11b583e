// The register tiles of the weight gradients. Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_WEIGHT_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_WEIGHT_TILES_INL_H_
#undef EARSHOT_LSTM_SIMD_WEIGHT_TILES_INL_H_
#else
#define EARSHOT_LSTM_SIMD_WEIGHT_TILES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "lstm/simd/tile-inl.h"
#include "lstm/simd/weight_packing-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_WEIGHT_TILES_INL_H_
