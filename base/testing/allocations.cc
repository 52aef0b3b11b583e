#include "base/testing/allocations.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int64_t> allocated{0}, peak{0};

// The block's size lies before it. 16 bytes keep the alignment that operator new promises; tensors ask for more.
constexpr std::size_t kPrefix = 16;
// No test comes near: stop before a hostile file's count takes the machine down.
constexpr int64_t kMost = int64_t{4} << 30;

void* Allocate(std::size_t size, std::size_t alignment = kPrefix) {
  const std::size_t prefix = alignment < kPrefix ? kPrefix : alignment;
  void* memory = nullptr;
  if (size < static_cast<std::size_t>(kMost) && posix_memalign(&memory, prefix, size + prefix) != 0) memory = nullptr;
  char* block = static_cast<char*>(memory);
  if (block == nullptr || allocated + static_cast<int64_t>(size) > kMost) {
    std::fprintf(stderr, "operator new: %zu bytes asked for\n", size);
    std::abort();
  }
  *reinterpret_cast<std::size_t*>(block) = size;
  const int64_t now = allocated += static_cast<int64_t>(size);
  int64_t most = peak;
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
  return block + prefix;
}

void Free(void* pointer, std::size_t alignment = kPrefix) {
  if (pointer == nullptr) return;
  char* block = static_cast<char*>(pointer) - (alignment < kPrefix ? kPrefix : alignment);
  allocated -= static_cast<int64_t>(*reinterpret_cast<std::size_t*>(block));
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void operator delete(void* pointer) noexcept { Free(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { Free(pointer); }
void operator delete(void* pointer, const std::nothrow_t&) noexcept { Free(pointer); }

void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* pointer, std::align_val_t alignment) noexcept {
  Free(pointer, static_cast<std::size_t>(alignment));
}
void operator delete(void* pointer, std::size_t, std::align_val_t alignment) noexcept {
  Free(pointer, static_cast<std::size_t>(alignment));
}

namespace earshot {

int64_t AllocatedBytes() { return allocated; }
int64_t PeakAllocatedBytes() { return peak; }
void ResetPeakAllocatedBytes() { peak = allocated.load(); }

}  // namespace earshot
