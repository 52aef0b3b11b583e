#include "base/tensor_memory.h"

#include <sys/mman.h>

#include <atomic>
#include <new>

namespace earshot {
namespace {

constexpr int64_t kHugePage = int64_t{2} << 20;

std::align_val_t Alignment(int64_t bytes) { return std::align_val_t(bytes < 2 * kHugePage ? 64 : kHugePage); }

std::atomic<int64_t> held{0}, peak{0};

}  // namespace

void* AllocateTensor(int64_t bytes) {
  void* const memory = ::operator new(bytes, Alignment(bytes));
  // Advice: where it is not taken, only time is lost.
  if (Alignment(bytes) == std::align_val_t(kHugePage)) madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
  const int64_t now = held += bytes;
  int64_t most = peak;
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
  return memory;
}

void FreeTensor(void* memory, int64_t bytes) {
  ::operator delete(memory, Alignment(bytes));
  held -= bytes;
}

int64_t TensorBytes() { return held; }
int64_t PeakTensorBytes() { return peak; }
void ResetPeakTensorBytes() { peak = held.load(); }

}  // namespace earshot
