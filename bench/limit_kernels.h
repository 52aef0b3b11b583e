// The limits of the machine (bench/peak.h) as rows of //bench:kernels, between the others: how much they drift.
#ifndef EARSHOT_BENCH_LIMIT_KERNELS_H_
#define EARSHOT_BENCH_LIMIT_KERNELS_H_

#include "bench/kernel_suite.h"

namespace earshot {

// Rows peak, and bandwidth/{read,copy,update}.
void RegisterLimitKernels(KernelSuite* suite);

}  // namespace earshot

#endif  // EARSHOT_BENCH_LIMIT_KERNELS_H_
