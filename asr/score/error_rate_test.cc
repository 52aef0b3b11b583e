#include "asr/score/error_rate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace earshot {
namespace {

ErrorRate Rate(const std::vector<std::pair<std::string, std::string>>& pairs) {
  ErrorRate rate;
  for (size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_TRUE(rate.Add("u" + std::to_string(i), pairs[i].first, pairs[i].second).ok());
  }
  return rate;
}

TEST(ErrorRateTest, KaldisLines) {
  const ErrorRate rate = Rate({{"a b c", "a x c y"}, {"d e", "d e"}});
  EXPECT_EQ(rate.WerLine(), "%WER 40.00 [ 2 / 5, 1 ins, 0 del, 1 sub ]");
  EXPECT_EQ(rate.SerLine(), "%SER 50.00 [ 1 / 2 ]");
  EXPECT_EQ(rate.ScoredLine(), "Scored 2 sentences, 0 not present in hyp.");
  EXPECT_EQ(RateLine("FER", {1, 0, 0, 8}), "%FER 12.50 [ 1 / 8, 0 ins, 0 del, 1 sub ]");
}

TEST(ErrorRateTest, EmptyReferences) {
  const ErrorRate rate = Rate({{"", ""}, {"", "a b"}, {"c", "c"}});
  EXPECT_EQ(rate.WerLine(), "%WER 200.00 [ 2 / 1, 2 ins, 0 del, 0 sub ]");
  EXPECT_EQ(rate.SerLine(), "%SER 33.33 [ 1 / 3 ]");
  const ErrorRate only_empty = Rate({{"", "a b"}});
  EXPECT_EQ(only_empty.WerLine(), "%WER nan [ 2 / 0, 2 ins, 0 del, 0 sub ]");
  EXPECT_TRUE(std::isnan(only_empty.words().percent()));
  EXPECT_EQ(ErrorRate().SerLine(), "%SER nan [ 0 / 0 ]");
}

TEST(ErrorRateTest, MoreThanAHundredPercent) {
  EXPECT_EQ(Rate({{"a", "a b c d"}}).WerLine(), "%WER 300.00 [ 3 / 1, 3 ins, 0 del, 0 sub ]");
}

TEST(ErrorRateTest, ErrorsOverWordsNotTheMeanOfRates) {
  EXPECT_NEAR(Rate({{"a b c d e f g h i j", "a b c d e f g h i j"}, {"k", "l"}}).words().percent(), 9.0909091, 1e-7);
}

TEST(ErrorRateTest, ReferenceAndHypothesisAreNotTheSame) {
  EXPECT_EQ(Rate({{"one two three four", "one two"}}).WerLine(), "%WER 50.00 [ 2 / 4, 0 ins, 2 del, 0 sub ]");
  EXPECT_EQ(Rate({{"one two", "one two three four"}}).WerLine(), "%WER 100.00 [ 2 / 2, 2 ins, 0 del, 0 sub ]");
}

TEST(ErrorRateTest, CharactersAreCodePoints) {
  EXPECT_EQ(Rate({{"für größe", "fur grosse"}}).CerLine(), "%CER 44.44 [ 4 / 9, 1 ins, 0 del, 3 sub ]");
  EXPECT_EQ(Rate({{"  ab \t c\n", "ab c"}}).CerLine(), "%CER 0.00 [ 0 / 4, 0 ins, 0 del, 0 sub ]");
  EXPECT_EQ(Rate({{"日本", "日木"}}).CerLine(), "%CER 50.00 [ 1 / 2, 0 ins, 0 del, 1 sub ]");
}

// The same words, composed and decomposed: texts are taken as they are.
TEST(ErrorRateTest, NormalFormsDiffer) {
  const ErrorRate rate = Rate({{"f\u00fcr gr\u00f6\u00dfe", "fu\u0308r gro\u0308\u00dfe"}});
  EXPECT_EQ(rate.words().errors(), 2);
  EXPECT_EQ(rate.characters().errors(), 4);
  EXPECT_EQ(rate.characters().reference, 9);
}

TEST(ErrorRateTest, BytesThatAreNotUtf8) {
  ErrorRate rate;
  const absl::Status status = rate.Add("u7", "a b", "a \xff");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message().find("hypothesis of u7: "), 0u) << status;
  EXPECT_EQ(rate.sentences(), 0);
  EXPECT_EQ(rate.words().reference, 0);
}

const std::map<std::string, std::string> kReferences = {{"u1", "a b"}, {"u2", "c d e"}, {"u3", "f"}};
const std::map<std::string, std::string> kHypotheses = {{"u1", "a b"}, {"u3", "g"}, {"u9", "x"}};

TEST(ScoreTextsTest, MissingHypotheses) {
  const auto all = ScoreTexts(kReferences, kHypotheses, MissingHypothesis::kAll);
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(all->WerLine(), "%WER 66.67 [ 4 / 6, 0 ins, 3 del, 1 sub ] [PARTIAL]");
  EXPECT_EQ(all->SerLine(), "%SER 66.67 [ 2 / 3 ]");
  EXPECT_EQ(all->ScoredLine(), "Scored 3 sentences, 1 not present in hyp.");

  const auto present = ScoreTexts(kReferences, kHypotheses, MissingHypothesis::kPresent);
  ASSERT_TRUE(present.ok()) << present.status();
  EXPECT_EQ(present->WerLine(), "%WER 33.33 [ 1 / 3, 0 ins, 0 del, 1 sub ] [PARTIAL]");
  EXPECT_EQ(present->ScoredLine(), "Scored 2 sentences, 1 not present in hyp.");
}

TEST(ScoreTextsTest, StrictNamesWhatIsMissing) {
  EXPECT_EQ(ScoreTexts(kReferences, kHypotheses, MissingHypothesis::kStrict).status().message(),
            "hypothesis of u9: no reference has this id");
  EXPECT_EQ(ScoreTexts(kReferences, {{"u1", "a b"}, {"u3", "g"}}, MissingHypothesis::kStrict).status().message(),
            "reference of u2: no hypothesis has this id");
  EXPECT_TRUE(ScoreTexts(kReferences, kReferences, MissingHypothesis::kStrict).ok());
}

TEST(ErrorRateTest, WorstAlignmentsFirst) {
  const ErrorRate rate = Rate({{"a", "b"}, {"a b", "c d"}, {"a", "a"}, {"c", "d"}});
  EXPECT_EQ(rate.WorstAlignments(2),
            "u1\nREF:  a b\nHYP:  c d\nEVAL: S S\n"
            "u0\nREF:  a\nHYP:  b\nEVAL: S\n");
  EXPECT_EQ(rate.WorstAlignments(100).find("u2"), std::string::npos);
  EXPECT_EQ(rate.WorstAlignments(0), "");
}

// 10^10 pairs of words would be 10 GB.
TEST(ErrorRateTest, LongTextsAreNotAligned) {
  std::string words = "a";
  for (int i = 1; i < 8193; ++i) words += " a";
  EXPECT_EQ(Rate({{words, words + " b"}, {"a", "b"}}).WorstAlignments(2),
            "u0\n(8193 words against 8194: too many to show)\nu1\nREF:  a\nHYP:  b\nEVAL: S\n");
}

}  // namespace
}  // namespace earshot
