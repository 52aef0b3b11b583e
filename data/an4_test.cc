#include "data/an4.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/testing/shared_data.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<Corpus> OpenAn4(const std::string& folder) { return OpenSources(ListAn4(folder)); }

struct Lists {
  std::string train_ids, train_text, test_ids, test_text;
};

// Speakers s0 to s11, ten utterances each, listed backwards; the test has one utterance.
Lists GoodLists() {
  Lists lists;
  for (int i = 119; i >= 0; --i) {
    const std::string id = absl::StrCat("cen", i % 10, "-s", i / 10, "-b");
    absl::StrAppend(&lists.train_ids, "an4_clstk/s", i / 10, "/", id, "\n");
    absl::StrAppend(&lists.train_text, "<s> GO  ON </s> (", id, ")\n");
  }
  lists.test_ids = "an4test_clstk/t/an1-t-b";
  lists.test_text = "YES (an1-t-b)";
  return lists;
}

std::string MakeAn4(const std::string& name, const Lists& lists) {
  const std::string folder = MakeTestFolder(name);
  for (const char* inner : {"/etc", "/wav", "/wav/an4_clstk", "/wav/an4test_clstk", "/wav/an4test_clstk/t"}) {
    mkdir((folder + inner).c_str(), 0755);
  }
  for (int speaker = 0; speaker < 12; ++speaker) {
    const std::string inner = absl::StrCat(folder, "/wav/an4_clstk/s", speaker);
    mkdir(inner.c_str(), 0755);
    for (int i = 0; i < 10; ++i) {
      WriteTestFile(absl::StrCat(inner, "/cen", i, "-s", speaker, "-b.wav"), WavBytes(16000, {1, 2, 3}));
    }
  }
  WriteTestFile(folder + "/wav/an4test_clstk/t/an1-t-b.wav", WavBytes(16000, {5, -5}));
  WriteTestFile(folder + "/etc/an4_train.fileids", lists.train_ids);
  WriteTestFile(folder + "/etc/an4_train.transcription", lists.train_text);
  WriteTestFile(folder + "/etc/an4_test.fileids", lists.test_ids);
  WriteTestFile(folder + "/etc/an4_test.transcription", lists.test_text);
  return folder;
}

TEST(An4, PartsTextsAndSpeakers) {
  const std::string folder = MakeAn4("good", GoodLists());
  EXPECT_TRUE(LooksLikeAn4(folder));
  const auto corpus = OpenAn4(folder);
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  EXPECT_EQ(corpus->kind, "an4");
  EXPECT_EQ(corpus->train->size(), 20);
  EXPECT_EQ(corpus->dev->size(), 100);
  EXPECT_EQ(corpus->test->size(), 1);
  // Sorted by speaker as text: s0, s1, s10, s11, s2, ... s7 make the first hundred.
  EXPECT_EQ(corpus->dev->Get(0).value().id, "cen0-s0-b");
  EXPECT_EQ(corpus->dev->Get(20).value().id, "cen0-s10-b");
  EXPECT_EQ(corpus->train->Get(0).value().id, "cen0-s8-b");
  const Utterance utterance = corpus->test->Get(0).value();
  EXPECT_EQ(utterance.text, "YES");
  EXPECT_EQ(utterance.speaker, "t");
  EXPECT_EQ(utterance.sample_rate, 16000);
  EXPECT_EQ(utterance.waveform, (std::vector<float>{5, -5}));
  EXPECT_EQ(corpus->train->Get(3).value().text, "GO ON");
}

TEST(An4, ListsThatDisagreeAreErrorsWithTheirLine) {
  const auto message = [](const std::string& name, const Lists& lists) {
    return std::string(OpenAn4(MakeAn4(name, lists)).status().message());
  };
  Lists lists = GoodLists();
  lists.train_text = absl::StrReplaceAll(lists.train_text, {{"(cen8-s11-b)", "(cen7-s11-b)"}});
  EXPECT_THAT(message("other_id", lists),
              HasSubstr("an4_train.transcription:2: expected the utterance \"cen8-s11-b\" of the fileids, found "
                        "\"cen7-s11-b\""));
  lists = GoodLists();
  lists.test_text += "\nNO (an2-t-b)\n";
  EXPECT_THAT(message("longer", lists), HasSubstr("an4_test.transcription:2: expected as many lines as "));
  lists = GoodLists();
  lists.test_text = "YES";
  EXPECT_THAT(message("no_id", lists), HasSubstr("an4_test.transcription:1: expected words and \"(utterance id)\""));
  lists = GoodLists();
  lists.test_ids = "an4test_clstk/t/../an1-t-b";
  EXPECT_THAT(message("dots", lists), HasSubstr("expected FOLDER/SPEAKER/UTTERANCE"));
  lists = GoodLists();
  lists.test_ids = "an4test_clstk/t/an9-t-b";
  lists.test_text = "YES (an9-t-b)";
  EXPECT_THAT(message("no_audio", lists), HasSubstr("/wav/an4test_clstk/t/an9-t-b: no file with this name and .flac"));
  lists = GoodLists();
  lists.test_ids += "\n" + lists.test_ids;
  lists.test_text += "\n" + lists.test_text;
  EXPECT_THAT(message("twice", lists),
              HasSubstr("an4_test.transcription:2: expected an utterance in one place only, found \"an1-t-b\""));
  lists = GoodLists();
  lists.test_ids = "an4_clstk/s3/cen5-s3-b";
  lists.test_text = "GO (cen5-s3-b)";
  EXPECT_THAT(message("both", lists),
              HasSubstr("an4_test.transcription:1: expected an utterance in one place only, found \"cen5-s3-b\""));
}

TEST(An4, TheRealCorpus) {
  const char* const data = SharedData("An4.TheRealCorpus");
  if (data == nullptr) GTEST_SKIP();
  const auto corpus = OpenAn4(std::string(data) + "/an4");
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  EXPECT_EQ(corpus->train->size(), 848);
  EXPECT_EQ(corpus->dev->size(), 100);
  EXPECT_EQ(corpus->test->size(), 130);
  std::set<std::string> ids, test_speakers, other_speakers;
  int test_words = 0;
  for (const Dataset* part : {corpus->train.get(), corpus->dev.get(), corpus->test.get()}) {
    for (int64_t i = 0; i < part->size(); ++i) {
      const auto utterance = part->Get(i);
      ASSERT_TRUE(utterance.ok()) << utterance.status();
      EXPECT_EQ(utterance->sample_rate, 16000);
      EXPECT_GT(utterance->waveform.size(), 1600u);
      ids.insert(utterance->id);
      (part == corpus->test.get() ? test_speakers : other_speakers).insert(utterance->speaker);
      if (part == corpus->test.get()) test_words += std::count(utterance->text.begin(), utterance->text.end(), ' ') + 1;
    }
  }
  EXPECT_EQ(ids.size(), 1078u);
  EXPECT_EQ(test_words, 773);
  EXPECT_EQ(test_speakers.size(), 10u);
  EXPECT_EQ(other_speakers.size(), 74u);
}

}  // namespace
}  // namespace earshot
