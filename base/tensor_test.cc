#include "base/tensor.h"

#include <gtest/gtest.h>

#include <utility>

#include "base/tensor_memory.h"

namespace earshot {
namespace {

TEST(TensorTest, RowMajor) {
  Tensor<float, 3> x({2, 3, 4});
  EXPECT_EQ(x.size(), 24);
  for (int64_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x.data()[i], 0.0f);
    x.data()[i] = static_cast<float>(i);
  }
  EXPECT_EQ(x.view()(1, 2, 3), 23.0f);
  EXPECT_EQ(x.view()(0, 1, 2), 6.0f);
  const TensorView<float, 2> second = x.view().slice(1);
  EXPECT_EQ(second.shape(), (std::array<int64_t, 2>{3, 4}));
  EXPECT_EQ(second(2, 0), 20.0f);
  EXPECT_EQ(second.row(1).size(), 4u);
  EXPECT_EQ(second.row(1)[1], 17.0f);
  const TensorView<const float, 3> constant = x.view();
  EXPECT_EQ(constant(1, 0, 0), 12.0f);
}

TEST(TensorTest, MemoryIsAlignedAndOnlyGrows) {
  Tensor<float, 2> x({10, 10});
  const float* const first = x.data();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 64, 0u);
  x.Resize({3, 5});
  EXPECT_EQ(x.data(), first);
  EXPECT_EQ(x.size(), 15);
  x.Resize({20, 5});
  EXPECT_EQ(x.data(), first);
  x.Resize({11, 10});
  EXPECT_EQ(x.size(), 110);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(x.data()) % 64, 0u);
}

TEST(TensorTest, LargeOnesComeInHugePages) {
  Tensor<float, 1> x({3'000'001});  // 12 MB
  EXPECT_EQ(reinterpret_cast<uintptr_t>(x.data()) % (2 << 20), 0u);
  x.span().back() = 1;
  Tensor<float, 1> y = std::move(x);
  EXPECT_EQ(y.span().back(), 1);
  x.Resize({10});
  EXPECT_EQ(reinterpret_cast<uintptr_t>(x.data()) % 64, 0u);
}

// A tensor that grows gives its old memory back first.
TEST(TensorTest, BytesAreCounted) {
  const int64_t before = TensorBytes();
  ResetPeakTensorBytes();
  {
    Tensor<float, 2> x({10, 20});
    EXPECT_EQ(TensorBytes(), before + 800);
    x.Resize({5, 20});
    EXPECT_EQ(TensorBytes(), before + 800);
    x.Resize({1000, 20});
    EXPECT_EQ(TensorBytes(), before + 80'000);
    const Tensor<double, 1> y({10});
    EXPECT_EQ(TensorBytes(), before + 80'080);
    const Tensor<float, 2> moved = std::move(x);
    EXPECT_EQ(TensorBytes(), before + 80'080);
  }
  EXPECT_EQ(TensorBytes(), before);
  EXPECT_EQ(PeakTensorBytes(), before + 80'080);
  ResetPeakTensorBytes();
  EXPECT_EQ(PeakTensorBytes(), before);
}

TEST(TensorTest, EmptyShapes) {
  Tensor<float, 2> x;
  EXPECT_TRUE(x.empty());
  EXPECT_EQ((TensorView<float, 2>().size()), 0);
  x.Resize({0, 7});
  EXPECT_TRUE(x.empty());
  EXPECT_TRUE(x.span().empty());
  EXPECT_EQ(x.dim(1), 7);
}

TEST(TensorTest, MovedFromTensorMayBeResized) {
  Tensor<float, 2> x({4, 4});
  x.Fill(3);
  Tensor<float, 2> y = std::move(x);
  EXPECT_EQ(y.view()(3, 3), 3.0f);
  x.Resize({2, 2});  // NOLINT: smaller than what it had
  x.Fill(1);
  EXPECT_EQ(x.view()(1, 1), 1.0f);
  y = std::move(x);
  EXPECT_EQ(y.size(), 4);
  EXPECT_EQ(y.view()(1, 1), 1.0f);
}

}  // namespace
}  // namespace earshot
