// The harness on a small format, "n (4 bytes, little-endian), n bytes": its counts, and that a careless reader of it is
// caught.
#include "base/testing/mutation.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "base/read_error.h"

namespace earshot {
namespace {

const absl::string_view kFile("\x05\0\0\0hello", 9);

uint32_t Length(absl::string_view content) {
  uint32_t n = 0;
  for (int i = 3; i >= 0; --i) n = n << 8 | static_cast<unsigned char>(content[i]);
  return n;
}

absl::Status Careful(absl::string_view content, absl::string_view name) {
  if (content.size() < 4) return ByteError(name, content.size(), "a length", "the end of the file");
  const uint32_t n = Length(content);
  if (n == content.size() - 4) return absl::OkStatus();
  return ByteError(name, 0, absl::StrCat(content.size() - 4), absl::StrCat(n));
}

absl::Status Greedy(absl::string_view content, absl::string_view name) {
  if (content.size() >= 4 && Length(content) < (1u << 28)) std::string(Length(content), 'x');
  return Careful(content, name);
}

absl::Status Vague(absl::string_view content, absl::string_view name) {
  return Careful(content, name).ok() ? absl::OkStatus() : absl::DataLossError("a damaged file");
}

void Repair(std::string* content) {
  if (content->size() >= 4) content->replace(0, 4, {static_cast<char>(content->size() - 4), 0, 0, 0});
}

TEST(MutationTest, CountsEveryChange) {
  const MutationCounts counts = ReadEveryMutation(kFile, Careful);
  EXPECT_EQ(counts.bits.cases, 72);
  EXPECT_EQ(counts.bits.refused, 32);  // those of the length
  EXPECT_EQ(counts.truncations.cases, 9);
  EXPECT_EQ(counts.truncations.refused, 9);
  EXPECT_EQ(counts.deletions.cases, 9);
  EXPECT_EQ(counts.deletions.refused, 9);
  EXPECT_GT(counts.windows.cases, 100);
  EXPECT_EQ(counts.numbers.cases, 0);
}

TEST(MutationTest, NumbersOfText) {
  const MutationCounts counts = ReadEveryMutation(
      "rows 12 columns 3\n",
      [](absl::string_view content, absl::string_view name) {
        return content == "rows 12 columns 3\n" ? absl::OkStatus() : LineError(name, 1, "the same", Quoted(content));
      },
      {1.0});
  EXPECT_EQ(counts.numbers.cases, 2 * 16);
  EXPECT_EQ(counts.windows.cases, 0);
  EXPECT_EQ(counts.refused(), counts.cases());
}

TEST(MutationTest, RepairedFilesAreReadToo) {
  const MutationCounts counts = ReadEveryMutation(kFile, Careful, {0.1, Repair});
  EXPECT_EQ(counts.truncations.cases, 9 + 5);  // those of 4 to 8 bytes can be repaired
  EXPECT_EQ(counts.truncations.refused, 9);
}

TEST(MutationTest, CarelessReadersAreCaught) {
  EXPECT_NONFATAL_FAILURE(ReadEveryMutation(kFile, Vague), "the message is not in the form");
}

TEST(MutationTest, GreedyReadersAreCaught) {
  EXPECT_NONFATAL_FAILURE(ReadEveryMutation(kFile, Greedy), "bytes of memory");
}

TEST(MutationTest, ReadersThatTakeAnythingAreCaught) {
  const auto anything = [](absl::string_view, absl::string_view) { return absl::OkStatus(); };
  EXPECT_NONFATAL_FAILURE(ReadEveryMutation(kFile, anything), "min_refused");
}

}  // namespace
}  // namespace earshot
