// The register tile that all products share. Included once an instruction set.
#if defined(EARSHOT_LSTM_SIMD_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef EARSHOT_LSTM_SIMD_TILE_INL_H_
#undef EARSHOT_LSTM_SIMD_TILE_INL_H_
#else
#define EARSHOT_LSTM_SIMD_TILE_INL_H_
#endif

#include <hwy/highway.h>
#include <immintrin.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace earshot {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::ScalableTag<float> kTag;
using V = hn::Vec<decltype(kTag)>;
constexpr int64_t kLanes = hn::MaxLanes(kTag);

// Vector registers of the instruction set: x86 has 32 from AVX-512 on, and 16 before.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr bool kManyRegisters = true;
#else
constexpr bool kManyRegisters = false;
#endif

// Brings a cache line into the second-level cache.
HWY_INLINE void Prefetch(const float* at) { _mm_prefetch(reinterpret_cast<const char*>(at), _MM_HINT_T1); }

// sum[r][v] += a(r, i) * vector v of row i of b, for i in [0, k). a(r, i) = a[r][i * kTermStride]; rows of b are
// kStride vectors apart and aligned. Meanwhile k cache lines from `ahead` on come into the second-level cache.
template <int kRows, int kVectors, int kStride, int kTermStride>
HWY_INLINE void MultiplyTile(const float* const (&a)[kRows], const float* HWY_RESTRICT b, int64_t k, const float* ahead,
                             V (&sum)[kRows][kVectors]) {
  for (int64_t i = 0; i < k; ++i, b += kStride * kLanes) {
    V own[kVectors];
    Prefetch(ahead + i * 16);
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) own[v] = hn::Load(kTag, b + v * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const V factor = hn::Set(kTag, a[r][i * kTermStride]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(factor, own[v], sum[r][v]);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace earshot
HWY_AFTER_NAMESPACE();

#endif  // EARSHOT_LSTM_SIMD_TILE_INL_H_
