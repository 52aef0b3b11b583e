#include "base/ordered_gemm.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/ordered_gemm.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // compiles what follows once an instruction set
#include <hwy/highway.h>

#ifndef EARSHOT_BASE_ORDERED_GEMM_CC_SHARED_
#define EARSHOT_BASE_ORDERED_GEMM_CC_SHARED_
namespace earshot {

constexpr int64_t kPanel = 32;       // columns of a panel of b: of a tile, where registers allow
constexpr int64_t kSlab = 96;        // rows whose tiles take turns, so that a panel's terms stay in the cache
constexpr int64_t kTerms = 1024;     // of a sum before the next tile's turn, for the same reason
constexpr int64_t kAhead = 128;      // terms that the first tile of a slab asks memory for in advance
constexpr int64_t kUnit = 24;        // rows that are dealt to threads together: whole tiles
constexpr int64_t kGrain = 1 << 19;  // multiply-adds that are worth a thread

// Columns of c in panels of b.
struct OrderedProduct {
  int64_t n, k;
  const float* a;
  int64_t row_stride, term_stride;  // op(a)(i, k) = a[i * row_stride + k * term_stride]
  const float* b;
  int64_t panel_stride, ldb;  // op(b)(k, j) = b[j / kPanel * panel_stride + k * ldb + j % kPanel]
  const float* bias;          // where sums start, or null
  float* c;
  int64_t ldc;
};
constexpr float kZeros[kPanel] = {};

}  // namespace earshot
#endif  // EARSHOT_BASE_ORDERED_GEMM_CC_SHARED_

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, 16> kTag;
constexpr int64_t kLanes = hn::MaxLanes(kTag);
// A tile's sums stay in registers: 12 x 2 vectors of 32, else 6 x 2 or 3 x 4 of 16.
constexpr int64_t kColumns = kLanes == 16 ? 32 : 16;
constexpr int kVectors = static_cast<int>(kColumns / kLanes);
constexpr int kMaxRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 3;

// Adds terms [k0, k1) to kRows rows and kColumns columns of c; the first of them replaces what was there. Fetches b
// `ahead` terms in advance.
template <int kRows>
HWY_INLINE void Tile(const OrderedProduct& p, int64_t i, int64_t j, int64_t k0, int64_t k1, int64_t ahead) {
  using V = hn::Vec<decltype(kTag)>;
  const int64_t columns = std::min(kColumns, p.n - j);
  float* const c = p.c + i * p.ldc + j;
  // Where the sums stand so far; `edge` holds them where fewer columns are left.
  const float* start = k0 > 0 ? c : p.bias != nullptr ? p.bias + j : kZeros;
  int64_t stride = k0 > 0 ? p.ldc : 0;
  float edge[kRows * kColumns];
  if (columns < kColumns) {
    for (int r = 0; r < kRows; ++r) {
      std::copy_n(start + r * stride, columns, edge + r * kColumns);
      std::fill_n(edge + r * kColumns + columns, kColumns - columns, 0.0f);
    }
    start = edge;
    stride = kColumns;
  }
  V sum[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::LoadU(kTag, start + r * stride + v * kLanes);
  }
  const float* a = p.a + i * p.row_stride + k0 * p.term_stride;
  const float* b = p.b + j / kPanel * p.panel_stride + j % kPanel + k0 * p.ldb;
  for (int64_t k = k0; k < k1; ++k, a += p.term_stride, b += p.ldb) {
    hwy::Prefetch(b + ahead * p.ldb);
    hwy::Prefetch(b + ahead * p.ldb + kColumns / 2);
    V own[kVectors];
    for (int v = 0; v < kVectors; ++v) own[v] = hn::LoadU(kTag, b + v * kLanes);
    for (int r = 0; r < kRows; ++r) {
      const V factor = hn::Set(kTag, a[r * p.row_stride]);
      for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(factor, own[v], sum[r][v]);
    }
  }
  float* const to = columns < kColumns ? edge : c;
  const int64_t to_stride = columns < kColumns ? kColumns : p.ldc;
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[r][v], kTag, to + r * to_stride + v * kLanes);
  }
  if (columns == kColumns) return;
  for (int r = 0; r < kRows; ++r) std::copy_n(edge + r * kColumns, columns, c + r * p.ldc);
}

// A tile of as many rows as are left.
template <int kRows>
HWY_INLINE void LastTile(const OrderedProduct& p, int64_t rows, int64_t i, int64_t j, int64_t k0, int64_t k1,
                         int64_t ahead) {
  if (rows == kRows) Tile<kRows>(p, i, j, k0, k1, ahead);
  if constexpr (kRows > 1) {
    if (rows < kRows) LastTile<kRows - 1>(p, rows, i, j, k0, k1, ahead);
  }
}

