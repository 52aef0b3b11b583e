#include "base/ordered_gemm.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/ordered_gemm.cc"
#include <hwy/foreach_target.h>  // compiles what follows once an instruction set
#include <hwy/highway.h>

#ifndef EARSHOT_BASE_ORDERED_GEMM_CC_SHARED_
#define EARSHOT_BASE_ORDERED_GEMM_CC_SHARED_
namespace earshot {

constexpr int64_t kBlock = 16;     // columns of a tile; b has whole blocks
constexpr int64_t kTerms = 256;    // of a sum before the next tile's turn, so that their rows of b stay in the cache
constexpr int64_t kGrain = 65536;  // multiply-adds that are worth a thread

// Rows [begin, end) of c, columns of the blocks [first, last).
struct OrderedProduct {
  int64_t n, k;
  const float* a;
  int64_t row_stride, term_stride;  // op(a)(i, k) = a[i * row_stride + k * term_stride]
  const float* b;
  int64_t ldb;
  float* c;
  int64_t ldc;
};

}  // namespace earshot
#endif  // EARSHOT_BASE_ORDERED_GEMM_CC_SHARED_

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kBlock> kTag;
constexpr int kVectors = static_cast<int>(kBlock / hn::MaxLanes(kTag));  // of a block
// Of a tile, whose sums stay in registers.
constexpr int kMaxRows = kVectors == 1 ? 8 : kVectors == 2 ? 6 : 3;
constexpr int kMaxBlocks = kVectors == 1 ? 2 : 1;

// Adds terms [k0, k1) to kRows rows of kBlocks blocks of c; the first of them replaces what was there.
template <int kRows, int kBlocks>
HWY_INLINE void Tile(const OrderedProduct& p, int64_t i, int64_t j, int64_t k0, int64_t k1) {
  using V = hn::Vec<decltype(kTag)>;
  constexpr int64_t kLanes = hn::MaxLanes(kTag), kColumns = kBlocks * kBlock;
  constexpr int kOwn = kBlocks * kVectors;
  const int64_t columns = std::min(kColumns, p.n - j);
  float edge[kRows * kColumns];  // stands for c where the last block is not whole
  float* c = p.c + i * p.ldc + j;
  int64_t stride = p.ldc;
  if (columns < kColumns) {
    std::fill_n(edge, kRows * kColumns, 0.0f);
    for (int r = 0; r < kRows; ++r) std::copy_n(c + r * p.ldc, k0 > 0 ? columns : 0, edge + r * kColumns);
    c = edge;
    stride = kColumns;
  }
  V sum[kRows][kOwn];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kOwn; ++v) {
      sum[r][v] = k0 == 0 ? hn::Zero(kTag) : hn::LoadU(kTag, c + r * stride + v * kLanes);
    }
  }
  const float* a = p.a + i * p.row_stride + k0 * p.term_stride;
  const float* b = p.b + k0 * p.ldb + j;
  for (int64_t k = k0; k < k1; ++k, a += p.term_stride, b += p.ldb) {
    V own[kOwn];
    for (int v = 0; v < kOwn; ++v) own[v] = hn::LoadU(kTag, b + v * kLanes);
    for (int r = 0; r < kRows; ++r) {
      const V factor = hn::Set(kTag, a[r * p.row_stride]);
      for (int v = 0; v < kOwn; ++v) sum[r][v] = hn::MulAdd(factor, own[v], sum[r][v]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kOwn; ++v) hn::StoreU(sum[r][v], kTag, c + r * stride + v * kLanes);
  }
  if (columns == kColumns) return;
  for (int r = 0; r < kRows; ++r) std::copy_n(edge + r * kColumns, columns, p.c + (i + r) * p.ldc + j);
}

template <int kRows>
HWY_INLINE void TileRow(const OrderedProduct& p, int64_t i, int64_t first, int64_t last, int64_t k0, int64_t k1) {
  int64_t j = first;
  for (; j + kMaxBlocks <= last; j += kMaxBlocks) Tile<kRows, kMaxBlocks>(p, i, j * kBlock, k0, k1);
  for (; j < last; ++j) Tile<kRows, 1>(p, i, j * kBlock, k0, k1);
}

void Multiply(const OrderedProduct& p, int64_t begin, int64_t end, int64_t first, int64_t last) {
  for (int64_t k0 = 0; k0 < p.k; k0 += kTerms) {
    const int64_t k1 = std::min(p.k, k0 + kTerms);
    int64_t i = begin;
    for (; i + kMaxRows <= end; i += kMaxRows) TileRow<kMaxRows>(p, i, first, last, k0, k1);
    for (; i < end; ++i) TileRow<1>(p, i, first, last, k0, k1);
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

// op(b) with its rows filled up with zeros to whole blocks.
void Pack(Transpose transpose, int64_t n, int64_t k, const float* b, int64_t ldb, int64_t width, float* packed) {
  for (int64_t i = 0; i < k; ++i) {
    float* row = packed + i * width;
    std::fill(row + n, row + width, 0.0f);
    if (transpose == Transpose::kNo) std::copy_n(b + i * ldb, n, row);
  }
  if (transpose == Transpose::kNo) return;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < k; ++i) packed[i * width + j] = b[j * ldb + i];
  }
}

}  // namespace

void OrderedGemm(ThreadPool* pool, Transpose transpose_a, Transpose transpose_b, int64_t m, int64_t n, int64_t k,
                 const float* a, int64_t lda, const float* b, int64_t ldb, float* c, int64_t ldc,
                 Tensor<float, 1>* packed) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    for (int64_t i = 0; i < m; ++i) std::fill_n(c + i * ldc, n, 0.0f);
    return;
  }
  const bool transposed = transpose_a == Transpose::kYes;
  const int64_t blocks = (n + kBlock - 1) / kBlock;
  if (transpose_b == Transpose::kYes || n % kBlock != 0) {
    packed->Resize({k * blocks * kBlock});
    Pack(transpose_b, n, k, b, ldb, blocks * kBlock, packed->data());
    b = packed->data();
    ldb = blocks * kBlock;
  }
  const OrderedProduct p = {n, k, a, transposed ? 1 : lda, transposed ? lda : 1, b, ldb, c, ldc};
  const auto multiply = HWY_DYNAMIC_DISPATCH(Multiply);
  // The cut changes nothing but who computes an element.
  const bool cut_rows = m >= blocks;
  const int64_t side = cut_rows ? m : blocks, work = k * m * n / side;
  pool->ParallelFor(side, kGrain / std::max<int64_t>(work, 1) + 1, [&](int64_t begin, int64_t end) {
    cut_rows ? multiply(p, begin, end, 0, blocks) : multiply(p, 0, m, begin, end);
  });
}

}  // namespace earshot
#endif  // HWY_ONCE
