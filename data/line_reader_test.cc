#include "data/line_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "base/testing/allocations.h"
#include "data/gunzip.h"
#include "data/limits.h"

namespace earshot {
namespace {

// "LINE:TEXT" of each line, then the error.
std::vector<std::string> Lines(absl::string_view content) {
  LineReader reader(content, "f");
  std::vector<std::string> lines;
  absl::string_view line;
  while (true) {
    const absl::StatusOr<bool> more = reader.Next(&line);
    if (!more.ok()) lines.push_back(std::string(more.status().message()));
    if (!more.ok() || !*more) return lines;
    lines.push_back(absl::StrCat(reader.line_number(), ":", line));
  }
}

std::string LastLine(absl::string_view content) { return Lines(content).back(); }

std::vector<std::string> Warnings(absl::string_view content, bool want_line_end) {
  LineReader reader(content, "f");
  absl::string_view line;
  for (bool more = true; more;) {
    const absl::StatusOr<bool> next = reader.Next(&line);
    EXPECT_TRUE(next.ok()) << next.status();
    more = next.ok() && *next;
  }
  std::vector<std::string> warnings;
  reader.AppendWarnings(want_line_end, &warnings);
  return warnings;
}

TEST(LineReaderTest, GivesLinesWithoutTheirEnds) {
  using List = std::vector<std::string>;
  EXPECT_EQ(Lines(""), List{});
  EXPECT_EQ(Lines("\n \t\n\r\n"), List{});
  EXPECT_EQ(Lines("a"), List{"1:a"});
  EXPECT_EQ(Lines("a\n"), List{"1:a"});
  EXPECT_EQ(Lines("\xef\xbb\xbf"
                  "a b \r\n\n c\r\nd"),
            (List{"1:a b ", "3: c", "4:d"}));
  EXPECT_EQ(Lines("a\n\xef\xbb\xbf\n"), (List{"1:a", "2:\xef\xbb\xbf"}));  // no mark there
  EXPECT_EQ(Lines(absl::string_view("a\0b\n", 4)), (List{std::string("1:a\0b", 5)}));
}

TEST(LineReaderTest, PackedIsAsPlain) {
  std::string text;
  for (int i = 0; i < 20000; ++i) absl::StrAppend(&text, i * i, i % 7 == 0 ? "\r\n" : "\n", i % 100 == 0 ? "\n" : "");
  ASSERT_GT(text.size(), size_t{100000});  // more than one piece
  const std::string packed = Gzip(text);
  EXPECT_LT(packed.size(), text.size());
  EXPECT_EQ(Lines(packed), Lines(text));
  EXPECT_EQ(Lines(absl::StrCat(Gzip("a\nb"), Gzip(""), Gzip("c\nd\n"))), Lines("a\nbc\nd\n"));
  EXPECT_EQ(Gzip(text), packed);
}

TEST(LineReaderTest, FilesAreAsTexts) {
  std::string text;
  for (int i = 0; i < 30000; ++i) absl::StrAppend(&text, i * i, i % 7 == 0 ? "\r\n" : "\n", i % 100 == 0 ? "\n" : "");
  ASSERT_GT(text.size(), size_t{200000});  // more than one piece
  const std::string path = absl::StrCat(testing::TempDir(), "/line_reader_test");
  for (const std::string& content : {text, text.substr(0, 65536), text.substr(0, 65537), Gzip(text), std::string("a"),
                                     std::string("\x1f"), std::string()}) {
    ASSERT_TRUE(WriteFileAtomically(path, {content}).ok());
    const auto reader = LineReader::Open(path);
    ASSERT_TRUE(reader.ok()) << reader.status();
    std::vector<std::string> lines;
    absl::string_view line;
    while (true) {
      const absl::StatusOr<bool> more = (*reader)->Next(&line);
      ASSERT_TRUE(more.ok()) << more.status();
      if (!*more) break;
      lines.push_back(absl::StrCat((*reader)->line_number(), ":", line));
    }
    EXPECT_EQ(lines, Lines(content));
  }
  EXPECT_EQ(LineReader::Open("/dev/zero").status().message(), "/dev/zero: expected a regular file");
}

TEST(LineReaderTest, TellsWhatWasOdd) {
  EXPECT_EQ(Warnings("a\nb", false), std::vector<std::string>{});
  EXPECT_EQ(absl::StrJoin(Warnings("\xef\xbb\xbf"
                                   "a\n\nb\r\nc\r\nd",
                                   true),
                          "|"),
            "f:1: a byte order mark (BOM) is skipped|f:3: Windows line ends (CR LF) are read as line ends|"
            "f:2: empty lines are skipped|"
            "f:5: expected a line end at the end of the file, found none: is the file cut short?");
  EXPECT_EQ(Warnings(Gzip("a\nb"), true).size(), 1u);
}

TEST(LineReaderTest, LinesHaveALimit) {
  const std::string longest(kMaxLineBytes, 'x');
  const std::string error = "f:2: expected at most 1048576 bytes in a line, found ";
  EXPECT_EQ(Lines(longest).size(), 1u);
  EXPECT_EQ(Lines(absl::StrCat("a\n", longest, "\nb\n")).size(), 3u);
  EXPECT_EQ(LastLine(absl::StrCat("a\n", longest, "x\nb\n")), error + "1048577");
  EXPECT_EQ(LastLine(absl::StrCat("a\n", longest, "x")), error + "1048577");
  // Packed: of text that does not shrink a thousand times.
  std::string text = "a\n";
  for (int i = 0; text.size() < 3 << 20; ++i) absl::StrAppend(&text, i, " ");
  EXPECT_EQ(LastLine(Gzip(text)), error + "more");
}

TEST(LineReaderTest, BrokenPackedTextIsRefused) {
  std::string text;
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&text, i * i, "\n");
  const std::string packed = Gzip(text);
  const size_t size = packed.size();
  EXPECT_EQ(LastLine(packed.substr(0, 5)), "f: byte 5: expected more gzip data, found the end of the file");
  EXPECT_EQ(LastLine(packed.substr(0, size - 1)),
            absl::StrCat("f: byte ", size - 1, ": expected more gzip data, found the end of the file"));
  std::string wrong = packed;
  wrong[size - 7] ^= 1;
  EXPECT_EQ(LastLine(wrong), absl::StrCat("f: byte ", size - 4, ": expected gzip data, found incorrect data check"));
  EXPECT_EQ(LastLine(absl::StrCat(packed, "junk\x1b")),
            absl::StrCat("f: byte ", size,
                         ": expected the end of the file or another gzip member, found "
                         "\"junk\\x1b\""));
  EXPECT_EQ(LastLine("\x1f\x8b"
                     "abc"),
            "f: byte 4: expected gzip data, found unknown compression method");
}

TEST(LineReaderTest, BombIsRefusedInLittleMemory) {
  constexpr int64_t kUnpacked = 32 << 20;
  const std::string expansion = ": expected at most 1000 unpacked bytes a packed one, found more";
  for (const char c : {' ', '\0', '\n', 'x'}) {
    const std::string bomb = Gzip(std::string(kUnpacked, c));
    ASSERT_LT(bomb.size(), size_t{kUnpacked / 1000});
    const int64_t before = AllocatedBytes();
    ResetPeakAllocatedBytes();
    const std::vector<std::string> lines = Lines(bomb);
    EXPECT_LT(PeakAllocatedBytes() - before, 4 * static_cast<int64_t>(bomb.size()) + (3 << 20));
    ASSERT_EQ(lines.size(), 1u);
    const bool refused =
        lines[0].find(expansion) != std::string::npos ||
        lines[0] == "f:1: expected at most 1048576 bytes in a line, found more" ||
        lines[0].find(": expected at most one line for two packed bytes, found more") != std::string::npos;
    EXPECT_TRUE(refused) << lines[0];
  }
}

// A thousand times fewer bytes than lines of a manifest: each would become an utterance.
TEST(LineReaderTest, ManyEqualLinesAreRefused) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "{\"wav\":\"a\"}\n";
  const std::vector<std::string> lines = Lines(Gzip(text));
  EXPECT_LT(lines.size(), 40000u);
  EXPECT_EQ(lines.back().substr(lines.back().find(": ")),
            ": expected at most one line for two packed bytes, found more");
}

}  // namespace
}  // namespace earshot
