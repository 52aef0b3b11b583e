#include "base/ordered_gemm.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "base/testing/every_target.h"
#include "base/testing/near.h"

namespace earshot {
namespace {

struct Product {
  Transpose transpose_a, transpose_b;
  int64_t m, n, k;
};

std::vector<float> Normals(int64_t size, uint64_t position) {
  std::vector<float> values(size);
  RandomStream random(1, RandomPurpose::kTest, position);
  for (float& v : values) v = random.Normal();
  return values;
}

float At(const std::vector<float>& x, Transpose transpose, int64_t ld, int64_t i, int64_t j) {
  return transpose == Transpose::kYes ? x[j * ld + i] : x[i * ld + j];
}

// c between columns that must stay as they are. An empty bias is none.
std::vector<float> Multiply(const Product& p, const std::vector<float>& a, const std::vector<float>& b, int threads,
                            const std::vector<float>& bias = {}) {
  ThreadPool pool(threads);
  const int64_t lda = p.transpose_a == Transpose::kYes ? p.m : p.k, ldb = p.transpose_b == Transpose::kYes ? p.k : p.n;
  std::vector<float> c(p.m * (p.n + 3), 77);
  Tensor<float, 1> packed;
  OrderedGemm(&pool, p.transpose_a, p.transpose_b, p.m, p.n, p.k, a.data(), lda, b.data(), ldb,
              bias.empty() ? nullptr : bias.data(), c.data() + 1, p.n + 3, &packed);
  std::vector<float> inner;
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n + 3; ++j) {
      const float value = c[i * (p.n + 3) + j];
      if (j >= 1 && j <= p.n) {
        inner.push_back(value);
      } else {
        EXPECT_EQ(value, 77);
      }
    }
  }
  return inner;
}

std::vector<Product> Products() {
  std::vector<Product> all;
  for (Transpose ta : {Transpose::kNo, Transpose::kYes}) {
    for (Transpose tb : {Transpose::kNo, Transpose::kYes}) {
      for (int64_t m : {1, 7, 21, 101}) {
        for (int64_t n : {1, 16, 33, 64}) {
          for (int64_t k : {1, 9, 1100}) all.push_back({ta, tb, m, n, k});
        }
      }
    }
  }
  return all;
}

std::vector<double> InDouble(const Product& p, const std::vector<float>& a, const std::vector<float>& b,
                             const std::vector<float>& bias) {
  const int64_t lda = p.transpose_a == Transpose::kYes ? p.m : p.k, ldb = p.transpose_b == Transpose::kYes ? p.k : p.n;
  std::vector<double> c;
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) {
      double sum = bias.empty() ? 0 : bias[j];
      for (int64_t k = 0; k < p.k; ++k) {
        sum += static_cast<double>(At(a, p.transpose_a, lda, i, k)) * At(b, p.transpose_b, ldb, k, j);
      }
      c.push_back(sum);
    }
  }
  return c;
}

TEST(OrderedGemmTest, EqualsTheProductInDoubleForAnyNumberOfThreads) {
  for (const Product& p : Products()) {
    SCOPED_TRACE(testing::Message() << p.m << " " << p.n << " " << p.k);
    const std::vector<float> a = Normals(p.m * p.k, 1), b = Normals(p.k * p.n, 2), bias = Normals(p.n, 3);
    const std::vector<double> expected = InDouble(p, a, b, {}), with_bias = InDouble(p, a, b, bias);
    OnEveryTarget([&] {
      EXPECT_TRUE(AllNear(Multiply(p, a, b, 1), expected, p.k));
      EXPECT_TRUE(AllNear(Multiply(p, a, b, 1, bias), with_bias, p.k + 1));
    });
    const std::vector<float> one = Multiply(p, a, b, 1, bias);
    for (int threads : {2, 3, 4}) EXPECT_TRUE(SameBits(Multiply(p, a, b, threads, bias), one)) << threads;
  }
}

// A row, or a column, alone has the bits that it has among others.
TEST(OrderedGemmTest, ElementsDoNotDependOnTheirNeighbours) {
  const Product p = {Transpose::kNo, Transpose::kYes, 21, 35, 300};
  const std::vector<float> a = Normals(p.m * p.k, 1), b = Normals(p.k * p.n, 2);
  const std::vector<float> all = Multiply(p, a, b, 2);
  for (int64_t i = 0; i < p.m; ++i) {
    const std::vector<float> own(a.begin() + i * p.k, a.begin() + (i + 1) * p.k);
    const Product row = {p.transpose_a, p.transpose_b, 1, p.n, p.k};
    EXPECT_TRUE(SameBits(Multiply(row, own, b, 1), absl::MakeSpan(all).subspan(i * p.n, p.n))) << i;
  }
  for (int64_t j = 0; j < p.n; ++j) {
    const std::vector<float> own(b.begin() + j * p.k, b.begin() + (j + 1) * p.k);
    const Product column = {p.transpose_a, p.transpose_b, p.m, 1, p.k};
    const std::vector<float> alone = Multiply(column, a, own, 1);
    for (int64_t i = 0; i < p.m; ++i) EXPECT_EQ(alone[i], all[i * p.n + j]) << i << " " << j;
  }
}

TEST(OrderedGemmTest, NoTermsMakeZeroOrTheBias) {
  const Product none = {Transpose::kNo, Transpose::kNo, 2, 3, 0};
  EXPECT_EQ(Multiply(none, {}, {}, 1), std::vector<float>(6, 0.0f));
  EXPECT_EQ(Multiply(none, {}, {}, 1, {1, 2, 3}), (std::vector<float>{1, 2, 3, 1, 2, 3}));
}

TEST(OrderedColumnSumsTest, AddsTheRowsInOrderForAnyNumberOfThreads) {
  for (int64_t columns : {1, 5, 59, 5000}) {
    constexpr int64_t kRows = 501;
    const std::vector<float> x = Normals(kRows * columns, columns);
    std::vector<float> expected(columns, 0.0f);
    for (int64_t i = 0; i < kRows; ++i) {
      for (int64_t j = 0; j < columns; ++j) expected[j] += x[i * columns + j];
    }
    for (int threads : {1, 2, 3, 4}) {
      ThreadPool pool(threads);
      std::vector<float> sums(columns, 77);
      OrderedColumnSums(&pool, TensorView<const float, 2>(x.data(), {kRows, columns}), sums.data());
      EXPECT_TRUE(SameBits(sums, expected)) << columns << " columns, " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace earshot
