#include "data/corpus_sources.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

std::vector<UtteranceSource> Numbered(const std::string& prefix, int count) {
  std::vector<UtteranceSource> sources(count);
  for (int i = 0; i < count; ++i) sources[i].id = absl::StrCat(prefix, i);
  return sources;
}

TEST(CorpusSources, SpeakersThenIds) {
  std::vector<UtteranceSource> sources = Numbered("u", 3);
  sources[0].speaker = "zoe";
  sources[1].speaker = "ann";
  sources[2].speaker = "ann";
  std::swap(sources[1], sources[2]);
  SortSources(&sources);
  EXPECT_EQ(sources[0].id, "u1");
  EXPECT_EQ(sources[1].id, "u2");
  EXPECT_EQ(sources[2].id, "u0");
}

TEST(CorpusSources, TheFirstTenthAtMostAHundredIsHeldOut) {
  for (const auto& [count, held_out] : std::vector<std::pair<int, int>>{{10, 1}, {29, 2}, {1000, 100}, {5000, 100}}) {
    CorpusSources corpus;
    corpus.train = Numbered("t", count);
    ASSERT_TRUE(HoldOutDev("c", &corpus).ok());
    EXPECT_EQ(static_cast<int>(corpus.dev.size()), held_out);
    EXPECT_EQ(static_cast<int>(corpus.train.size()), count - held_out);
    EXPECT_EQ(corpus.dev[0].id, "t0");
    EXPECT_EQ(corpus.train[0].id, absl::StrCat("t", held_out));
  }
  CorpusSources small;
  small.train = Numbered("t", 9);
  EXPECT_EQ(HoldOutDev("c", &small).message(),
            "c: expected a dev set, or at least 10 training utterances to take it from, found 9");
}

TEST(CorpusSources, NoUtteranceIsInTwoParts) {
  CorpusSources corpus;
  corpus.kind = "x";
  corpus.train = Numbered("t", 3);
  corpus.dev = Numbered("d", 2);
  corpus.test = Numbered("e", 1);
  EXPECT_TRUE(CheckPartsApart("c", corpus).ok());
  corpus.test.push_back(corpus.train[2]);
  EXPECT_EQ(CheckPartsApart("c", corpus).message(), "c: expected each utterance in one part, found \"t2\" in two");
  const Corpus opened = OpenSources(std::move(corpus));
  EXPECT_EQ(opened.kind, "x");
  EXPECT_EQ(opened.test->Describe(1).id, "t2");
}

}  // namespace
}  // namespace earshot
