// The register tiles of a RowProduct (kernels.h). Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_PRODUCT_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_PRODUCT_TILES_INL_H_
#undef EARSHOT_LSTM_SIMD_PRODUCT_TILES_INL_H_
#else
#define EARSHOT_LSTM_SIMD_PRODUCT_TILES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "lstm/simd/kernels.h"
#include "lstm/simd/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A panel has four vectors; a tile covers all of them or, where registers are few, two, and up to six rows: 24 or 12
// sums, enough to hide the latency of the multiply-adds.
constexpr int kPanelVectors = 4;
constexpr int64_t kPanel = kPanelVectors * kLanes;  // columns
constexpr int kTileVectors = kManyRegisters ? 4 : 2;
constexpr int kTileRows = 6;

HWY_INLINE int64_t RowAt(const int32_t* rows, int64_t i) { return rows == nullptr ? i : rows[i]; }

// Rows [row, row + kRows) of vectors [at, at + kVectors) of a panel of c; p.b is that of b.
template <int kRows, int kVectors>
HWY_INLINE void ProductTile(const RowProduct& p, int64_t row, int64_t panel, int64_t at, int64_t c_ahead,
                            const float* ahead) {
  const float* a[kRows];
  float* c[kRows];
  const int64_t column = panel * kPanel + at * kLanes;
  for (int r = 0; r < kRows; ++r) {
    a[r] = p.a + RowAt(p.a_rows, row + r) * p.a_stride;
    c[r] = p.c + RowAt(p.c_rows, row + r) * p.c_stride + column;
    // The same rows of the next panel come into the cache meanwhile.
    for (int v = 0; v < kVectors; ++v) Prefetch(c[r] + c_ahead + v * kLanes);
  }
  constexpr int64_t kWidth = kVectors * kLanes;
  const int64_t columns = std::min<int64_t>(p.columns - column, kWidth);
  HWY_ALIGN float edge[kRows * kWidth];  // stands for c where it has no whole vectors
  const bool whole = columns == kWidth;
  if (!whole) {
    for (int r = 0; r < kRows; ++r) {
      float* const inside = edge + r * kWidth;
      std::fill_n(inside, kWidth, 0.0f);
      if (p.start == RowProduct::Start::kAdd) std::copy_n(c[r], columns, inside);
    }
  }
  V sum[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    const float* const from = whole ? c[r] : edge + r * kWidth;
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      sum[r][v] = p.start == RowProduct::Start::kZero   ? hn::Zero(kTag)
                  : p.start == RowProduct::Start::kBias ? hn::Load(kTag, p.bias + column + v * kLanes)
                                                        : hn::LoadU(kTag, from + v * kLanes);
    }
  }
  MultiplyTile<kRows, kVectors, kPanelVectors, 1>(a, p.b + at * kLanes, p.k, ahead, sum);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    float* const to = whole ? c[r] : edge + r * kWidth;
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[r][v], kTag, to + v * kLanes);
    if (!whole) std::copy_n(to, columns, c[r]);
  }
}

template <int kVectors>
void ProductRows(const RowProduct& p, int64_t row, int rows, int64_t panel, int64_t at, int64_t c_ahead,
                 const float* ahead) {
  switch (rows) {
    case 1:
      return ProductTile<1, kVectors>(p, row, panel, at, c_ahead, ahead);
    case 2:
      return ProductTile<2, kVectors>(p, row, panel, at, c_ahead, ahead);
    case 3:
      return ProductTile<3, kVectors>(p, row, panel, at, c_ahead, ahead);
    case 4:
      return ProductTile<4, kVectors>(p, row, panel, at, c_ahead, ahead);
    case 5:
      return ProductTile<5, kVectors>(p, row, panel, at, c_ahead, ahead);
    default:
      return ProductTile<kTileRows, kVectors>(p, row, panel, at, c_ahead, ahead);
  }
}

// The first `vectors` vectors of a panel: from 1 to kPanelVectors.
void PanelRows(const RowProduct& p, int64_t row, int rows, int64_t panel, int64_t vectors, int64_t c_ahead,
               const float* ahead) {
  int64_t at = 0;
  for (; at + kTileVectors <= vectors; at += kTileVectors) {
    ProductRows<kTileVectors>(p, row, rows, panel, at, c_ahead, ahead);
  }
  const int64_t rest = vectors - at;
  if (rest == 1) ProductRows<1>(p, row, rows, panel, at, c_ahead, ahead);
  if constexpr (kTileVectors > 2) {
    if (rest == 2) ProductRows<2>(p, row, rows, panel, at, c_ahead, ahead);
    if (rest == 3) ProductRows<3>(p, row, rows, panel, at, c_ahead, ahead);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_PRODUCT_TILES_INL_H_
