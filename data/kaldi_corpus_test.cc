#include "data/kaldi_corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "absl/strings/str_cat.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

absl::StatusOr<Corpus> OpenKaldi(const std::string& folder) { return OpenSources(ListKaldi(folder)); }

// `count` utterances of a speaker for each: the ids are in another order than the speakers.
void WritePart(const std::string& folder, const std::string& prefix, int count) {
  ASSERT_EQ(mkdir(folder.c_str(), 0755), 0);
  std::string wav_scp, text, utt2spk;
  for (int i = 0; i < count; ++i) {
    const std::string id = absl::StrCat(prefix, 100 + i);
    absl::StrAppend(&wav_scp, id, " a.wav\n");
    absl::StrAppend(&text, id, " WORD\n");
    absl::StrAppend(&utt2spk, id, " s", 900 - i, "\n");
  }
  WriteTestFile(folder + "/wav.scp", wav_scp);
  WriteTestFile(folder + "/text", text);
  WriteTestFile(folder + "/utt2spk", utt2spk);
  WriteTestFile(folder + "/a.wav", WavBytes(8000, {1, 2, 3}));
}

TEST(KaldiCorpus, ThreeParts) {
  for (const char* dev : {"dev", "valid", "validation", "train_dev"}) {
    const std::string folder = MakeTestFolder(absl::StrCat("three_", dev));
    EXPECT_FALSE(LooksLikeKaldiCorpus(folder));
    WritePart(folder + "/train", "a", 3);
    WritePart(absl::StrCat(folder, "/", dev), "b", 2);
    WritePart(folder + "/test", "c", 1);
    EXPECT_TRUE(LooksLikeKaldiCorpus(folder));
    const auto corpus = OpenKaldi(folder);
    ASSERT_TRUE(corpus.ok()) << corpus.status();
    EXPECT_THAT(corpus->warnings, IsEmpty());
    EXPECT_EQ(corpus->kind, "kaldi");
    EXPECT_EQ(corpus->train->size(), 3);
    EXPECT_EQ(corpus->dev->size(), 2);
    EXPECT_EQ(corpus->test->size(), 1);
    EXPECT_EQ(corpus->train->Describe(0).id, "a102");  // of speaker s898
    const Utterance utterance = corpus->test->Get(0).value();
    EXPECT_EQ(utterance.id, "c100");
    EXPECT_EQ(utterance.text, "WORD");
    EXPECT_EQ(utterance.sample_rate, 8000);
    EXPECT_THAT(utterance.waveform, ElementsAre(1, 2, 3));
  }
}

TEST(KaldiCorpus, WithoutDevTheFirstOfTrainAreHeldOut) {
  std::string folder = MakeTestFolder("held_out");
  WritePart(folder + "/train", "a", 25);
  WritePart(folder + "/test", "c", 1);
  auto corpus = OpenKaldi(folder);
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  EXPECT_EQ(corpus->train->size(), 23);
  ASSERT_EQ(corpus->dev->size(), 2);
  EXPECT_EQ(corpus->dev->Describe(0).id, "a124");  // s876, s877: the first speakers
  EXPECT_EQ(corpus->dev->Describe(1).id, "a123");
  EXPECT_EQ(corpus->train->Describe(0).id, "a122");

  folder = MakeTestFolder("held_out_100");
  WritePart(folder + "/train", "a", 1200);
  WritePart(folder + "/test", "c", 1);
  corpus = OpenKaldi(folder);
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  EXPECT_EQ(corpus->train->size(), 1100);
  EXPECT_EQ(corpus->dev->size(), 100);
}

TEST(KaldiCorpus, Errors) {
  const std::string folder = MakeTestFolder("errors");
  const auto error = [&folder] { return std::string(OpenKaldi(folder).status().message()); };
  EXPECT_THAT(error(), HasSubstr("errors/train/text: no such file"));
  WritePart(folder + "/train", "a", 9);
  EXPECT_THAT(error(), HasSubstr("errors/test/text: no such file"));
  WritePart(folder + "/test", "c", 1);
  EXPECT_THAT(error(), HasSubstr("expected a dev set, or at least 10 training utterances to take it from, found 9"));
  WritePart(folder + "/dev", "a", 1);
  EXPECT_THAT(error(), HasSubstr("expected each utterance in one part, found \"a100\" in two"));
  WriteTestFile(folder + "/dev/wav.scp", "a100 touch x |\n");
  EXPECT_THAT(error(), HasSubstr("errors/dev/wav.scp:1: expected a file (commands run only with --allow_commands)"));
  WriteTestFile(folder + "/dev/wav.scp", "b100 a.wav");
  WriteTestFile(folder + "/dev/text", "b100 WORD\n");
  WriteTestFile(folder + "/dev/utt2spk", "b100 s\n");
  const auto corpus = OpenKaldi(folder);
  ASSERT_TRUE(corpus.ok()) << corpus.status();
  EXPECT_THAT(corpus->warnings, ElementsAre(HasSubstr("errors/dev/wav.scp:1: expected a line end")));
}

}  // namespace
}  // namespace earshot
