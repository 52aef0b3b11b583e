#include "bench/kernel_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/random.h"
#include "base/tolerance.h"

namespace earshot {

void FillRandom(ThreadPool* pool, uint64_t seed, float low, float high, absl::Span<float> values) {
  constexpr int64_t kBlock = 4096;  // of a stream of its own
  const int64_t size = static_cast<int64_t>(values.size());
  pool->ParallelFor((size + kBlock - 1) / kBlock, 1, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      RandomStream random(seed, RandomPurpose::kBench, static_cast<uint64_t>(block));
      for (int64_t i = block * kBlock; i < std::min(size, (block + 1) * kBlock); ++i) {
        values[i] = random.Uniform(low, high);
      }
    }
  });
}

Tensor<float, 1> RandomTensor(ThreadPool* pool, uint64_t seed, float low, float high, int64_t size) {
  Tensor<float, 1> tensor;
  tensor.Resize({size});
  FillRandom(pool, seed, low, high, tensor.span());
  return tensor;
}

absl::Status CheckProduct(int64_t m, int64_t n, int64_t k, MatrixRef a, MatrixRef b, MatrixRef c) {
  RandomStream random(77, RandomPurpose::kBench);
  std::vector<double> signs(n), b_signs(k), actual(m), expected(m);
  for (double& sign : signs) sign = random.Bernoulli(0.5f) ? 1 : -1;
  for (int64_t i = 0; i < k; ++i) {
    for (int64_t j = 0; j < n; ++j) b_signs[i] += double{b(i, j)} * signs[j];
  }
  double scale = 0;
  for (int64_t r = 0; r < m; ++r) {
    for (int64_t i = 0; i < k; ++i) expected[r] += double{a(r, i)} * b_signs[i];
    for (int64_t j = 0; j < n; ++j) actual[r] += double{c(r, j)} * signs[j];
    scale = std::max(scale, std::abs(expected[r]));
  }
  const double tolerance = Tolerance(static_cast<double>(k), kDefaultToleranceFactor, scale);
  for (int64_t r = 0; r < m; ++r) {
    if (std::abs(actual[r] - expected[r]) <= tolerance) continue;  // NaN is not
    return absl::InvalidArgumentError(
        absl::StrCat("wrong product: row ", r, " sums to ", actual[r], ", expected ", expected[r]));
  }
  return absl::OkStatus();
}

absl::Status CheckClose(absl::string_view what, absl::Span<const float> actual, absl::Span<const double> expected,
                        double tolerance) {
  CHECK_EQ(actual.size(), expected.size());
  double scale = 0;
  for (const double e : expected) scale = std::max(scale, std::abs(e));
  for (size_t i = 0; i < actual.size(); ++i) {
    if (std::abs(actual[i] - expected[i]) <= tolerance * scale) continue;  // NaN is not
    return absl::InvalidArgumentError(
        absl::StrCat("wrong ", what, ": element ", i, " is ", actual[i], ", expected ", expected[i]));
  }
  return absl::OkStatus();
}

}  // namespace earshot
