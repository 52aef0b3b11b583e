#include "base/gemm.h"

#include <cblas.h>

namespace earshot {
namespace {

// Below this many multiply-adds a product is not worth a hand-over to other threads.
constexpr int64_t kMinWorkToCut = 200'000;

void UseOneOpenBlasThread() {
  static const bool done = [] {
    openblas_set_num_threads(1);
    return true;
  }();
  (void)done;
}

CBLAS_TRANSPOSE Cblas(Transpose t) { return t == Transpose::kYes ? CblasTrans : CblasNoTrans; }

}  // namespace

void Gemm(ThreadPool* pool, Transpose transpose_a, Transpose transpose_b, int64_t m, int64_t n, int64_t k, float alpha,
          const float* a, int64_t lda, const float* b, int64_t ldb, float beta, float* c, int64_t ldc) {
  if (m == 0 || n == 0) return;
  UseOneOpenBlasThread();
  const auto block = [&](int64_t m0, int64_t m1, int64_t n0, int64_t n1) {
    const float* block_a = a + (transpose_a == Transpose::kYes ? m0 : m0 * lda);
    const float* block_b = b + (transpose_b == Transpose::kYes ? n0 * ldb : n0);
    cblas_sgemm(CblasRowMajor, Cblas(transpose_a), Cblas(transpose_b), m1 - m0, n1 - n0, k, alpha, block_a, lda,
                block_b, ldb, beta, c + m0 * ldc + n0, ldc);
  };
  if (pool == nullptr || m * n * k < kMinWorkToCut) {
    ScopedFlushDenormals flush;
    return block(0, m, 0, n);
  }
  // The longer side is cut, in multiples of 16 so that vectors and cache lines stay whole.
  constexpr int64_t kUnit = 16;
  const bool cut_rows = m >= n;
  const int64_t side = cut_rows ? m : n;
  const int64_t units = (side + kUnit - 1) / kUnit;
  pool->ParallelFor(units, 1, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * kUnit, last = end * kUnit < side ? end * kUnit : side;
    cut_rows ? block(first, last, 0, n) : block(0, m, first, last);
  });
}

const char* GemmKernelName() { return openblas_get_corename(); }

}  // namespace earshot
