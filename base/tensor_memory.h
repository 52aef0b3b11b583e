// Where tensors take their memory, and how much of it they hold. Thread-safe.
#ifndef EARSHOT_BASE_TENSOR_MEMORY_H_
#define EARSHOT_BASE_TENSOR_MEMORY_H_

#include <cstdint>

namespace earshot {

// 64-byte aligned; from some megabytes on in huge pages where there are: of long rows each would touch a page of its
// own.
void* AllocateTensor(int64_t bytes);
void FreeTensor(void* memory, int64_t bytes);

// Bytes of all tensors of the process: now, and the most at a time since the last ResetPeakTensorBytes.
int64_t TensorBytes();
int64_t PeakTensorBytes();
void ResetPeakTensorBytes();

}  // namespace earshot

#endif  // EARSHOT_BASE_TENSOR_MEMORY_H_
