// libFuzzer's entry points. A broken promise ends the program like a crash does.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/testing/read_once.h"
#include "base/testing/reader_under_test.h"

extern "C" {

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const earshot::ReadOutcome outcome =
      earshot::ReadOnce({reinterpret_cast<const char*>(data), size}, earshot::kReaderUnderTest.read);
  if (outcome.broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", outcome.broken.c_str());
  std::abort();
}

// Three of four files are repaired, where the reader has a repair: else a checksum would hide all that lies behind it.
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  size = LLVMFuzzerMutate(data, size, max_size);
  if (earshot::kReaderUnderTest.repair == nullptr || seed % 4 == 0) return size;
  std::string content(reinterpret_cast<const char*>(data), size);
  earshot::kReaderUnderTest.repair(&content);
  if (content.size() > max_size) return size;
  std::memcpy(data, content.data(), content.size());
  return content.size();
}

}  // extern "C"
