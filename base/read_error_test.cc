#include "base/read_error.h"

#include <gtest/gtest.h>

namespace earshot {
namespace {

TEST(ReadError, NamesPlaceExpectedAndFound) {
  const absl::Status byte = ByteError("dir/f.ark", 17, "\"FM \"", Quoted("\x1b[31m"));
  EXPECT_EQ(byte.message(), "dir/f.ark: byte 17: expected \"FM \", found \"\\x1b[31m\"");
  EXPECT_TRUE(absl::IsInvalidArgument(byte));
  EXPECT_EQ(LineError("text", 3, "an id", "an empty line").message(), "text:3: expected an id, found an empty line");
}

TEST(ReadError, QuotesAreShortAndPrintable) {
  EXPECT_EQ(Quoted("a\tb\"\n"), R"("a\tb\"\n")");
  EXPECT_EQ(Quoted(""), "\"\"");
  EXPECT_EQ(Quoted(std::string(61, 'x')), "\"" + std::string(60, 'x') + "\"...");
}

}  // namespace
}  // namespace earshot
