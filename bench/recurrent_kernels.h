// The recurrences of a training step as rows of //bench:kernels: the real step of the simd implementation: product,
// gates, and the barrier where two threads share a step.
#ifndef EARSHOT_BENCH_RECURRENT_KERNELS_H_
#define EARSHOT_BENCH_RECURRENT_KERNELS_H_

#include "bench/kernel_suite.h"

namespace earshot {

// Rows recurrent_{forward,backward}/{own,halves}/H:n/B:n: `own`, each thread has a direction to itself; `halves`, two
// threads have half of the units of one direction each. The floating-point operations are those of the products alone.
// And a row barrier: what two threads pay for each step, in us_per_step.
void RegisterRecurrentKernels(KernelSuite* suite);

}  // namespace earshot

#endif  // EARSHOT_BENCH_RECURRENT_KERNELS_H_
