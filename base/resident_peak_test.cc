#include "base/resident_peak.h"

#include <gtest/gtest.h>

#include <vector>

namespace earshot {
namespace {

TEST(ResidentPeakTest, CountsWhatWasTakenMeanwhileAlsoWhenItIsFreed) {
  constexpr int64_t kBytes = 64 << 20, kSlack = 4 << 20;
  const ResidentPeak outer;
  { const std::vector<char> memory(kBytes, 1); }
  EXPECT_GT(outer.bytes(), kBytes - kSlack);
  EXPECT_LT(outer.bytes(), kBytes + kSlack);
  const ResidentPeak later;
  EXPECT_LT(later.bytes(), kSlack);
}

}  // namespace
}  // namespace earshot
