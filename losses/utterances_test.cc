#include "losses/utterances.h"

#include <gtest/gtest.h>

#include <vector>

namespace earshot {
namespace {

std::vector<std::vector<int>> Shares(int threads, int batch) {
  ThreadPool pool(threads);
  std::vector<std::vector<int>> shares(threads);
  ForEachUtterance(&pool, batch, [&](int thread, int b) { shares[thread].push_back(b); });
  return shares;
}

TEST(UtterancesTest, DealtThereAndBack) {
  using Expected = std::vector<std::vector<int>>;
  EXPECT_EQ(Shares(3, 8), (Expected{{0, 5, 6}, {1, 4, 7}, {2, 3}}));
  EXPECT_EQ(Shares(2, 4), (Expected{{0, 3}, {1, 2}}));
  EXPECT_EQ(Shares(4, 1), (Expected{{0}, {}, {}, {}}));
  EXPECT_EQ(Shares(2, 0), (Expected{{}, {}}));
  EXPECT_EQ(Shares(1, 3), (Expected{{0, 1, 2}}));
}

TEST(UtterancesTest, WithoutAPool) {
  std::vector<int> order;
  ForEachUtterance(nullptr, 3, [&](int thread, int b) {
    EXPECT_EQ(thread, 0);
    order.push_back(b);
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace earshot
