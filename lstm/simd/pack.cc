#include "lstm/simd/pack.h"

#include <xmmintrin.h>

#include <algorithm>

namespace earshot {
namespace {

constexpr int64_t kGates = 4;

int64_t WholeBlocks(int64_t n, int64_t block) { return (n + block - 1) / block; }

// Four rows of n numbers, `stride` apart, become columns of `to` [n, 4], rows `to_stride` apart.
void TransposeFour(const float* from, int64_t stride, int64_t n, float* to, int64_t to_stride) {
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    __m128 r0 = _mm_loadu_ps(from + i), r1 = _mm_loadu_ps(from + stride + i);
    __m128 r2 = _mm_loadu_ps(from + 2 * stride + i), r3 = _mm_loadu_ps(from + 3 * stride + i);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_storeu_ps(to + i * to_stride, r0);
    _mm_storeu_ps(to + (i + 1) * to_stride, r1);
    _mm_storeu_ps(to + (i + 2) * to_stride, r2);
    _mm_storeu_ps(to + (i + 3) * to_stride, r3);
  }
  for (; i < n; ++i) {
    for (int u = 0; u < 4; ++u) to[i * to_stride + u] = from[u * stride + i];
  }
}

// Columns [first, last) of `from` [lanes, k], rows `stride` apart, become rows of `to` [last - first, 4L]; what lies
// beyond `units` is 0.
void TransposeBlock(const float* from, int64_t stride, int64_t units, int64_t lanes, int64_t first, int64_t last,
                    float* to) {
  // Columns at a time: what four rows fetch is used up before their strides, often powers of two, push it out of the
  // cache, and the lines that are written stay there until all units are in them.
  constexpr int64_t kAtOnce = 64;
  const int64_t width = kGates * lanes;
  for (int64_t begin = first; begin < last; begin += kAtOnce, to += kAtOnce * width) {
    const int64_t n = std::min(last - begin, kAtOnce);
    int64_t u = 0;
    for (; u + 4 <= units; u += 4) TransposeFour(from + u * stride + begin, stride, n, to + u, width);
    for (; u < lanes; ++u) {
      for (int64_t i = 0; i < n; ++i) to[i * width + u] = u < units ? from[u * stride + begin + i] : 0.0f;
    }
  }
}

// Row r of those that PackRows packs: its panels [first, last), `stride` apart, the first at `to`.
void CopyRow(const float* w, int64_t hidden, int64_t k, int64_t lanes, int64_t r, int64_t first, int64_t last,
             int64_t stride, float* to) {
  const int64_t width = kGates * lanes, gate = r / lanes % kGates, unit = r / width * lanes + r % lanes;
  const float* const from = unit < hidden ? w + (gate * hidden + unit) * k : nullptr;
  for (int64_t panel = first; panel < last; ++panel, to += stride) {
    const int64_t n = from == nullptr ? 0 : std::min(width, k - panel * width);
    std::copy_n(from + (n > 0 ? panel * width : 0), n, to);
    std::fill(to + n, to + width, 0.0f);
  }
}

}  // namespace

void PackTransposed(ThreadPool* pool, const float* w, int64_t hidden, int64_t k, int64_t lanes, float* packed) {
  const int64_t vectors = kGates * WholeBlocks(hidden, lanes);
  pool->ParallelFor(vectors, 1, [=](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      const int64_t unit = v / kGates * lanes, gate = v % kGates;
      TransposeBlock(w + (gate * hidden + unit) * k, k, std::min(lanes, hidden - unit), lanes, 0, k,
                     packed + v / kGates * k * kGates * lanes + gate * lanes);
    }
  });
}

void PackTransposedPanel(const float* w, int64_t hidden, int64_t k, int64_t lanes, int64_t block, int64_t first,
                         int64_t last, float* packed) {
  const int64_t unit = block * lanes;
  for (int64_t gate = 0; gate < kGates; ++gate) {
    TransposeBlock(w + (gate * hidden + unit) * k, k, std::min(lanes, hidden - unit), lanes, first, last,
                   packed + gate * lanes);
  }
}

void PackRows(ThreadPool* pool, const float* w, int64_t hidden, int64_t k, int64_t lanes, int64_t first, int64_t last,
              float* packed) {
  const int64_t width = kGates * lanes, rows = (last - first) * width;
  pool->ParallelFor(rows, 4 * lanes, [=](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      CopyRow(w, hidden, k, lanes, first * width + r, 0, WholeBlocks(k, width), rows * width, packed + r * width);
    }
  });
}

void PackRowsPanels(const float* w, int64_t hidden, int64_t k, int64_t lanes, int64_t first, int64_t last,
                    int64_t first_panel, int64_t last_panel, float* packed) {
  const int64_t width = kGates * lanes;
  for (int64_t r = first; r < last; ++r, packed += width) {
    CopyRow(w, hidden, k, lanes, r, first_panel, last_panel, (last - first) * width, packed);
  }
}

void PackVector(const float* v, int64_t hidden, int64_t lanes, float* packed) {
  for (int64_t j = 0; j < WholeBlocks(hidden, lanes) * lanes * kGates; ++j) {
    const int64_t gate = j / lanes % kGates, unit = j / (kGates * lanes) * lanes + j % lanes;
    packed[j] = unit < hidden ? v[gate * hidden + unit] : 0.0f;
  }
}

}  // namespace earshot
