#include "base/gemm.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

#include "base/random.h"
#include "base/testing/near.h"

namespace earshot {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct Product {
  int64_t m, n, k;
  Transpose a = Transpose::kNo, b = Transpose::kNo;
  float alpha = 1, beta = 0;
  int64_t padding = 0;  // elements between the rows of all three matrices, which nobody may touch
};

std::vector<float> Random(int64_t n, uint64_t stream) {
  RandomStream random(1, RandomPurpose::kTest, stream);
  std::vector<float> x(n);
  for (float& v : x) v = random.Uniform(-1, 1);
  return x;
}

// Runs the product and compares with plain loops in double. Returns c with its padding.
std::vector<float> Check(const Product& p, ThreadPool* pool) {
  const bool ta = p.a == Transpose::kYes, tb = p.b == Transpose::kYes;
  const int64_t lda = (ta ? p.m : p.k) + p.padding, ldb = (tb ? p.k : p.n) + p.padding, ldc = p.n + p.padding;
  const std::vector<float> a = Random((ta ? p.k : p.m) * lda, 1), b = Random((tb ? p.n : p.k) * ldb, 2);
  const std::vector<float> before = p.beta == 0 ? std::vector<float>(p.m * ldc, kNaN) : Random(p.m * ldc, 3);
  std::vector<float> c = before;
  Gemm(pool, p.a, p.b, p.m, p.n, p.k, p.alpha, a.data(), lda, b.data(), ldb, p.beta, c.data(), ldc);
  std::vector<float> actual, padding_before, padding_after;
  std::vector<double> expected;
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < p.k; ++l) {
        sum += static_cast<double>(a[ta ? l * lda + i : i * lda + l]) * b[tb ? j * ldb + l : l * ldb + j];
      }
      expected.push_back(p.alpha * sum + (p.beta == 0 ? 0 : p.beta * static_cast<double>(before[i * ldc + j])));
      actual.push_back(c[i * ldc + j]);
    }
    padding_before.insert(padding_before.end(), &before[i * ldc + p.n], &before[i * ldc] + ldc);
    padding_after.insert(padding_after.end(), &c[i * ldc + p.n], &c[i * ldc] + ldc);
  }
  EXPECT_TRUE(AllNear(actual, expected, static_cast<double>(p.k), kDefaultToleranceFactor, 1e-3))
      << p.m << "x" << p.n << "x" << p.k << " " << ta << tb << " on " << GemmKernelName();
  EXPECT_TRUE(SameBits(padding_after, padding_before));
  return c;
}

TEST(GemmTest, ShapesTransposesAndScales) {
  ThreadPool pool(2);
  for (int64_t m : {1, 2, 7, 16, 33}) {
    for (int64_t n : {1, 3, 16, 65}) {
      for (int64_t k : {1, 5, 64}) {
        for (Transpose a : {Transpose::kNo, Transpose::kYes}) {
          for (Transpose b : {Transpose::kNo, Transpose::kYes}) {
            Check({m, n, k, a, b}, nullptr);
            Check({m, n, k, a, b, 0.5f, -2.0f, 3}, &pool);
          }
        }
      }
    }
  }
}

// The shapes of an LSTM's products, large enough to be cut by rows and by columns.
TEST(GemmTest, LargeEnoughToBeCut) {
  for (int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (Transpose a : {Transpose::kNo, Transpose::kYes}) {
      for (Transpose b : {Transpose::kNo, Transpose::kYes}) {
        Check({611, 131, 123, a, b}, &pool);
        Check({67, 643, 320, a, b, 1, 1, 5}, &pool);
        Check({32, 1280, 320, a, b}, &pool);
      }
    }
  }
}

TEST(GemmTest, SameBitsOnRerun) {
  ThreadPool pool(2);
  const Product p = {320, 257, 129};
  const std::vector<float> first = Check(p, &pool);
  EXPECT_TRUE(SameBits(Check(p, &pool), first));
}

TEST(GemmTest, NothingToSumLeavesBetaTimesC) {
  float c[2] = {4, 8};
  Gemm(nullptr, Transpose::kNo, Transpose::kNo, 1, 2, 0, 1, c, 1, c, 2, 0.5f, c, 2);
  EXPECT_EQ(c[0], 2.0f);
  EXPECT_EQ(c[1], 4.0f);
  c[0] = kNaN;
  Gemm(nullptr, Transpose::kNo, Transpose::kNo, 1, 2, 0, 1, c, 1, c, 2, 0, c, 2);
  EXPECT_EQ(c[0], 0.0f);
  Gemm(nullptr, Transpose::kNo, Transpose::kNo, 0, 2, 1, 1, nullptr, 1, nullptr, 2, 0, nullptr, 2);
}

TEST(GemmTest, NaNAndInfinityAreNotLost) {
  // A zero in b must not hide what a holds.
  const float a[2] = {kNaN, 1}, b[4] = {0, 0, 0, 0};
  float c[2];
  Gemm(nullptr, Transpose::kNo, Transpose::kNo, 1, 2, 2, 1, a, 2, b, 2, 0, c, 2);
  EXPECT_NE(c[0], c[0]);
}

}  // namespace
}  // namespace earshot
