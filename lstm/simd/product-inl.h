// RowProduct (kernels.h). Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_PRODUCT_INL_H_
#undef EARSHOT_LSTM_SIMD_PRODUCT_INL_H_
#else
#define EARSHOT_LSTM_SIMD_PRODUCT_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "lstm/simd/kernels.h"
#include "lstm/simd/product_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows whose part of a stays in the second-level cache while the panels of b pass by.
constexpr int64_t kRowBlock = 96;
// Terms whose part of a panel stays in the second-level cache while these rows pass by: of more, the sums are cut.
constexpr int64_t kTerms = 1536;

// Rows [begin, begin + rows) of the first `vectors` vectors of a panel; p.b is that panel, its k rows.
HWY_INLINE void MultiplyPanel(const RowProduct& p, int64_t begin, int64_t rows, int64_t panel, int64_t vectors,
                              int64_t c_ahead, const float* ahead) {
  // Tiles of about equal height: 32 rows are 6 6 5 5 5 5, and no tile is a slow thin one.
  const int64_t tiles = (rows + kTileRows - 1) / kTileRows;
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t row = rows * t / tiles, next = rows * (t + 1) / tiles;
    // Each tile fetches a quarter of what comes next.
    PanelRows(p, begin + row, static_cast<int>(next - row), panel, vectors, c_ahead, ahead + t % 4 * kLanes * p.k);
  }
}

void Product(const RowProduct& p) {
  const int64_t panels = p.last_panel - p.first_panel;
  const int64_t slices = std::max<int64_t>(1, (p.k + kTerms - 1) / kTerms);  // without terms, c still has its start
  RowProduct slice = p;
  bool backwards = p.backwards;
  for (int64_t begin = 0; begin < p.rows; begin += kRowBlock, backwards = !backwards) {
    const int64_t block = std::min(kRowBlock, p.rows - begin), step = backwards ? -1 : 1;
    for (int64_t i = 0, panel = backwards ? p.last_panel - 1 : p.first_panel; i < panels; ++i, panel += step) {
      const int64_t columns = std::min(kPanel, p.columns - panel * kPanel);
      if (columns <= 0) continue;
      const int64_t vectors = (columns + kLanes - 1) / kLanes;  // only those that have a column of c are computed
      const float* const b = p.b + panel * kPanel * p.k;
      const float* const next_panel = i + 1 < panels ? b + step * kPanel * p.k : b;
      for (int64_t s = 0; s < slices; ++s) {
        const int64_t first = p.k * s / slices, next = p.k * (s + 1) / slices;
        slice.k = next - first;
        slice.a = p.a + first;
        slice.b = b + first * kPanel;
        slice.start = s == 0 ? p.start : RowProduct::Start::kAdd;
        MultiplyPanel(slice, begin, block, panel, vectors, step * kPanel,
                      s + 1 < slices ? b + next * kPanel : next_panel);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_PRODUCT_INL_H_
