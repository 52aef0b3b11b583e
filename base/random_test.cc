#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/testing/every_target.h"

namespace earshot {
namespace {

// philox4x32 10 of kat_vectors in the authors' Random123 library: zeros, ones, the digits of pi.
TEST(RandomTest, KnownAnswers) {
  using Block = std::array<uint32_t, 4>;
  EXPECT_EQ(Philox4x32({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const uint32_t ones = 0xffffffff;
  EXPECT_EQ(Philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The numbers belong to the meaning of a seed: they may never change.
TEST(RandomTest, StreamIsFrozen) {
  RandomStream random(42, RandomPurpose::kTest, 7, 3);
  const auto mixed = Philox4x32({7, 0, 3, 7}, {42, 0});
  const auto first = Philox4x32({0, 0, mixed[2], mixed[3]}, {mixed[0], mixed[1]});
  const auto second = Philox4x32({1, 0, mixed[2], mixed[3]}, {mixed[0], mixed[1]});
  for (uint32_t expected : first) EXPECT_EQ(random.Bits(), expected);
  for (uint32_t expected : second) EXPECT_EQ(random.Bits(), expected);
}

TEST(RandomTest, ManyDrawsAtOnceAreTheSameDraws) {
  OnEveryTarget([] {
    for (int before : {0, 1, 3, 4}) {
      for (int n : {0, 1, 5, 63, 64, 65, 320, 1001}) {
        RandomStream single(42, RandomPurpose::kTest, n), many = single;
        for (int i = 0; i < before; ++i) EXPECT_EQ(single.Bits(), many.Bits());
        std::vector<float> expected(n), out(n);
        for (float& x : expected) x = single.Bernoulli(0.3f) ? 2.0f : -1.0f;
        many.FillBernoulli(0.3f, 2, -1, absl::MakeSpan(out));
        EXPECT_EQ(out, expected) << n << " after " << before;
        EXPECT_EQ(many.Bits(), single.Bits());
      }
    }
  });
}

TEST(RandomTest, EveryPartOfThePositionMakesAnotherStream) {
  const uint64_t far = uint64_t{1} << 40;
  std::set<std::pair<uint32_t, uint32_t>> starts;
  int streams = 0;
  for (uint64_t seed : {uint64_t{0}, uint64_t{1}, far}) {
    for (RandomPurpose purpose : {RandomPurpose::kInitialization, RandomPurpose::kShuffle, RandomPurpose::kDropout}) {
      for (uint64_t a : {uint64_t{0}, uint64_t{1}, far}) {
        for (uint32_t b : {0u, 1u, 1u << 31}) {
          RandomStream random(seed, purpose, a, b);
          const uint32_t first = random.Bits();
          starts.insert({first, random.Bits()});
          ++streams;
        }
      }
    }
  }
  EXPECT_EQ(static_cast<int>(starts.size()), streams);
}

TEST(RandomTest, NeighbouringStreamsAreUncorrelated) {
  constexpr int kDraws = 100'000;
  RandomStream first(1, RandomPurpose::kTest, 0), second(1, RandomPurpose::kTest, 1);
  double product = 0;
  for (int i = 0; i < kDraws; ++i) product += (first.Uniform() - 0.5) * (second.Uniform() - 0.5);
  // The standard error of the mean of the product is 1/12 / sqrt(n).
  EXPECT_LT(std::abs(product / kDraws), 5 / 12.0 / std::sqrt(kDraws));
}

// Chi-squared over `bins` equally likely bins: mean bins - 1, deviation sqrt(2 (bins - 1)).
void ExpectUniform(const std::vector<int>& counts, int draws) {
  const double expected = static_cast<double>(draws) / counts.size();
  double chi_squared = 0;
  for (int n : counts) chi_squared += (n - expected) * (n - expected) / expected;
  const double freedom = static_cast<double>(counts.size()) - 1;
  EXPECT_LT(std::abs(chi_squared - freedom), 5 * std::sqrt(2 * freedom));
}

TEST(RandomTest, UniformFillsTheUnitInterval) {
  constexpr int kDraws = 200'000;
  RandomStream random(2, RandomPurpose::kTest);
  std::vector<int> counts(64);
  for (int i = 0; i < kDraws; ++i) {
    const float x = random.Uniform();
    ASSERT_GE(x, 0.0f);
    ASSERT_LT(x, 1.0f);
    ++counts[static_cast<int>(x * 64)];
  }
  ExpectUniform(counts, kDraws);
}

// The largest draw rounds up to `high` unless it is held back.
TEST(RandomTest, UniformNeverReachesItsUpperEnd) {
  RandomStream random(3, RandomPurpose::kTest);
  const float next = std::nextafter(1.0f, 2.0f);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(random.Uniform(1.0f, next), 1.0f);
    const float x = random.Uniform(-2.0f, 3.0f);
    EXPECT_TRUE(x >= -2.0f && x < 3.0f) << x;
  }
}

TEST(RandomTest, NormalHasTheRightMoments) {
  constexpr int kDraws = 200'000;
  RandomStream random(4, RandomPurpose::kTest);
  double sum = 0, squares = 0, fourth = 0;
  int beyond_two = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.Normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    beyond_two += std::abs(x) > 2;
  }
  EXPECT_NEAR(sum / kDraws, 0, 5 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 5 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(fourth / kDraws, 3, 5 * std::sqrt(96.0 / kDraws));
  EXPECT_NEAR(static_cast<double>(beyond_two) / kDraws, std::erfc(std::sqrt(2.0)), 0.003);
}

TEST(RandomTest, BelowIsUniform) {
  constexpr int kDraws = 100'000;
  RandomStream random(5, RandomPurpose::kTest);
  for (uint32_t n : {1u, 2u, 3u, 7u, 100u}) {
    std::vector<int> counts(n);
    for (int i = 0; i < kDraws; ++i) ++counts.at(random.Below(n));
    if (n > 1) ExpectUniform(counts, kDraws);
  }
  // 3 * 2^30 of 2^32: taking the remainder alone would give the lower third half of all draws.
  int lower_third = 0;
  for (int i = 0; i < kDraws; ++i) lower_third += random.Below(3u << 30) < (1u << 30);
  EXPECT_NEAR(static_cast<double>(lower_third) / kDraws, 1 / 3.0, 0.01);
  EXPECT_DEATH(random.Below(0), "CHECK failed: \\(n\\)>\\(0u\\)");
}

TEST(RandomTest, BernoulliKeepsItsProbability) {
  RandomStream random(6, RandomPurpose::kTest);
  int hits = 0;
  for (int i = 0; i < 100'000; ++i) {
    hits += random.Bernoulli(0.3f);
    ASSERT_FALSE(random.Bernoulli(0));
    ASSERT_TRUE(random.Bernoulli(1));
  }
  EXPECT_NEAR(hits / 1e5, 0.3, 0.008);
}

TEST(RandomTest, ShuffleReachesEveryOrderEquallyOften) {
  constexpr int kDraws = 24'000;
  std::vector<int> order = {0, 1, 2, 3};
  std::vector<std::vector<int>> orders;
  do {
    orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  std::vector<int> counts(orders.size());
  for (int i = 0; i < kDraws; ++i) {
    RandomStream random(7, RandomPurpose::kShuffle, i);
    std::vector<int> items = {0, 1, 2, 3};
    random.Shuffle(&items);
    ++counts.at(std::lower_bound(orders.begin(), orders.end(), items) - orders.begin());
  }
  ExpectUniform(counts, kDraws);
}

}  // namespace
}  // namespace earshot
