#include "base/tensor.h"

#include <sys/mman.h>

#include <new>

namespace earshot {
namespace {

constexpr int64_t kHugePage = int64_t{2} << 20;

std::align_val_t Alignment(int64_t bytes) { return std::align_val_t(bytes < 2 * kHugePage ? 64 : kHugePage); }

}  // namespace

void* AllocateTensor(int64_t bytes) {
  void* const memory = ::operator new(bytes, Alignment(bytes));
  // Advice: where it is not taken, only time is lost.
  if (Alignment(bytes) == std::align_val_t(kHugePage)) madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
  return memory;
}

void FreeTensor(void* memory, int64_t bytes) { ::operator delete(memory, Alignment(bytes)); }

}  // namespace earshot
