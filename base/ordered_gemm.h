// Matrix products with a promise that a BLAS does not give: every element is summed over k in order, one fused
// multiply-add a term, so it has the same bits whatever the other rows and columns are and for any number of threads
// (on one instruction set). As fast as base/gemm.h where op(b) is not much larger than the cache, and faster for few
// columns.
#ifndef EARSHOT_BASE_ORDERED_GEMM_H_
#define EARSHOT_BASE_ORDERED_GEMM_H_

#include <cstdint>

#include "base/gemm.h"
#include "base/tensor.h"
#include "base/thread_pool.h"

namespace earshot {

// c [m,n] = op(a) [m,k] * op(b) [k,n] + bias, row-major; lda, ldb, ldc are the distances of rows in memory. `bias` [n]
// is where the sums of each row start; null: at 0. `pool` is not null. `packed` is memory for a copy of op(b), made
// when b is transposed or n is no multiple of 32.
void OrderedGemm(ThreadPool* pool, Transpose transpose_a, Transpose transpose_b, int64_t m, int64_t n, int64_t k,
                 const float* a, int64_t lda, const float* b, int64_t ldb, const float* bias, float* c, int64_t ldc,
                 Tensor<float, 1>* packed);

// sums [n] = the sum of the rows of x [m,n], first to last.
void OrderedColumnSums(ThreadPool* pool, TensorView<const float, 2> x, float* sums);

}  // namespace earshot

#endif  // EARSHOT_BASE_ORDERED_GEMM_H_
