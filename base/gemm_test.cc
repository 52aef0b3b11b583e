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

// The operands of a product, and what plain loops in double make of them.
struct Problem {
  explicit Problem(const Product& product)
      : p(product),
        lda((ta() ? p.m : p.k) + p.padding),
        ldb((tb() ? p.k : p.n) + p.padding),
        ldc(p.n + p.padding),
        a(Random((ta() ? p.k : p.m) * lda, 1)),
        b(Random((tb() ? p.n : p.k) * ldb, 2)),
        before(p.beta == 0 ? std::vector<float>(p.m * ldc, kNaN) : Random(p.m * ldc, 3)) {
    for (int64_t i = 0; i < p.m; ++i) {
      for (int64_t j = 0; j < p.n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < p.k; ++l) {
          sum += static_cast<double>(a[ta() ? l * lda + i : i * lda + l]) * b[tb() ? j * ldb + l : l * ldb + j];
        }
        expected.push_back(p.alpha * sum + (p.beta == 0 ? 0 : p.beta * static_cast<double>(before[i * ldc + j])));
      }
    }
  }
  bool ta() const { return p.a == Transpose::kYes; }
  bool tb() const { return p.b == Transpose::kYes; }

  const Product p;
  const int64_t lda, ldb, ldc;
  const std::vector<float> a, b, before;
  std::vector<double> expected;  // [m, n]
};

// Runs the product and compares. Returns c with its padding.
std::vector<float> Check(const Problem& x, ThreadPool* pool) {
  const Product& p = x.p;
  std::vector<float> c = x.before;
  Gemm(pool, p.a, p.b, p.m, p.n, p.k, p.alpha, x.a.data(), x.lda, x.b.data(), x.ldb, p.beta, c.data(), x.ldc);
  std::vector<float> actual, padding_before, padding_after;
  for (int64_t i = 0; i < p.m; ++i) {
    const float* const now = &c[i * x.ldc];
    const float* const before = &x.before[i * x.ldc];
    actual.insert(actual.end(), now, now + p.n);
    padding_after.insert(padding_after.end(), now + p.n, now + x.ldc);
    padding_before.insert(padding_before.end(), before + p.n, before + x.ldc);
  }
  EXPECT_TRUE(AllNear(actual, x.expected, static_cast<double>(p.k), kDefaultToleranceFactor, 1e-3))
      << p.m << "x" << p.n << "x" << p.k << " " << x.ta() << x.tb() << " on " << GemmKernelName();
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
            Check(Problem({m, n, k, a, b}), nullptr);
            Check(Problem({m, n, k, a, b, 0.5f, -2.0f, 3}), &pool);
          }
        }
      }
    }
  }
}

// The shapes of an LSTM's products, large enough to be cut by rows and by columns.
TEST(GemmTest, LargeEnoughToBeCut) {
  std::vector<std::unique_ptr<ThreadPool>> pools;
  for (int threads : {1, 2, 3, 8}) pools.push_back(std::make_unique<ThreadPool>(threads));
  for (Transpose a : {Transpose::kNo, Transpose::kYes}) {
    for (Transpose b : {Transpose::kNo, Transpose::kYes}) {
      for (const Product& p :
           {Product{611, 131, 123, a, b}, Product{67, 643, 320, a, b, 1, 1, 5}, Product{32, 1280, 320, a, b}}) {
        const Problem problem(p);
        for (auto& pool : pools) Check(problem, pool.get());
      }
    }
  }
}

TEST(GemmTest, SameBitsOnRerun) {
  ThreadPool pool(2);
  const Problem problem({320, 257, 129});
  const std::vector<float> first = Check(problem, &pool);
  EXPECT_TRUE(SameBits(Check(problem, &pool), first));
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
