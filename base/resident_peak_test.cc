#include "base/resident_peak.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace earshot {
namespace {

TEST(ResidentPeakTest, CountsWhatWasTakenMeanwhileAlsoWhenItIsFreed) {
  constexpr int64_t kBytes = 64 << 20, kSlack = 4 << 20;
  const ResidentPeak outer;
  // Not from the heap, where a sanitizer keeps what was freed.
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  munmap(memory, kBytes);
  EXPECT_GT(outer.bytes(), kBytes - kSlack);
  EXPECT_LT(outer.bytes(), kBytes + kSlack);
  const ResidentPeak later;
  EXPECT_LT(later.bytes(), kSlack);
}

}  // namespace
}  // namespace earshot
