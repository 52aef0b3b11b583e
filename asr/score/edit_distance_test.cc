#include "asr/score/edit_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"

namespace earshot {
namespace {

using Words = std::vector<std::string>;

Words Split(const std::string& text) { return absl::StrSplit(text, ' ', absl::SkipEmpty()); }

// "ins del sub / words"
std::string Text(const ErrorCounts& c) {
  return std::to_string(c.insertions) + " " + std::to_string(c.deletions) + " " + std::to_string(c.substitutions) +
         " / " + std::to_string(c.reference);
}

std::string Counts(const std::string& reference, const std::string& hypothesis) {
  return Text(CountErrors(Align(Split(reference), Split(hypothesis))));
}

TEST(EditDistanceTest, CountsByHand) {
  EXPECT_EQ(Counts("", ""), "0 0 0 / 0");
  EXPECT_EQ(Counts("", "a b"), "2 0 0 / 0");
  EXPECT_EQ(Counts("c", "c"), "0 0 0 / 1");
  EXPECT_EQ(Counts("a", "a b c d"), "3 0 0 / 1");
  EXPECT_EQ(Counts("one two three four", "one two"), "0 2 0 / 4");
  EXPECT_EQ(Counts("one two", "one two three four"), "2 0 0 / 2");  // swapped: other counts, another divisor
  EXPECT_EQ(Counts("a b c", "a x c"), "0 0 1 / 3");
  EXPECT_EQ(Counts("a b c", ""), "0 3 0 / 3");
}

// Both have two errors; Kaldi counts the first.
TEST(EditDistanceTest, TiesAsKaldiBreaksThem) {
  EXPECT_EQ(Counts("a b", "b c"), "1 1 0 / 2");
  EXPECT_EQ(Counts("a b", "c a"), "1 1 0 / 2");
  // Where only substitutions reach the minimum there is nothing to choose.
  EXPECT_EQ(Counts("a b", "c d"), "0 0 2 / 2");
}

// 10^10 pairs of tokens would be the alignment's table.
TEST(EditDistanceTest, LongTextsTakeLittleMemory) {
  Words reference(100'000, "a"), hypothesis = {"b", "a"};
  EXPECT_EQ(Text(CountErrors(reference, hypothesis)), "0 99998 1 / 100000");
  EXPECT_EQ(Text(CountErrors(hypothesis, reference)), "99998 0 1 / 2");
}

TEST(EditDistanceTest, RatesMayBeUndefinedOrLarge) {
  ErrorCounts counts = CountErrors(Align(Split("a"), Split("a b c d")));
  EXPECT_EQ(counts.percent(), 300);
  EXPECT_TRUE(std::isnan(ErrorCounts().percent()));
  counts.Add(CountErrors(Align(Split("e f g"), Split("e f g"))));
  EXPECT_EQ(counts.percent(), 75);
}

TEST(EditDistanceTest, AlignmentLeadsFromOneToTheOther) {
  std::ifstream file("asr/score/testdata/wer_cases.txt");
  int cases = 0;
  for (std::string line; std::getline(file, line); ++cases) {
    const std::vector<std::string> fields = absl::StrSplit(line, '\t');
    ASSERT_EQ(fields.size(), 3u) << line;
    Words reference, hypothesis;
    for (char c : fields[1]) reference.emplace_back(1, c);
    for (char c : fields[2]) hypothesis.emplace_back(1, c);
    const std::vector<Edit> alignment = Align(reference, hypothesis);
    const ErrorCounts counts = CountErrors(alignment);
    EXPECT_EQ(counts.errors(), std::stoi(fields[0])) << line;  // jiwer
    EXPECT_EQ(Text(CountErrors(reference, hypothesis)), Text(counts)) << line;
    EXPECT_EQ(counts.reference, static_cast<int64_t>(reference.size()));
    size_t r = 0, h = 0;
    for (Edit edit : alignment) {
      if (edit == Edit::kMatch || edit == Edit::kSubstitution) {
        ASSERT_EQ(reference.at(r) == hypothesis.at(h), edit == Edit::kMatch) << line;
      }
      if (edit != Edit::kInsertion) ++r;
      if (edit != Edit::kDeletion) ++h;
    }
    EXPECT_EQ(r, reference.size());
    EXPECT_EQ(h, hypothesis.size());
  }
  EXPECT_EQ(cases, 1000);
}

std::string Format(const std::string& reference, const std::string& hypothesis) {
  const Words ref = Split(reference), hyp = Split(hypothesis);
  return FormatAlignment(ref, hyp, Align(ref, hyp));
}

TEST(EditDistanceTest, ThreeLines) {
  EXPECT_EQ(Format("one two three", "one too and three"),
            "REF:  one two *** three\n"
            "HYP:  one too and three\n"
            "EVAL:     S   I\n");
  EXPECT_EQ(Format("größe ist gut", "größe gut ja"),
            "REF:  größe ist gut **\n"
            "HYP:  größe *** gut ja\n"
            "EVAL:       D       I\n");
  EXPECT_EQ(Format("", ""), "REF:\nHYP:\nEVAL:\n");
}

}  // namespace
}  // namespace earshot
