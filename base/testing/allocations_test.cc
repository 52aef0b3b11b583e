#include "base/testing/allocations.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/tensor.h"

namespace earshot {
namespace {

TEST(AllocationsTest, CountsVectorsAndTensors) {
  const int64_t before = AllocatedBytes();
  ResetPeakAllocatedBytes();
  int64_t held[2];
  {
    const std::vector<double> vector(1000);
    held[0] = AllocatedBytes();
    const Tensor<float, 2> tensor({10, 30});  // aligned to 64 bytes
    held[1] = AllocatedBytes();
  }
  const int64_t after = AllocatedBytes(), most = PeakAllocatedBytes();
  EXPECT_EQ(held[0] - before, 8000);
  EXPECT_EQ(held[1] - before, 9200);
  EXPECT_EQ(after, before);
  EXPECT_EQ(most - before, 9200);
}

}  // namespace
}  // namespace earshot
