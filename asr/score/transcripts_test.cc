#include "asr/score/transcripts.h"

#include <gtest/gtest.h>

#include <string>

namespace earshot {
namespace {

using Texts = std::map<std::string, std::string>;

Texts Parsed(const std::string& content, bool trn) {
  const auto transcripts = Transcripts::Parse(content, "f");
  EXPECT_TRUE(transcripts.ok()) << transcripts.status();
  if (!transcripts.ok()) return {};
  EXPECT_EQ(transcripts->trn(), trn) << content;
  return transcripts->texts();
}

std::string Error(const std::string& content) {
  const auto transcripts = Transcripts::Parse(content, "f");
  return transcripts.ok() ? "ok" : std::string(transcripts.status().message());
}

const Texts kTexts = {{"u1", "one two"}, {"u10", ""}, {"u2", "drei"}};

TEST(TranscriptsTest, BothForms) {
  EXPECT_EQ(Parsed("u1 one two\nu2\tdrei\nu10\n", false), kTexts);
  EXPECT_EQ(Parsed("one two (u1)\ndrei  (u2)\n(u10)\n", true), kTexts);
  EXPECT_EQ(Parsed(";; comment\n\none two (u1)\n;;\ndrei\t(u2) \n (u10)", true), kTexts);
}

TEST(TranscriptsTest, LineEndsOrderAndByteOrderMark) {
  EXPECT_EQ(Parsed("\xef\xbb\xbfu2 drei\r\nu10\r\n\r\nu1   one two  \r\n", false), kTexts);
  EXPECT_EQ(Parsed("\xef\xbb\xbf"
                   "drei (u2)\r\n(u10)\r\none two (u1)",
                   true),
            kTexts);
  EXPECT_EQ(Parsed("", false), Texts());
  EXPECT_EQ(Parsed("\n \n", false), Texts());
}

TEST(TranscriptsTest, ParenthesesInTexts) {
  EXPECT_EQ(Parsed("u1 one (laughs)\nu2 two\n", false), (Texts{{"u1", "one (laughs)"}, {"u2", "two"}}));
  EXPECT_EQ(Parsed("(laughs) one (u1)\n(uh) (u2)\n", true), (Texts{{"u1", "(laughs) one"}, {"u2", "(uh)"}}));
  EXPECT_EQ(Parsed("u1 one (laughs)\nu2 two (laughs)\nu3 (laughs)\n", false),
            (Texts{{"u1", "one (laughs)"}, {"u2", "two (laughs)"}, {"u3", "(laughs)"}}));
  EXPECT_EQ(Parsed("u1 one(s)\n", false), (Texts{{"u1", "one(s)"}}));
}

TEST(TranscriptsTest, Errors) {
  EXPECT_EQ(Error("u1 a\nu2 b\nu1 c\n"), "f:3: expected each id once, found \"u1\", which line 1 has too");
  EXPECT_EQ(Error("a (u1)\n;;\nb (u1)\n"), "f:3: expected each id once, found \"u1\", which line 1 has too");
  EXPECT_EQ(Error("a (u1)\nb (u2)\nc u3)\n"), "f:3: expected words and \"(id)\" at the end, found \"c u3)\"");
  EXPECT_EQ(Error("u1 a\nu2 \xff\n"),
            "f:2: expected printable UTF-8 and plain spaces, found byte 0xff in \"u2 \\xff\"");
  EXPECT_EQ(Error("u1 a\x1b[2J\n"), "f:1: expected printable UTF-8 and plain spaces, found U+001B in \"u1 a\\x1b[2J\"");
  EXPECT_EQ(Error(std::string("u1 a\0b\n", 7)),
            "f:1: expected printable UTF-8 and plain spaces, found U+0000 in \"u1 a\\x00\\x62\"");
  EXPECT_EQ(Error("u1 a\xc2\xa0"
                  "b\n"),
            "f:1: expected printable UTF-8 and plain spaces, found U+00A0 in \"u1 a\\xc2\\xa0\\x62\"");
}

TEST(TranscriptsTest, ErrorsOfAnIdNameItsLine) {
  const auto transcripts = Transcripts::Parse(";;\nb (u2)\na (u1)\n", "f");
  ASSERT_TRUE(transcripts.ok());
  EXPECT_EQ(transcripts->Error("u1", "x", "y").message(), "f:3: expected x, found y");
}

}  // namespace
}  // namespace earshot
