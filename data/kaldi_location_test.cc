#include "data/kaldi_location.h"

#include <gtest/gtest.h>

#include <string>

namespace earshot {
namespace {

std::string Parsed(absl::string_view text) {
  const auto location = ParseKaldiLocation(text);
  if (!location.ok()) return std::string(location.status().message());
  std::string out = location->path + " at " + std::to_string(location->offset);
  if (location->has_range) {
    for (const KaldiInterval& i : {location->rows, location->cols}) {
      out += " " + std::to_string(i.first) + ":" + std::to_string(i.last);
    }
  }
  return out;
}

TEST(KaldiLocationTest, PathOffsetAndRange) {
  EXPECT_EQ(Parsed("a.ark:17"), "a.ark at 17");
  EXPECT_EQ(Parsed("a.mat"), "a.mat at -1");
  EXPECT_EQ(Parsed("/d/a b.ark:5000000000"), "/d/a b.ark at 5000000000");
  EXPECT_EQ(Parsed("a.ark:17[0:9]"), "a.ark at 17 0:9 0:-1");
  EXPECT_EQ(Parsed("a.ark:17[0:9,2:5]"), "a.ark at 17 0:9 2:5");
  EXPECT_EQ(Parsed("a.ark:17[,2:5]"), "a.ark at 17 0:-1 2:5");
  EXPECT_EQ(Parsed("a.ark:17[:,2:5]"), "a.ark at 17 0:-1 2:5");
  EXPECT_EQ(Parsed("a.mat[3:3]"), "a.mat at -1 3:3 0:-1");
  EXPECT_EQ(Parsed("http:x.ark"), "http:x.ark at -1");
  EXPECT_EQ(Parsed("a:b.ark:3"), "a:b.ark at 3");
  EXPECT_EQ(Parsed("  a.ark:3 "), "a.ark at 3");
  EXPECT_EQ(Parsed("a[1].ark:3"), "a[1].ark at 3") << "brackets within a name";
}

TEST(KaldiLocationTest, RefusesTheRestByName) {
  EXPECT_EQ(Parsed("cat a.ark |"), "cat a.ark |: expected a file, found a command");
  EXPECT_EQ(Parsed("| cat"), "| cat: expected a file, found a command");
  EXPECT_EQ(Parsed("-"), "-: expected a file, found the standard input");
  EXPECT_EQ(Parsed(" "), "\"\": expected a file, found nothing");
  EXPECT_EQ(Parsed("a\x1b[2J"), "\"a\\x1b[2J\": expected a file, found control characters in its name");
  for (const char* range : {"[]", "[5]", "[5:2]", "[-1:2]", "[1:2:3]", "[1:2,3:4,5:6]", "[a:b]", "[ 1:2]", "[1:2,x]",
                            "[99999999999999999999:2]"}) {
    EXPECT_EQ(Parsed(std::string("a.ark:1") + range),
              std::string("a.ark:1") + range + ": expected a range like [0:9] or [0:9,2:5], found \"" + range + "\"");
  }
  EXPECT_EQ(Parsed("a.ark:99999999999999999999"),
            "a.ark:99999999999999999999: expected an offset below 2^63, found \"99999999999999999999\"");
}

std::string Cropped(const std::string& range, int64_t rows, int64_t cols, bool is_vector = false) {
  const auto location = ParseKaldiLocation("a" + range);
  EXPECT_TRUE(location.ok()) << location.status();
  const auto crop = CropFor(*location, "a" + range, rows, cols, is_vector);
  if (!crop.ok()) return std::string(crop.status().message());
  return std::to_string(crop->first_row) + "+" + std::to_string(crop->rows) + " " + std::to_string(crop->first_col) +
         "+" + std::to_string(crop->cols);
}

TEST(KaldiLocationTest, RangesAreInclusiveAndRowsMayOvershootByThree) {
  EXPECT_EQ(Cropped("[0:3]", 12, 5), "0+4 0+5");
  EXPECT_EQ(Cropped("[2:4,1:3]", 12, 5), "2+3 1+3");
  EXPECT_EQ(Cropped("[,0:1]", 12, 5), "0+12 0+2");
  EXPECT_EQ(Cropped("[11:11]", 12, 5), "11+1 0+5");
  EXPECT_EQ(Cropped("[10:14]", 12, 5), "10+2 0+5");
  EXPECT_EQ(Cropped("[10:15]", 12, 5), "a[10:15]: expected rows within 0:11, found 10:15");
  EXPECT_EQ(Cropped("[12:13]", 12, 5), "a[12:13]: expected rows within 0:11, found 12:13");
  EXPECT_EQ(Cropped("[0:1,3:5]", 12, 5), "a[0:1,3:5]: expected columns within 0:4, found 3:5");
  EXPECT_EQ(Cropped("[0:9223372036854775807]", 12, 5),
            "a[0:9223372036854775807]: expected rows within 0:11, found 0:9223372036854775807");
}

TEST(KaldiLocationTest, ARangeOfAVectorCountsElements) {
  EXPECT_EQ(Cropped("[1:3]", 1, 6, true), "0+1 1+3");
  EXPECT_EQ(Cropped("[4:8]", 1, 6, true), "0+1 4+2");
  EXPECT_EQ(Cropped("[4:9]", 1, 6, true), "a[4:9]: expected elements within 0:5, found 4:9");
  EXPECT_EQ(Cropped("[0:0,1:3]", 1, 6, true),
            "a[0:0,1:3]: expected one range, of elements, for a vector, found rows and columns");
}

}  // namespace
}  // namespace earshot
