#include "bench/peak.h"

#include <string>

#include <gtest/gtest.h>

namespace earshot {
namespace {

TEST(PeakTest, NoProductIsFasterThanThePeak) {
  ThreadPool pool(1);
  const double peak = MeasurePeakGflops(&pool), gemm = MeasureGemmGflops(&pool);
  EXPECT_GT(peak, 1);
  EXPECT_LT(peak, 1000);  // of one thread: 64 operations a cycle at 6 GHz are 384
  EXPECT_GT(gemm, 0.2 * peak);
  EXPECT_LT(gemm, 1.2 * peak);  // a tenth and more is the noise of a shared machine
}

TEST(PeakTest, NamesTheInstructionSet) { EXPECT_FALSE(std::string(PeakInstructionSet()).empty()); }

}  // namespace
}  // namespace earshot
