#include "data/kaldi_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "data/limits.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Parsed {
  std::vector<std::string> ids, values, warnings;
  std::string error;
};

Parsed Parse(absl::string_view content, const KaldiTextOptions& options = {}) {
  Parsed parsed;
  const auto table = KaldiTextFile::Parse(content, "d/text", options, &parsed.warnings);
  if (!table.ok()) {
    parsed.error = std::string(table.status().message());
    return parsed;
  }
  for (int64_t i = 0; i < table->size(); ++i) {
    parsed.ids.emplace_back(table->id(i));
    parsed.values.emplace_back(table->value(i));
    EXPECT_EQ(table->Find(table->id(i)), i);
  }
  EXPECT_EQ(table->Find("no such id"), -1);
  return parsed;
}

TEST(KaldiText, EntriesAndTheirValues) {
  const Parsed parsed = Parse("u1 one  two\n u2\tthree \t\nu3 a|b\n");
  EXPECT_THAT(parsed.ids, ElementsAre("u1", "u2", "u3"));
  EXPECT_THAT(parsed.values, ElementsAre("one  two", "three", "a|b"));
  EXPECT_THAT(parsed.warnings, IsEmpty());
  EXPECT_THAT(Parse("").ids, IsEmpty());
}

// KAL-08: '1' (0x31) comes before '_' (0x5f), capitals before small letters, and all of ASCII before the rest.
TEST(KaldiText, TheOrderIsThatOfBytes) {
  const Parsed parsed =
      Parse("2_5 x\n21_1 x\n2_9 x\na-1 x\nA-1 x\nspk2-utt10 x\nspk2-utt9 x\nspk10-utt1 y\n\xc3\xa9-1 z\n");
  EXPECT_THAT(parsed.ids,
              ElementsAre("21_1", "2_5", "2_9", "A-1", "a-1", "spk10-utt1", "spk2-utt10", "spk2-utt9", "\xc3\xa9-1"));
  EXPECT_EQ(parsed.values[5], "y");
  EXPECT_EQ(parsed.values[8], "z");
  EXPECT_THAT(parsed.warnings, ElementsAre("d/text:2: expected an id after \"2_5\" in the order of bytes "
                                           "(LC_ALL=C), found \"21_1\"; entries are found by id"));
}

// KAL-09.
TEST(KaldiText, AnIdTwiceIsAnErrorWithBothLines) {
  EXPECT_EQ(Parse("u1 one\nu2 two\nu2 three\nu10 one\n").error,
            "d/text:3: expected each id once, found \"u2\", which line 2 has too");
  EXPECT_EQ(Parse("b 1\na 2\nc 3\nb 1\n").error, "d/text:4: expected each id once, found \"b\", which line 1 has too");
  EXPECT_EQ(Parse("u1 same\nu10 same\n").error, "");
}

// KAL-10.
TEST(KaldiText, WindowsLineEndsAndByteOrderMarksAreReadAndNamed) {
  KaldiTextOptions options;
  options.values_may_be_empty = true;
  Parsed parsed = Parse("u1 one two\r\nu2 three\r\nu3\r\n", options);
  EXPECT_THAT(parsed.ids, ElementsAre("u1", "u2", "u3"));
  EXPECT_THAT(parsed.values, ElementsAre("one two", "three", ""));
  EXPECT_THAT(parsed.warnings, ElementsAre("d/text:1: Windows line ends (CR LF) are read as line ends"));
  parsed = Parse("u0 a b.wav\nu1 a b.wav \r\n");
  EXPECT_THAT(parsed.values, ElementsAre("a b.wav", "a b.wav"));
  EXPECT_THAT(parsed.warnings, ElementsAre(HasSubstr("d/text:2: Windows line ends")));
  parsed = Parse("\xef\xbb\xbfu1 one\n");
  EXPECT_THAT(parsed.ids, ElementsAre("u1"));
  EXPECT_THAT(parsed.warnings, ElementsAre("d/text:1: a byte order mark (BOM) is skipped"));
  EXPECT_THAT(Parse("u1 a\n\xef\xbb\xbfu2 one\n").error, HasSubstr("d/text:2: expected printable UTF-8, found U+FEFF"));
  EXPECT_THAT(Parse("u1 a\ru2 b\r").error, HasSubstr("d/text:1: expected printable UTF-8, found U+000D"));
}

