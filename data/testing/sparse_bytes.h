// The content of a file that is too large for a test's memory.
#ifndef EARSHOT_DATA_TESTING_SPARSE_BYTES_H_
#define EARSHOT_DATA_TESTING_SPARSE_BYTES_H_

#include <sys/mman.h>

#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"
#include "base/check.h"

namespace earshot {

// `start` and zeros behind it, `size` bytes in all. Zeros take no memory until they are written to.
class SparseBytes {
 public:
  SparseBytes(absl::string_view start, int64_t size)
      : size_(size),
        bytes_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    CHECK(bytes_ != MAP_FAILED);
    std::memcpy(bytes_, start.data(), start.size());
  }
  ~SparseBytes() { munmap(bytes_, size_); }
  SparseBytes(const SparseBytes&) = delete;
  SparseBytes& operator=(const SparseBytes&) = delete;

  absl::string_view view() const { return {static_cast<const char*>(bytes_), static_cast<size_t>(size_)}; }

 private:
  int64_t size_;
  void* bytes_;
};

}  // namespace earshot

#endif  // EARSHOT_DATA_TESTING_SPARSE_BYTES_H_
