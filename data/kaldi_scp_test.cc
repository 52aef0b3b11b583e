#include "data/kaldi_scp.h"

#include <gtest/gtest.h>

#include <string>

namespace earshot {
namespace {

std::string Parsed(absl::string_view content) {
  const auto entries = ReadScp(content, "s");
  if (!entries.ok()) return std::string(entries.status().message());
  std::string out;
  for (const ScpEntry& entry : *entries) out += entry.key + "=" + entry.location + ";";
  return out;
}

TEST(KaldiScpTest, ReadsKeysAndLocations) {
  EXPECT_EQ(Parsed("u1 a.ark:3\nu2\ta b.ark:17[0:9]\n"), "u1=a.ark:3;u2=a b.ark:17[0:9];");
  EXPECT_EQ(Parsed("u1  a.ark:3  \nu2 b"), "u1=a.ark:3;u2=b;") << "no last newline";
  EXPECT_EQ(Parsed("\xef\xbb\xbfu1 a\r\nu2 b\r\n"), "u1=a;u2=b;") << "from Windows";
  EXPECT_EQ(Parsed("\xc3\xa9 a\n"), "\xc3\xa9=a;");
  EXPECT_EQ(Parsed(""), "");
}

TEST(KaldiScpTest, RefusesWithTheLine) {
  EXPECT_EQ(Parsed("u1 a\nu2\n"), "s:2: expected a key and a location, found \"u2\"");
  EXPECT_EQ(Parsed("u1 a\n\nu2 b\n"), "s:2: expected a key and a location, found \"\"");
  EXPECT_EQ(Parsed(" a\n"), "s:1: expected a key and a location, found \" a\"");
  EXPECT_EQ(Parsed("u1 a\x1b[2J\n"),
            "s:1: expected a key and a location, found control characters in \"u1 a\\x1b[2J\"");
  EXPECT_EQ(Parsed(std::string("u1 a\0\n", 6)),
            "s:1: expected a key and a location, found control characters in \"u1 a\\x00\"");
  EXPECT_EQ(Parsed(std::string(255, 'k') + " a\n"), std::string(255, 'k') + "=a;");
  EXPECT_EQ(Parsed(std::string(256, 'k') + " a\n"),
            "s:1: expected a key of at most 255 bytes, found one of 256 bytes, \"" + std::string(60, 'k') + "\"...");
}

// u10 and u1 are different keys; the second u2 is named with both lines.
TEST(KaldiScpTest, RefusesAKeyThatCameBefore) {
  EXPECT_EQ(Parsed("u1 a.ark:3\nu2 a.ark:50\nu10 a\nu2 a.ark:99\n"),
            "s:4: expected each key once, found \"u2\" again, as in line 2");
}

}  // namespace
}  // namespace earshot
