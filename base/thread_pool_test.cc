#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace earshot {
namespace {

// A denormal product as this thread's arithmetic gives it; the volatiles keep the compiler from doing it itself.
float SmallestTimesHalf() {
  volatile float smallest = std::numeric_limits<float>::min(), half = 0.5f;
  return smallest * half;
}

TEST(ThreadPoolTest, EveryIndexRunsOnceInItsOwnThread) {
  for (int n = 1; n <= 8; ++n) {
    ThreadPool pool(n);
    ASSERT_EQ(pool.num_threads(), n);
    std::vector<int> calls(n, 0);
    std::vector<std::thread::id> threads(n);
    pool.Run([&](int i) {
      ++calls[i];
      threads[i] = std::this_thread::get_id();
    });
    EXPECT_EQ(calls, std::vector<int>(n, 1));
    EXPECT_EQ(std::set<std::thread::id>(threads.begin(), threads.end()).size(), static_cast<size_t>(n));
    EXPECT_EQ(threads[0], std::this_thread::get_id());
  }
}

// Each round reads what the round before wrote in other threads: rounds are ordered, and none is lost.
TEST(ThreadPoolTest, ManyRounds) {
  for (int n : {2, 3, 8}) {
    ThreadPool pool(n);
    std::vector<int64_t> now(n, 1), before(n);
    const int rounds = n > AvailableCpus() ? 300 : 20'000;
    for (int round = 0; round < rounds; ++round) {
      std::swap(now, before);
      pool.Run([&](int i) { now[i] = before[(i + 1) % n] + 1; });
    }
    EXPECT_EQ(now, std::vector<int64_t>(n, rounds + 1));
  }
}

// Long enough between rounds that the workers sleep, or are just about to.
TEST(ThreadPoolTest, SleepersWake) {
  ThreadPool pool(4);
  std::atomic<int> calls{0};
  for (int round = 0; round < 200; ++round) {
    std::this_thread::sleep_for(std::chrono::microseconds(round * 7 % 400));
    pool.Run([&](int) { calls.fetch_add(1); });
  }
  EXPECT_EQ(calls.load(), 800);
}

TEST(ThreadPoolTest, LivesAndDiesWithoutWork) {
  for (int i = 0; i < 100; ++i) ThreadPool pool(1 + i % 8);
}

TEST(ThreadPoolTest, FlushesDenormalsInEveryThread) {
  ASSERT_GT(SmallestTimesHalf(), 0.0f);
  ThreadPool pool(4);
  std::vector<float> products(4, 1);
  pool.Run([&](int i) { products[i] = SmallestTimesHalf(); });
  EXPECT_EQ(products, std::vector<float>(4, 0.0f));
  float in_one_share = 1;
  pool.ParallelFor(1, 1, [&](int64_t, int64_t) { in_one_share = SmallestTimesHalf(); });
  EXPECT_EQ(in_one_share, 0.0f);
  EXPECT_GT(SmallestTimesHalf(), 0.0f);  // the caller has its own mode back
}

TEST(ThreadPoolTest, ScopesOfFlushingNest) {
  {
    ScopedFlushDenormals flush;
    EXPECT_EQ(SmallestTimesHalf(), 0.0f);
    {
      ScopedFlushDenormals keep(false);
      EXPECT_GT(SmallestTimesHalf(), 0.0f);
      ScopedFlushDenormals again;
      EXPECT_EQ(SmallestTimesHalf(), 0.0f);
    }
    EXPECT_EQ(SmallestTimesHalf(), 0.0f);
  }
  EXPECT_GT(SmallestTimesHalf(), 0.0f);
}

using Shares = std::vector<std::pair<int64_t, int64_t>>;

Shares SharesOf(ThreadPool* pool, int64_t n, int64_t grain) {
  Shares shares(pool->num_threads(), {-1, -1});
  std::atomic<int> next{0};
  pool->ParallelFor(n, grain, [&](int64_t begin, int64_t end) { shares[next.fetch_add(1)] = {begin, end}; });
  shares.resize(next.load());
  std::sort(shares.begin(), shares.end());
  return shares;
}

TEST(ThreadPoolTest, ParallelForCoversTheRangeInFixedShares) {
  for (int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (int64_t n : {1, 2, 5, 16, 1000}) {
      for (int64_t grain : {1, 3, 100}) {
        const Shares shares = SharesOf(&pool, n, grain);
        ASSERT_FALSE(shares.empty());
        EXPECT_EQ(shares.front().first, 0);
        EXPECT_EQ(shares.back().second, n);
        for (size_t i = 0; i + 1 < shares.size(); ++i) EXPECT_EQ(shares[i].second, shares[i + 1].first);
        for (const auto& share : shares) EXPECT_GE(share.second - share.first, std::min(n, grain));
        EXPECT_EQ(SharesOf(&pool, n, grain), shares);
      }
    }
    EXPECT_TRUE(SharesOf(&pool, 0, 1).empty());
  }
  ThreadPool pool(4);
  EXPECT_EQ(SharesOf(&pool, 10, 1), (Shares{{0, 2}, {2, 5}, {5, 7}, {7, 10}}));
}

TEST(ThreadPoolTest, CpusOfThisProcess) {
  EXPECT_GE(AvailableCpus(), 1);
  EXPECT_DEATH(ThreadPool(0), "num_threads");
}

}  // namespace
}  // namespace earshot
