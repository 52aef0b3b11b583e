// The gates of a recurrent step alone, without its product, as rows of //bench:kernels.
#ifndef EARSHOT_BENCH_GATE_KERNELS_H_
#define EARSHOT_BENCH_GATE_KERNELS_H_

#include "bench/kernel_suite.h"

namespace earshot {

// Rows gates_{forward,backward}/H:n/B:n: each thread has a step of its own, in its cache as after a product. A cell has
// about 118 and 48 floating-point operations, as lstm/gate_functions-inl.h and lstm/simd/gates-inl.h write them.
void RegisterGateKernels(KernelSuite* suite);

}  // namespace earshot

#endif  // EARSHOT_BENCH_GATE_KERNELS_H_
