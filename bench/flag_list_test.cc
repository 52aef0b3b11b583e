#include "bench/flag_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace earshot {
namespace {

TEST(FlagListTest, NamesBetweenCommas) {
  EXPECT_THAT(FlagList("simd,blas"), testing::ElementsAre("simd", "blas"));
  EXPECT_THAT(FlagList(",simd,,"), testing::ElementsAre("simd"));
  EXPECT_THAT(FlagList(""), testing::IsEmpty());
}

TEST(FlagListTest, NoneTwice) {
  EXPECT_TRUE(CheckNames("lstm", FlagList("simd,blas")).ok());
  const absl::Status twice = CheckNames("lstm", FlagList("simd,blas,simd"));
  EXPECT_EQ(twice.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(twice.message(), "flag --lstm names simd twice");
}

}  // namespace
}  // namespace earshot
