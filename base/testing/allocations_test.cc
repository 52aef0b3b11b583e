#include "base/testing/allocations.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/tensor.h"

namespace earshot {
namespace {

// Each way in which the readers take memory is seen, and is seen to be given back.
TEST(AllocationsTest, CountsVectorsArraysAndTensors) {
  const int64_t before = AllocatedBytes();
  ResetPeakAllocatedBytes();
  {
    std::vector<double> vector(1000);
    EXPECT_EQ(AllocatedBytes() - before, 8000);
    const std::unique_ptr<char[]> array(new char[500]);
    EXPECT_EQ(AllocatedBytes() - before, 8500);
    const Tensor<float, 2> tensor({10, 30});  // aligned
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data()) % 64, 0u);
    EXPECT_EQ(AllocatedBytes() - before, 9700);
  }
  EXPECT_EQ(AllocatedBytes(), before);
  EXPECT_EQ(PeakAllocatedBytes() - before, 9700);
}

}  // namespace
}  // namespace earshot
