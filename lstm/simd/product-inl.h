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

void Product(const RowProduct& p) {
  const int64_t panels = p.last_panel - p.first_panel;
  bool backwards = p.backwards;
  for (int64_t begin = 0; begin < p.rows; begin += kRowBlock, backwards = !backwards) {
    const int64_t block = std::min(kRowBlock, p.rows - begin);
    // Tiles of about equal height: 32 rows are 6 6 5 5 5 5, and no tile is a slow thin one.
    const int64_t tiles = (block + kTileRows - 1) / kTileRows, step = backwards ? -1 : 1;
    for (int64_t i = 0, panel = backwards ? p.last_panel - 1 : p.first_panel; i < panels; ++i, panel += step) {
      const int64_t columns = std::min(kPanel, p.columns - panel * kPanel);
      if (columns <= 0) continue;
      const int64_t vectors = (columns + kLanes - 1) / kLanes;  // only those that have a column of c are computed
      for (int64_t t = 0; t < tiles; ++t) {
        const int64_t row = block * t / tiles, next = block * (t + 1) / tiles;
        // Each tile fetches a quarter of the next panel.
        const float* const ahead = p.b + ((i + 1 < panels ? panel + step : panel) * kPanel + t % 4 * kLanes) * p.k;
        PanelRows(p, begin + row, static_cast<int>(next - row), panel, vectors, step * kPanel, ahead);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_PRODUCT_INL_H_
