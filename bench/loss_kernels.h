// The losses of a training step as rows of //bench:kernels.
#ifndef EARSHOT_BENCH_LOSS_KERNELS_H_
#define EARSHOT_BENCH_LOSS_KERNELS_H_

#include "bench/kernel_suite.h"

namespace earshot {

// Rows ctc and cross_entropy, on the batch of bench/configs/lstm_ctc.textproto: softmax, losses and gradient. Logits in
// and gradient out are what has to cross the memory bus.
void RegisterLossKernels(KernelSuite* suite);

}  // namespace earshot

#endif  // EARSHOT_BENCH_LOSS_KERNELS_H_
