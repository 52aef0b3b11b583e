#include "bench/assemble.h"

#include <gtest/gtest.h>

#include "bench/testing/small_config.h"

namespace earshot {
namespace {

TEST(AssembleSecondsTest, GrowsWithTheBatch) {
  BenchConfig config = SmallConfig(/*max_seconds=*/1);
  const double small = AssembleSeconds(config);
  EXPECT_GT(small, 0);
  config.mutable_batch()->set_input_size(9000);  // a thousand times as much to copy
  EXPECT_GT(AssembleSeconds(config), 10 * small);
}

}  // namespace
}  // namespace earshot
