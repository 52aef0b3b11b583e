#include "bench/kernel_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace earshot {
namespace {

TEST(FillRandom, IsTheSameForAnyNumberOfThreads) {
  ThreadPool one(1), three(3);
  std::vector<float> a(20000), b(20000);
  FillRandom(&one, 5, -2, 3, absl::MakeSpan(a));
  FillRandom(&three, 5, -2, 3, absl::MakeSpan(b));
  EXPECT_EQ(a, b);
  double mean = 0;
  for (const float x : a) {
    EXPECT_GE(x, -2);
    EXPECT_LT(x, 3);
    mean += x / 20000;
  }
  EXPECT_NEAR(mean, 0.5, 0.05);
  EXPECT_NE(a[0], a[4096]);  // blocks differ
}

class CheckProductTest : public testing::Test {
 protected:
  static constexpr int kM = 37, kN = 41, kK = 29;
  CheckProductTest() : a_(kM * kK), b_(kK * kN), c_(kM * kN) {
    ThreadPool pool(1);
    FillRandom(&pool, 1, -1, 1, absl::MakeSpan(a_));
    FillRandom(&pool, 2, -1, 1, absl::MakeSpan(b_));
    for (int r = 0; r < kM; ++r) {
      for (int j = 0; j < kN; ++j) {
        for (int i = 0; i < kK; ++i) c_[r * kN + j] += a_[r * kK + i] * b_[i * kN + j];
      }
    }
  }
  absl::Status Check() {
    return CheckProduct(
        kM, kN, kK, [&](int64_t r, int64_t i) { return a_[r * kK + i]; },
        [&](int64_t i, int64_t j) { return b_[i * kN + j]; }, [&](int64_t r, int64_t j) { return c_[r * kN + j]; });
  }
  std::vector<float> a_, b_, c_;
};

TEST_F(CheckProductTest, AcceptsFloatsOwnErrors) { EXPECT_EQ(Check(), absl::OkStatus()); }

TEST_F(CheckProductTest, FindsAnyOneElementThatIsWrong) {
  for (float& element : c_) {
    const float right = element;
    element += 0.01f;  // of elements of size 2 or so
    EXPECT_FALSE(Check().ok());
    element = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(Check().ok());
    element = right;
  }
  c_[3 * kN + 1] += 1;
  EXPECT_EQ(Check().message().substr(0, 26), "wrong product: row 3 sums ");
}

TEST(CheckClose, ComparesWithTheLargestElement) {
  const std::vector<double> expected = {1, -100, 0};
  EXPECT_EQ(CheckClose("x", {1.5f, -100.0f, -0.5f}, expected, 0.01), absl::OkStatus());
  EXPECT_EQ(CheckClose("x", {1.0f, -100.0f, 1.5f}, expected, 0.01).message(), "wrong x: element 2 is 1.5, expected 0");
  EXPECT_FALSE(CheckClose("x", {NAN, -100.0f, 0.0f}, expected, 0.01).ok());
}

}  // namespace
}  // namespace earshot