// Rows [begin, end), panels [first, last).
void Multiply(const OrderedProduct& p, int64_t begin, int64_t end, int64_t first, int64_t last) {
  const int64_t columns = std::min(p.n, last * kPanel);
  for (int64_t slab = begin; slab < end; slab += kSlab) {
    const int64_t rows = std::min(end, slab + kSlab);
    for (int64_t k0 = 0; k0 < p.k; k0 += kTerms) {
      const int64_t k1 = std::min(p.k, k0 + kTerms);
      for (int64_t j = first * kPanel; j < columns; j += kColumns) {
        int64_t i = slab;
        for (; i + kMaxRows <= rows; i += kMaxRows) Tile<kMaxRows>(p, i, j, k0, k1, i == slab ? kAhead : 0);
        LastTile<kMaxRows - 1>(p, rows - i, i, j, k0, k1, i == slab ? kAhead : 0);
      }
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace earshot {
namespace {

HWY_EXPORT(Multiply);

// Panels [first, last) of op(b), each [k, kPanel] and contiguous, filled up with zeros.
void Pack(Transpose transpose, int64_t n, int64_t k, const float* b, int64_t ldb, int64_t first, int64_t last,
          float* packed) {
  for (int64_t p = first; p < last; ++p) {
    const int64_t columns = std::min(kPanel, n - p * kPanel);
    float* const panel = packed + p * k * kPanel;
    const float* const from = b + p * kPanel * (transpose == Transpose::kYes ? ldb : 1);
    for (int64_t i = 0; i < k; ++i) {
      float* const row = panel + i * kPanel;
      for (int64_t j = 0; j < columns; ++j)
        row[j] = transpose == Transpose::kYes ? from[j * ldb + i] : from[i * ldb + j];
      std::fill(row + columns, row + kPanel, 0.0f);
    }
  }
}

}  // namespace

void OrderedGemm(ThreadPool* pool, Transpose transpose_a, Transpose transpose_b, int64_t m, int64_t n, int64_t k,
                 const float* a, int64_t lda, const float* b, int64_t ldb, const float* bias, float* c, int64_t ldc,
                 Tensor<float, 1>* packed) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    for (int64_t i = 0; i < m; ++i) {
      bias != nullptr ? std::copy_n(bias, n, c + i * ldc) : std::fill_n(c + i * ldc, n, 0.0f);
    }
    return;
  }
  const bool transposed = transpose_a == Transpose::kYes;
  const int64_t panels = (n + kPanel - 1) / kPanel;
  int64_t panel_stride = kPanel;
  if (transpose_b == Transpose::kYes || n % kPanel != 0) {
    packed->Resize({panels * k * kPanel});
    pool->ParallelFor(panels, kGrain / (k * kPanel) + 1, [&](int64_t first, int64_t last) {
      Pack(transpose_b, n, k, b, ldb, first, last, packed->data());
    });
    b = packed->data();
    ldb = kPanel;
    panel_stride = k * kPanel;
  }
  const OrderedProduct p = {n, k, a, transposed ? 1 : lda, transposed ? lda : 1, b, panel_stride, ldb, bias, c, ldc};
  const auto multiply = HWY_DYNAMIC_DISPATCH(Multiply);
  // The cut changes nothing but who computes an element: of the longer side, whose factor is then read by one thread.
  const bool cut_rows = m >= n;
  const int64_t units = cut_rows ? (m + kUnit - 1) / kUnit : panels;
  const int64_t work = k * m * n / units;
  pool->ParallelFor(units, kGrain / std::max<int64_t>(work, 1) + 1, [&](int64_t begin, int64_t end) {
    cut_rows ? multiply(p, begin * kUnit, std::min(m, end * kUnit), 0, panels) : multiply(p, 0, m, begin, end);
  });
}

void OrderedColumnSums(ThreadPool* pool, TensorView<const float, 2> x, float* sums) {
  pool->ParallelFor(x.dim(1), kGrain / std::max<int64_t>(x.dim(0), 1) + 1, [&](int64_t begin, int64_t end) {
    std::fill(sums + begin, sums + end, 0.0f);
    for (int64_t i = 0; i < x.dim(0); ++i) {
      const float* const row = x.data() + i * x.dim(1);
      for (int64_t j = begin; j < end; ++j) sums[j] += row[j];
    }
  });
}

}  // namespace earshot
#endif  // HWY_ONCE
