#include "base/testing/read_once.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "base/read_error.h"

namespace earshot {
namespace {

TEST(ReadOnceTest, FormsOfAnError) {
  for (const char* good :
       {"d/f: byte 12: expected a length, found 3", "d/f:7: expected two fields, found 1",
        "d/f: byte 1: tensor \"a\": expected F32, found U8",
        "d/f: byte 1: tensor \"unexpected b\": expected F32, found U8", "d/f:3:14: Unknown field."}) {
    EXPECT_TRUE(IsReadError(good, "d/f")) << good;
  }
  for (const char* bad :
       {"", "d/f", "d/f: broken", "byte 12: expected a length, found 3", "g/f: byte 12: expected a length, found 3",
        "d/f: byte : expected a length, found 3", "d/f: byte -1: expected a length, found 3",
        "d/f: byte 1: a length, found 3", "d/f: byte 1: expected a length", "d/f: byte 1: found 3, expected 4",
        "d/f: byte 1: expected a length, found ", "d/f:7 expected two fields, found 1", "d/f:7: wrong", "d/f:7:: a",
        "d/f:7:1: ", "d/f: byte 1: expected a, found b\nand more", "d/f: byte 1: expected a, found \x1b[2J",
        "d/f: byte 1: unexpected a, found b"}) {
    EXPECT_FALSE(IsReadError(bad, "d/f")) << bad;
  }
}

TEST(ReadOnceTest, SeesMemoryAndMessage) {
  const auto good = ReadOnce("abc", [](absl::string_view, absl::string_view) { return absl::OkStatus(); });
  EXPECT_FALSE(good.refused);
  EXPECT_EQ(good.broken, "");
  const auto refused = ReadOnce("abc", [](absl::string_view content, absl::string_view name) {
    return ByteError(name, 0, "x", Quoted(content));
  });
  EXPECT_TRUE(refused.refused);
  EXPECT_EQ(refused.broken, "");
  EXPECT_EQ(refused.message, "dir/file: byte 0: expected x, found \"abc\"");
  const auto vague = ReadOnce("", [](absl::string_view, absl::string_view) { return absl::DataLossError("damaged"); });
  EXPECT_TRUE(vague.refused);
  EXPECT_NE(vague.broken, "");
  for (int64_t bytes : {1 << 20, (1 << 20) + 1000}) {
    const auto outcome = ReadOnce("abc", [bytes](absl::string_view, absl::string_view) {
      std::string buffer(bytes, 'x');
      return buffer.back() == 'x' ? absl::OkStatus() : absl::InternalError("never");
    });
    EXPECT_EQ(outcome.broken.empty(), bytes == 1 << 20) << outcome.broken;
  }
}

TEST(ReadOnceTest, SeesTime) {
  int reads = 0;
  const auto reader = [&](int slow_reads) {
    return [&reads, slow_reads](absl::string_view, absl::string_view) {
      if (++reads > slow_reads) return absl::OkStatus();
      for (const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 25; std::clock() < end;) {  // 40 ms
      }
      return absl::OkStatus();
    };
  };
  EXPECT_EQ(ReadOnce("abc", reader(1)).broken, "");
  EXPECT_EQ(reads, 2);
  reads = 0;
  EXPECT_NE(ReadOnce("abc", reader(9)).broken.find(" ms for a file of 3 bytes"), std::string::npos);
  EXPECT_EQ(reads, 3);
}

#ifdef __SANITIZE_ADDRESS__
// The control of the sanitizer builds: they see a reader that goes one byte too far.
TEST(ReadOnceDeathTest, OneByteTooFar) {
  const auto careless = [](absl::string_view content, absl::string_view) {
    const volatile char last = *(content.data() + content.size());
    return last == 0 ? absl::OkStatus() : absl::InternalError("never");
  };
  EXPECT_DEATH(ReadOnce("abc", careless), "heap-buffer-overflow");
}
#endif

}  // namespace
}  // namespace earshot
