#include "lstm/simd/pack.h"

#include <xmmintrin.h>

#include <algorithm>

namespace earshot {
namespace {

constexpr int64_t kGates = 4;

int64_t WholeBlocks(int64_t n, int64_t block) { return (n + block - 1) / block; }

// Rows [u, u + 4) of `from`, `stride` apart, become columns of `to`, `to_stride` apart, for columns [begin, end) of
// from.
void TransposeFour(const float* from, int64_t stride, int64_t begin, int64_t end, float* to, int64_t to_stride) {
  int64_t i = begin;
  for (; i + 4 <= end; i += 4) {
    __m128 r0 = _mm_loadu_ps(from + i), r1 = _mm_loadu_ps(from + stride + i);
    __m128 r2 = _mm_loadu_ps(from + 2 * stride + i), r3 = _mm_loadu_ps(from + 3 * stride + i);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_storeu_ps(to + i * to_stride, r0);
    _mm_storeu_ps(to + (i + 1) * to_stride, r1);
    _mm_storeu_ps(to + (i + 2) * to_stride, r2);
    _mm_storeu_ps(to + (i + 3) * to_stride, r3);
  }
  for (; i < end; ++i) {
    for (int u = 0; u < 4; ++u) to[i * to_stride + u] = from[u * stride + i];
  }
}

// Rows of `from` [lanes, k], `stride` apart, become columns of `to` [k, 4L]; the rows beyond `units` are 0.
void TransposeBlock(const float* from, int64_t stride, int64_t units, int64_t lanes, int64_t k, float* to) {
  // Columns at a time: what four rows fetch is used up before their strides, often powers of two, push it out of the
  // cache, and the lines that are written stay there until all units are in them.
  constexpr int64_t kAtOnce = 64;
  const int64_t width = kGates * lanes;
  for (int64_t begin = 0; begin < k; begin += kAtOnce) {
    const int64_t end = std::min(k, begin + kAtOnce);
    int64_t u = 0;
    for (; u + 4 <= units; u += 4) TransposeFour(from + u * stride, stride, begin, end, to + u, width);
    for (; u < lanes; ++u) {
      for (int64_t i = begin; i < end; ++i) to[i * width + u] = u < units ? from[u * stride + i] : 0.0f;
    }
  }
}

}  // namespace

void PackTransposed(ThreadPool* pool, const float* w, int64_t hidden, int64_t k, int64_t lanes, float* packed) {
  const int64_t vectors = kGates * WholeBlocks(hidden, lanes);
  pool->ParallelFor(vectors, 1, [=](int64_t begin, int64_t end) {
    for (int64_t v = begin; v < end; ++v) {
      const int64_t unit = v / kGates * lanes, gate = v % kGates;
      TransposeBlock(w + (gate * hidden + unit) * k, k, std::min(lanes, hidden - unit), lanes, k,
                     packed + v / kGates * k * kGates * lanes + gate * lanes);
    }
  });
}

void PackRows(ThreadPool* pool, const float* w, int64_t hidden, int64_t k, int64_t lanes, int64_t first, int64_t last,
              float* packed) {
  const int64_t width = kGates * lanes, rows = (last - first) * width;
  pool->ParallelFor(rows, 4 * lanes, [=](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const int64_t gate = r / lanes % kGates, unit = (first + r / width) * lanes + r % lanes;
      const float* const from = unit < hidden ? w + (gate * hidden + unit) * k : nullptr;
      for (int64_t column = 0; column < k; column += width) {
        float* const to = packed + column * rows + r * width;
        const int64_t n = from == nullptr ? 0 : std::min(width, k - column);
        std::copy_n(from + (n > 0 ? column : 0), n, to);
        std::fill(to + n, to + width, 0.0f);
      }
    }
  });
}

void PackVector(const float* v, int64_t hidden, int64_t lanes, float* packed) {
  for (int64_t j = 0; j < WholeBlocks(hidden, lanes) * lanes * kGates; ++j) {
    const int64_t gate = j / lanes % kGates, unit = j / (kGates * lanes) * lanes + j % lanes;
    packed[j] = unit < hidden ? v[gate * hidden + unit] : 0.0f;
  }
}

}  // namespace earshot
