#include "base/testing/allocations.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int64_t> allocated{0}, peak{0};

// The block's size lies before it; 16 bytes keep the alignment that operator new promises.
constexpr std::size_t kPrefix = 16;
// No test comes near: stop before a hostile file's count takes the machine down.
constexpr int64_t kMost = int64_t{4} << 30;

void* Allocate(std::size_t size) {
  char* block = size < static_cast<std::size_t>(kMost) ? static_cast<char*>(std::malloc(size + kPrefix)) : nullptr;
  if (block == nullptr || allocated + static_cast<int64_t>(size) > kMost) {
    std::fprintf(stderr, "operator new: %zu bytes asked for\n", size);
    std::abort();
  }
  *reinterpret_cast<std::size_t*>(block) = size;
  const int64_t now = allocated += static_cast<int64_t>(size);
  int64_t most = peak;
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
  return block + kPrefix;
}

void Free(void* pointer) {
  if (pointer == nullptr) return;
  char* block = static_cast<char*>(pointer) - kPrefix;
  allocated -= static_cast<int64_t>(*reinterpret_cast<std::size_t*>(block));
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void operator delete(void* pointer) noexcept { Free(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { Free(pointer); }
void operator delete(void* pointer, const std::nothrow_t&) noexcept { Free(pointer); }

namespace earshot {

int64_t AllocatedBytes() { return allocated; }
int64_t PeakAllocatedBytes() { return peak; }
void ResetPeakAllocatedBytes() { peak = allocated.load(); }

}  // namespace earshot
