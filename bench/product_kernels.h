// The matrix products of a training step as rows of //bench:kernels: the simd implementation's own kernels,
// base/ordered_gemm and OpenBLAS through base/gemm side by side, on the same numbers.
#ifndef EARSHOT_BENCH_PRODUCT_KERNELS_H_
#define EARSHOT_BENCH_PRODUCT_KERNELS_H_

#include "bench/kernel_suite.h"

namespace earshot {

// Rows product/WHAT/MxKxN/{simd,ordered,openblas}: input projections, gradients by the input and by the weights, output
// layer, and the recurrent products of one step.
void RegisterProductKernels(KernelSuite* suite);

}  // namespace earshot

#endif  // EARSHOT_BENCH_PRODUCT_KERNELS_H_
