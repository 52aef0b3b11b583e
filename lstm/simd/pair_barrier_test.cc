#include "lstm/simd/pair_barrier.h"

#include <gtest/gtest.h>

#include <thread>

namespace earshot {
namespace {

// Each side reads what the other wrote before the barrier; under tsan, a missing order is a data race.
TEST(PairBarrier, OrdersWritesBeforeReads) {
  constexpr int kRounds = 20000;
  PairBarrier barrier;
  int values[2][2] = {};  // [parity of the round][member]
  int wrong[2] = {};
  const auto work = [&](int member) {
    for (int round = 1; round <= kRounds; ++round) {
      values[round % 2][member] = round;
      barrier.Wait(member);
      if (values[round % 2][1 - member] != round) ++wrong[member];
    }
  };
  std::thread other([&] { work(1); });
  work(0);
  other.join();
  EXPECT_EQ(wrong[0], 0);
  EXPECT_EQ(wrong[1], 0);
}

}  // namespace
}  // namespace earshot
