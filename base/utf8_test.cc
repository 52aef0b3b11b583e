#include "base/utf8.h"

#include <gtest/gtest.h>

namespace earshot {
namespace {

constexpr size_t kNone = absl::string_view::npos;

TEST(Utf8, CodePoints) {
  EXPECT_EQ(CodePointBytes("a"), 1u);
  EXPECT_EQ(CodePointBytes("\xc3\xa9x"), 2u);
  EXPECT_EQ(CodePointBytes("\xe2\x82\xac"), 3u);
  EXPECT_EQ(CodePointBytes("\xf0\x9f\x98\x80"), 4u);
  // A stray second byte, cut, overlong, a surrogate, above U+10FFFF.
  for (const char* bad : {"\x80", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"}) {
    EXPECT_EQ(CodePointBytes(bad), 0u) << CodePointName(bad);
  }
  EXPECT_EQ(CodePointName("a"), "U+0061");
  EXPECT_EQ(CodePointName("\xf0\x9f\x98\x80"), "U+1F600");
  EXPECT_EQ(CodePointName("\xff"), "byte 0xff");
}

TEST(Utf8, FindsWhatIsNotPrintableAtEveryPlace) {
  for (const std::string& bad : {std::string("\0", 1), std::string("\x1b"), std::string("\r"), std::string("\x7f"),
                                 std::string("\xff"), std::string("\xc2\x9b"), std::string("\xef\xbb\xbf"),
                                 std::string("\xe2\x80\xa8"), std::string("\xe2\x80\xae")}) {
    for (size_t before = 0; before < 20; ++before) {
      for (size_t after = 0; after < 10; ++after) {
        const std::string text = std::string(before, 'a') + bad + std::string(after, 'b');
        EXPECT_EQ(FindUnprintable(text, false), before) << CodePointName(bad) << " before " << after;
      }
    }
  }
}

TEST(Utf8, LeavesAllElse) {
  std::string ascii = "\t\n";
  for (char c = ' '; c < '\x7f'; ++c) ascii += c;
  EXPECT_EQ(FindUnprintable(ascii, true), kNone);
  EXPECT_EQ(FindUnprintable("", true), kNone);
  EXPECT_EQ(FindUnprintable("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xe4\xbd\xa0\xe5\xa5\xbd", true), kNone);
  EXPECT_EQ(FindUnprintable("\xe2\x80\x8c", true), kNone);  // U+200C, which Persian writes with
}

TEST(Utf8, SpacesThatAreNotPlain) {
  for (const char* space : {"\xc2\xa0", "\xe2\x80\x83", "\xe3\x80\x80", "\xe2\x80\xaf"}) {
    EXPECT_EQ(FindUnprintable(std::string("one") + space + "two", true), 3u) << CodePointName(space);
    EXPECT_EQ(FindUnprintable(std::string("one") + space + "two", false), kNone) << CodePointName(space);
  }
}

}  // namespace
}  // namespace earshot
