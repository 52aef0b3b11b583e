// The passes over all parameters of a training step as rows of //bench:kernels.
#ifndef EARSHOT_BENCH_OPTIMIZER_KERNELS_H_
#define EARSHOT_BENCH_OPTIMIZER_KERNELS_H_

#include "bench/kernel_suite.h"

namespace earshot {

// Rows adam and gradient_norm, at the 8.5 million parameters of 4 bidirectional levels of 320 units.
void RegisterOptimizerKernels(KernelSuite* suite);

}  // namespace earshot

#endif  // EARSHOT_BENCH_OPTIMIZER_KERNELS_H_
