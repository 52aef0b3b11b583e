// Single-precision matrix products over OpenBLAS. OpenBLAS runs single-threaded; the pool cuts the work, always in the
// same way for the same shape and number of threads.
#ifndef EARSHOT_BASE_GEMM_H_
#define EARSHOT_BASE_GEMM_H_

#include <cstdint>

#include "base/thread_pool.h"

namespace earshot {

enum class Transpose { kNo, kYes };

// c [m,n] = alpha * op(a) [m,k] * op(b) [k,n] + beta * c, row-major; lda, ldb, ldc are the distances of rows in memory.
// With beta = 0, c may hold anything (NaN too). `pool` may be null: the calling thread then does it all.
void Gemm(ThreadPool* pool, Transpose transpose_a, Transpose transpose_b, int64_t m, int64_t n, int64_t k, float alpha,
          const float* a, int64_t lda, const float* b, int64_t ldb, float beta, float* c, int64_t ldc);

// Name of the kernels that OpenBLAS chose for this machine, for records.
const char* GemmKernelName();

}  // namespace earshot

#endif  // EARSHOT_BASE_GEMM_H_
