#include "data/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::HasSubstr;

TEST(Corpus, KindsAreRecognisedByTheirContent) {
  const std::string digits = MakeTestFolder("anything");
  for (const char* take : {"0", "5", "10"}) {
    WriteTestFile(digits + "/1_ann_" + take + ".wav", WavBytes(8000, {1, 2}));
  }
  EXPECT_EQ(OpenCorpus(digits).value().kind, "fsdd");
  const std::string an4 = MakeTestFolder("something");
  ASSERT_EQ(mkdir((an4 + "/etc").c_str(), 0755), 0);
  WriteTestFile(an4 + "/etc/an4_train.fileids", "");
  // Recognised, and then found to lack the rest.
  EXPECT_THAT(std::string(OpenCorpus(an4).status().message()), HasSubstr("an4_train.transcription"));
  const std::string kaldi = MakeTestFolder("some_folder");
  for (const char* part : {"/train", "/dev", "/test"}) {
    ASSERT_EQ(mkdir((kaldi + part).c_str(), 0755), 0);
    WriteTestFile(kaldi + part + "/wav.scp", std::string(part + 1) + "_1 a.wav\n");
    WriteTestFile(kaldi + part + "/text", std::string(part + 1) + "_1 WORD\n");
  }
  EXPECT_EQ(OpenCorpus(kaldi).value().kind, "kaldi");
  EXPECT_EQ(ListCorpus(kaldi).value().test[0].id, "test_1");
  for (const std::string& folder : {digits, an4, kaldi}) EXPECT_TRUE(LooksLikeCorpus(folder));
  EXPECT_FALSE(LooksLikeCorpus(kaldi + "/train"));
}

TEST(Corpus, OptionsReachTheReaders) {
  const std::string digits = MakeTestFolder("options");
  for (const char* name : {"1_ann_0", "1_ann_5", "1_bob_0"}) {
    WriteTestFile(digits + "/" + name + ".wav", WavBytes(8000, {1, 2}));
  }
  CorpusOptions options;
  options.fsdd.test_speaker = "bob";
  EXPECT_EQ(OpenCorpus(digits, options).value().test->Get(0).value().id, "1_bob_0");
  options.spoken_digits.train = -1;
  EXPECT_THAT(std::string(OpenCorpus("", options).status().message()), HasSubstr("spoken_digits: a part of -1"));
  options.without_path = CorpusOptions::Default::kSpokenSentences;
  options.spoken_sentences.test = 0;
  EXPECT_THAT(std::string(OpenCorpus("", options).status().message()), HasSubstr("spoken_sentences: a part of 0"));
}

TEST(Corpus, AnythingElseSaysWhatWasLookedFor) {
  const std::string folder = MakeTestFolder("empty");
  const absl::Status status = OpenCorpus(folder).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr(folder + ": not a corpus of a known kind; expected FSDD"));
  EXPECT_THAT(std::string(OpenCorpus(folder + "/gone").status().message()), HasSubstr("/gone: no such folder"));
}

}  // namespace
}  // namespace earshot
