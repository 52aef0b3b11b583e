#include "data/fsdd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "base/testing/shared_data.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<Corpus> OpenFsdd(const std::string& folder, const FsddOptions& options = {}) {
  return OpenSources(ListFsdd(folder, options));
}

// Two speakers, digits 3 and 7, takes 0, 5 and 10, written in an order that is not sorted.
std::string MakeFsdd(const std::string& name) {
  const std::string folder = MakeTestFolder(name);
  for (const char* speaker : {"zoe", "ann_b"}) {
    for (const int digit : {7, 3}) {
      for (const int take : {10, 0, 5}) {
        const std::vector<int16_t> samples = {static_cast<int16_t>(digit), static_cast<int16_t>(take), -32768};
        WriteTestFile(folder + "/" + std::to_string(digit) + "_" + speaker + "_" + std::to_string(take) + ".wav",
                      WavBytes(8000, samples));
      }
    }
  }
  WriteTestFile(folder + "/README.md", "not audio");
  return folder;
}

std::vector<std::string> Ids(const Dataset& dataset) {
  std::vector<std::string> ids;
  for (int64_t i = 0; i < dataset.size(); ++i) ids.push_back(dataset.Get(i).value().id);
  return ids;
}

TEST(Fsdd, OfficialSplit) {
  const auto corpus = OpenFsdd(MakeFsdd("official"));
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  EXPECT_EQ(corpus->kind, "fsdd");
  EXPECT_THAT(Ids(*corpus->test), ElementsAre("3_ann_b_0", "3_zoe_0", "7_ann_b_0", "7_zoe_0"));
  EXPECT_THAT(Ids(*corpus->dev), ElementsAre("3_ann_b_5", "3_zoe_5", "7_ann_b_5", "7_zoe_5"));
  EXPECT_THAT(Ids(*corpus->train), ElementsAre("3_ann_b_10", "3_zoe_10", "7_ann_b_10", "7_zoe_10"));
  const Utterance utterance = corpus->train->Get(2).value();
  EXPECT_EQ(utterance.speaker, "ann_b");
  EXPECT_EQ(utterance.text, "seven");
  EXPECT_EQ(utterance.sample_rate, 8000);
  EXPECT_THAT(utterance.waveform, ElementsAre(7, 10, -32768));
}

TEST(Fsdd, TheTestSpeakerIsNowhereElse) {
  FsddOptions options;
  options.test_speaker = "zoe";
  const auto corpus = OpenFsdd(MakeFsdd("one_out"), options);
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  EXPECT_EQ(corpus->test->size(), 6);
  EXPECT_THAT(Ids(*corpus->dev), ElementsAre("3_ann_b_5", "7_ann_b_5"));
  EXPECT_THAT(Ids(*corpus->train), ElementsAre("3_ann_b_0", "3_ann_b_10", "7_ann_b_0", "7_ann_b_10"));
  options.test_speaker = "bob";
  const absl::Status status = OpenFsdd(std::string(getenv("TEST_TMPDIR")) + "/one_out", options).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("no recording of test speaker \"bob\"; speakers: ann_b, zoe"));
}

TEST(Fsdd, RecordingsMayLieOneFolderDeeper) {
  const std::string folder = MakeTestFolder("parent");
  ASSERT_EQ(rename(MakeFsdd("inner").c_str(), (folder + "/recordings").c_str()), 0);
  EXPECT_TRUE(LooksLikeFsdd(folder));
  EXPECT_EQ(OpenFsdd(folder).value().train->size(), 4);
}

TEST(Fsdd, ErrorsNameTheFileAndThePattern) {
  for (const char* name : {"10_ann_3.wav", "3_ann_x.wav", "3_ann_03.wav", "3__1.wav", "ann_3.wav", "-1_ann_3.wav"}) {
    const std::string folder = MakeFsdd(std::string("bad_") + name);
    WriteTestFile(folder + "/" + name, "");
    const absl::Status status = OpenFsdd(folder).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(folder + "/" + name + ": the name is not {digit}_{speaker}_{take}.wav"));
  }
  const std::string empty = MakeTestFolder("empty");
  EXPECT_FALSE(LooksLikeFsdd(empty));
  EXPECT_THAT(std::string(OpenFsdd(empty).status().message()), HasSubstr(empty + ": no recording to train on"));
  EXPECT_THAT(std::string(OpenFsdd(empty + "/gone").status().message()),
              HasSubstr(empty + "/gone: cannot open: No such file"));
}

TEST(Fsdd, TheRealCorpus) {
  const char* const data = SharedData("Fsdd.TheRealCorpus");
  if (data == nullptr) GTEST_SKIP();
  const auto corpus = OpenFsdd(std::string(data) + "/fsdd");
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  EXPECT_EQ(corpus->train->size(), 2400);
  EXPECT_EQ(corpus->dev->size(), 300);
  EXPECT_EQ(corpus->test->size(), 300);
  std::set<std::string> ids, speakers, texts;
  double seconds = 0;
  for (const Dataset* part : {corpus->train.get(), corpus->dev.get(), corpus->test.get()}) {
    for (int64_t i = 0; i < part->size(); ++i) {
      const auto utterance = part->Get(i);
      ASSERT_TRUE(utterance.ok()) << utterance.status();
      EXPECT_EQ(utterance->sample_rate, 8000);
      ids.insert(utterance->id);
      speakers.insert(utterance->speaker);
      texts.insert(utterance->text);
      seconds += utterance->waveform.size() / 8000.0;
    }
  }
  EXPECT_EQ(ids.size(), 3000u);
  EXPECT_EQ(texts.size(), 10u);
  EXPECT_THAT(speakers, ElementsAre("george", "jackson", "lucas", "nicolas", "theo", "yweweler"));
  EXPECT_GT(seconds, 1000);
  FsddOptions options;
  options.test_speaker = "theo";
  const Corpus held_out = OpenFsdd(std::string(data) + "/fsdd", options).value();
  EXPECT_EQ(held_out.train->size(), 2250);
  EXPECT_EQ(held_out.dev->size(), 250);
  EXPECT_EQ(held_out.test->size(), 500);
}

}  // namespace
}  // namespace earshot
