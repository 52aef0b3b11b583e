#include "losses/utterances.h"

#include <gtest/gtest.h>

#include <vector>

namespace earshot {
namespace {

std::vector<std::vector<int>> Shares(int threads, const std::vector<int32_t>& lengths) {
  ThreadPool pool(threads);
  std::vector<std::vector<int>> shares(threads);
  ForEachUtterance(&pool, Packing::CreateOrDie(lengths), [&](int thread, int b) { shares[thread].push_back(b); });
  return shares;
}

TEST(UtterancesTest, NeighboursOfAboutAsManyFrames) {
  using Expected = std::vector<std::vector<int>>;
  EXPECT_EQ(Shares(2, {10, 6, 5, 5, 4, 2}), (Expected{{0, 1}, {2, 3, 4, 5}}));
  EXPECT_EQ(Shares(3, {4, 4, 4, 4, 4, 4}), (Expected{{0, 1}, {2, 3}, {4, 5}}));
  EXPECT_EQ(Shares(2, {9, 1, 1}), (Expected{{0}, {1, 2}}));
  EXPECT_EQ(Shares(4, {7}), (Expected{{}, {}, {0}, {}}));
  EXPECT_EQ(Shares(2, {}), (Expected{{}, {}}));
  EXPECT_EQ(Shares(1, {3, 2, 1}), (Expected{{0, 1, 2}}));
}

TEST(UtterancesTest, WithoutAPool) {
  std::vector<int> order;
  ForEachUtterance(nullptr, Packing::CreateOrDie({3, 2, 1}), [&](int thread, int b) {
    EXPECT_EQ(thread, 0);
    order.push_back(b);
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace earshot
