#include "data/manifest_corpus.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"

namespace earshot {
namespace {

class ManifestCorpusTest : public testing::Test {
 protected:
  void Write(const std::string& name, absl::string_view content) {
    ASSERT_TRUE(MakeDirectories(folder_).ok());
    const absl::Status status = WriteFileAtomically(absl::StrCat(folder_, "/", name), {content});
    ASSERT_TRUE(status.ok()) << status;
  }
  void Remove(const std::string& name) { ASSERT_TRUE(RemoveFile(absl::StrCat(folder_, "/", name)).ok()); }

  // The error, without the folder; or the kind and the ids of the parts.
  std::string List() {
    const auto corpus = ListManifests(folder_);
    if (!corpus.ok()) return std::string(corpus.status().message()).substr(folder_.size());
    const auto ids = [](const std::vector<UtteranceSource>& sources) {
      return absl::StrJoin(sources, ",", [](std::string* out, const auto& source) { out->append(source.id); });
    };
    return absl::StrCat(corpus->kind, " train ", ids(corpus->train), " dev ", ids(corpus->dev), " test ",
                        ids(corpus->test));
  }

  const std::string folder_ = absl::StrCat(testing::TempDir(), "/manifest_corpus_test.",
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
};

std::string Nemo(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) absl::StrAppend(&text, "{\"wav\": \"/", id, ".wav\", \"id\": \"", id, "\"}\n");
  return text;
}

TEST_F(ManifestCorpusTest, PartsAreWordsOfFileNames) {
  Write("an4_Train-manifest.json", Nemo({"b", "a"}));
  Write("an4.validation.jsonl", Nemo({"d"}));
  Write("test", Nemo({"t"}));
  Write("trainer.json", Nemo({"x"}));            // no word of a part
  Write("validated.tsv", "path\ttext\nx\ty\n");  // likewise
  Write("train.txt", "hello\n");                 // no manifest
  Write("train_config.json", "{\n}\n");
  Write("test.wav", absl::string_view("RIFF\0\0\0\0WAVE", 12));
  EXPECT_TRUE(LooksLikeManifests(folder_));
  EXPECT_EQ(List(), "nemo train a,b dev d test t");
}

TEST_F(ManifestCorpusTest, DevIsHeldOutOfTrain) {
  std::vector<std::string> ids;
  for (int i = 0; i < 25; ++i) ids.push_back(absl::StrCat("u", 99 - i));
  Write("train.json", Nemo(ids));
  Write("test.json", Nemo({"t"}));
  const auto corpus = ListManifests(folder_);
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  ASSERT_EQ(corpus->dev.size(), 2u);
  EXPECT_EQ(corpus->dev[0].id, "u75");
  EXPECT_EQ(corpus->dev[1].id, "u76");
  EXPECT_EQ(corpus->train.size(), 23u);
  Write("train.json", Nemo({"a", "b"}));
  EXPECT_EQ(List(), ": expected a dev set, or at least 10 training utterances to take it from, found 2");
}

TEST_F(ManifestCorpusTest, LhotsesPairIsOneManifest) {
  for (const char* part : {"train", "dev", "test"}) {
    Write(absl::StrCat("x_recordings_", part, ".jsonl"),
          absl::StrCat("{\"id\": \"", part, "\", \"sources\": [{\"type\": \"file\", \"channels\": [0], \"source\": \"/",
                       part, ".wav\"}], \"sampling_rate\": 8000, \"num_samples\": 8000}\n"));
    Write(absl::StrCat("x_supervisions_", part, ".jsonl"),
          absl::StrCat("{\"id\": \"", part, "\", \"recording_id\": \"", part, "\", \"start\": 0, \"duration\": 1}\n"));
  }
  EXPECT_EQ(List(), "lhotse train train dev dev test test");
}

TEST_F(ManifestCorpusTest, AmbiguityIsAnError) {
  Write("train.json", Nemo({"a"}));
  EXPECT_EQ(List(), ": expected a manifest with the word test in its name, found only \"train.json\"");
  Write("test-clean.json", Nemo({"t"}));
  Write("dev.json", Nemo({"d"}));
  EXPECT_EQ(List(), "nemo train a dev d test t");
  Write("test-other.json", Nemo({"u"}));
  EXPECT_EQ(List(),
            ": expected one manifest with the word test in its name, found \"test-clean.json\", \"test-other.json\"");
  Remove("test-other.json");
  Write("train_dev.json", Nemo({"u"}));
  EXPECT_EQ(List(), ": expected manifests whose names have the word of one part, found \"train_dev.json\"");
  Remove("train_dev.json");
  Write("dev.json", "audio\ttext\n/d.wav\tx\n");
  EXPECT_EQ(List(), ": expected manifests of one kind, nemo as for train, found \"dev.json\" of tsv");
}

TEST_F(ManifestCorpusTest, NoUtteranceIsInTwoParts) {
  Write("train.json", Nemo({"a", "b"}));
  Write("dev.json", Nemo({"d"}));
  Write("test.json", Nemo({"t", "b"}));
  EXPECT_EQ(List(), ": expected the audio of each utterance in one part, found that of \"b\", \"/b.wav\", in two");
  Write("test.json", "{\"wav\": \"/else.wav\", \"id\": \"b\"}\n");
  EXPECT_EQ(List(), ": expected each utterance in one part, found \"b\" in two");
  Write("test.json", "{\"wav\": \"/else/b.wav\"}\n");  // its id is only the name of its file
  EXPECT_EQ(List(), "nemo train a,b dev d test b-2");
}

TEST_F(ManifestCorpusTest, SegmentsOfOneRecordingMayBeInSeveralParts) {
  const auto segment = [](const char* id, const char* begin) {
    return absl::StrCat("{\"wav\": \"/long.wav\", \"id\": \"", id, "\", \"offset\": ", begin, ", \"duration\": 0.1}\n");
  };
  Write("train.json", segment("a", "123456.25"));
  Write("dev.json", segment("d", "123456.5"));
  Write("test.json", segment("t", "123456.125"));
  EXPECT_EQ(List(), "nemo train a dev d test t");
  Write("test.json", segment("t", "123456.5"));
  EXPECT_EQ(List(), ": expected the audio of each utterance in one part, found that of \"t\", \"/long.wav\", in two");
}

TEST_F(ManifestCorpusTest, BrokenManifestIsNamed) {
  Write("train.json", Nemo({"a"}) + "{\"wav\": 1}\n");
  Write("test.json", Nemo({"t"}));
  EXPECT_EQ(List(), "/train.json:2: byte 8: expected a string, found '1'");
  EXPECT_FALSE(LooksLikeManifests(folder_ + "/train.json"));
  EXPECT_FALSE(LooksLikeManifests(folder_ + "/none"));
  Remove("train.json");
  EXPECT_FALSE(LooksLikeManifests(folder_));
  Write("train.jsonl", "");
  EXPECT_FALSE(LooksLikeManifests(folder_));
}

}  // namespace
}  // namespace earshot