TEST(KaldiText, OddButReadable) {
  const Parsed parsed = Parse("u1 one\n\n \t\nu2 two");
  EXPECT_THAT(parsed.ids, ElementsAre("u1", "u2"));
  EXPECT_THAT(parsed.warnings, ElementsAre("d/text:2: empty lines are skipped",
                                           "d/text:4: expected a line end at the end of the file, found none: is the "
                                           "file cut short?"));
}

TEST(KaldiText, WhatNobodySeesIsAnError) {
  EXPECT_EQ(Parse(absl::string_view("u1 a\nu2 b\0c\n", 12)).error,
            "d/text:2: expected printable UTF-8, found U+0000 in \"u2 b\\x00\\x63\"");
  EXPECT_EQ(Parse("u1 \x1b[31mred\n").error, "d/text:1: expected printable UTF-8, found U+001B in \"u1 \\x1b[31mred\"");
  EXPECT_THAT(Parse("u1 caf\xe9\n").error, HasSubstr("expected printable UTF-8, found byte 0xe9 in \"u1 caf\\xe9\""));
  // A no-break space is harmless in a path, but makes one word of two.
  KaldiTextOptions words;
  words.values_are_words = true;
  EXPECT_EQ(Parse("u1 a\xc2\xa0"
                  "b\n")
                .error,
            "");
  EXPECT_THAT(Parse("u1 a\xc2\xa0"
                    "b\n",
                    words)
                  .error,
              HasSubstr("d/text:1: expected printable UTF-8 and plain spaces, found U+00A0"));
  for (const std::string& line : {std::string("u\xc2\xa0 a\n"), std::string("\x1b]0;u a\n"), std::string("\xff a\n")}) {
    EXPECT_THAT(Parse(line).error, HasSubstr("d/text:1: expected ")) << line;
  }
}

TEST(KaldiText, Ids) {
  EXPECT_EQ(Parse("u1\nu2 x\n").error, "d/text:1: expected an id, a space and more, found \"u1\"");
  EXPECT_EQ(Parse(absl::StrCat("u1 x\n", std::string(255, 'a'), " x\n")).ids.size(), 2u);
  EXPECT_EQ(Parse(absl::StrCat("u1 x\n", std::string(256, 'a'), " x\n")).error,
            absl::StrCat("d/text:2: expected an id of at most 255 bytes, without \"..\", found one of 256 bytes, \"",
                         std::string(60, 'a'), "\"..."));
  for (const char* id : {"/etc/x", "..", "../a", "a/../b", "a/..", "."}) {
    EXPECT_EQ(IdProblem(id), absl::StrCat("the path \"", id, "\"")) << id;
    EXPECT_THAT(Parse(absl::StrCat(id, " x\n")).error, HasSubstr("the path")) << id;
  }
  for (const char* id : {"a/b", "a..b", "u.1", "-rf", "$(x)", "\xe4\xbd\xa0"}) {
    EXPECT_EQ(IdProblem(id), "") << id;
    EXPECT_THAT(Parse(absl::StrCat(id, " x\n")).ids, ElementsAre(id));
  }
  EXPECT_EQ(IdProblem(""), "nothing");
  EXPECT_EQ(IdProblem("a b"), "white space in \"a b\"");
}

TEST(KaldiText, LongLines) {
  const std::string longest = absl::StrCat("u ", std::string(kMaxLineBytes - 2, 'a'), "\n");
  EXPECT_EQ(Parse(longest).error, "");
  EXPECT_THAT(Parse(absl::StrCat("a b\nb", longest)).error,
              HasSubstr("d/text:2: expected at most 1048576 bytes in a line, found 1048577"));
  KaldiTextOptions options;
  options.long_lines = true;
  EXPECT_EQ(Parse(absl::StrCat("b", longest), options).error, "");
}

TEST(KaldiText, SingleSpaces) {
  EXPECT_EQ(SingleSpaces("one two"), "one two");
  EXPECT_EQ(SingleSpaces("one  two\tthree"), "one two three");
  EXPECT_EQ(SingleSpaces(""), "");
}

}  // namespace
}  // namespace earshot
