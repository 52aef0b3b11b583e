#include "data/kaldi_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Ids(const KaldiDirectory& directory) {
  std::vector<std::string> ids;
  for (const UtteranceSource& source : directory.utterances) ids.push_back(source.id);
  return ids;
}

std::string Error(const KaldiFiles& files) {
  const auto directory = ParseKaldiDirectory(files, "d");
  return directory.ok() ? "" : std::string(directory.status().message());
}

// Two utterances of two speakers, whole files.
KaldiFiles GoodFiles() {
  KaldiFiles files;
  files.wav_scp = "a-1 /x/a 1.wav\nb-1 y/b.flac\n";
  files.text = "a-1 ONE  TWO\nb-1\n";
  files.utt2spk = "a-1 a\nb-1 b\n";
  files.spk2utt = "a a-1\nb b-1\n";
  files.utt2dur = "a-1 1.25\nb-1 2\n";
  return files;
}

TEST(KaldiDir, WholeFiles) {
  const auto directory = ParseKaldiDirectory(GoodFiles(), "d");
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_THAT(directory->warnings, IsEmpty());
  ASSERT_THAT(Ids(*directory), ElementsAre("a-1", "b-1"));
  const UtteranceSource& a = directory->utterances[0];
  EXPECT_EQ(a.speaker, "a");
  EXPECT_EQ(a.text, "ONE TWO");
  EXPECT_EQ(a.audio, "/x/a 1.wav");
  EXPECT_FALSE(a.audio_is_command);
  EXPECT_EQ(a.recording, "");
  EXPECT_EQ(a.channel, -1);
  EXPECT_EQ(a.begin_seconds, 0);
  EXPECT_EQ(a.end_seconds, -1);
  EXPECT_EQ(a.duration_seconds, 1.25);
  EXPECT_EQ(a.features, "");
  EXPECT_EQ(directory->utterances[1].text, "");
  EXPECT_EQ(directory->utterances[1].audio, "y/b.flac");
}

TEST(KaldiDir, SegmentsAreOfRecordings) {
  KaldiFiles files;
  files.wav_scp = "r1 /x/r1.wav\nr2 /x/r2.wav\n";
  files.segments = "u1 r2 0.5 1.75\nu2 r1 0 -1\nu3 r2 1e1 11 1\n";
  files.text = "u1 ONE\nu2 TWO\nu3 THREE\n";
  const auto directory = ParseKaldiDirectory(files, "d");
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_THAT(directory->warnings, ElementsAre("d/utt2spk: no such file; the speakers are not known"));
  ASSERT_EQ(directory->utterances.size(), 3u);
  const UtteranceSource& first = directory->utterances[0];
  EXPECT_EQ(first.audio, "/x/r2.wav");
  EXPECT_EQ(first.recording, "r2");
  EXPECT_EQ(first.begin_seconds, 0.5);
  EXPECT_EQ(first.end_seconds, 1.75);
  EXPECT_EQ(first.channel, -1);
  EXPECT_EQ(directory->utterances[1].end_seconds, -1);
  EXPECT_EQ(directory->utterances[2].begin_seconds, 10);
  EXPECT_EQ(directory->utterances[2].channel, 1);
}

TEST(KaldiDir, FeaturesWithoutAudio) {
  KaldiFiles files;
  files.feats_scp = "u1 x/f.ark:14\nu2 x/f.ark:99[0:9]\n";
  files.text = "u1 ONE\nu2 TWO\n";
  files.utt2spk = "u1 a\nu2 a\n";
  files.cmvn_scp = "a x/cmvn.ark:2\n";
  auto directory = ParseKaldiDirectory(files, "d");
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_THAT(directory->warnings, IsEmpty());
  EXPECT_EQ(directory->utterances[1].features, "x/f.ark:99[0:9]");
  EXPECT_EQ(directory->utterances[1].audio, "");
  files.cmvn_scp = "b x/cmvn.ark:2\n";
  directory = ParseKaldiDirectory(files, "d");
  EXPECT_THAT(directory->warnings, ElementsAre("d/cmvn.scp: 1 of 1 speakers have no entry"));
  files.cmvn_scp = "u1 x/cmvn.ark:2\nu2 x/cmvn.ark:22\n";  // or one for each utterance
  EXPECT_THAT(ParseKaldiDirectory(files, "d")->warnings, IsEmpty());
}

TEST(KaldiDir, ThereMustBeSomethingToTrainOn) {
  KaldiFiles files;
  files.text = "u1 ONE\n";
  EXPECT_EQ(Error(files), "d: expected wav.scp or feats.scp, found neither");
  files.wav_scp = "";
  files.text = "";
  EXPECT_EQ(Error(files), "d: expected utterances, found none");
}

// KAL-08.
TEST(KaldiDir, UnsortedFilesAreReadById) {
  KaldiFiles files = GoodFiles();
  files.text = "b-1 B\na-1 A\n";
  files.utt2spk = "a-1 z\nb-1 a\n";
  files.spk2utt = "z a-1\na b-1\n";
  const auto directory = ParseKaldiDirectory(files, "d");
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_EQ(directory->utterances[0].text, "A");
  EXPECT_EQ(directory->utterances[0].speaker, "z");
  EXPECT_EQ(directory->utterances[1].text, "B");
  EXPECT_THAT(directory->warnings, ElementsAre(HasSubstr("d/text:2: expected an id after \"b-1\""),
                                               HasSubstr("d/spk2utt:2: expected an id after \"z\"")));
}

TEST(KaldiDir, ErrorsNameFileAndLine) {
  KaldiFiles files = GoodFiles();
  files.text = "a-1 ONE\na-1 TWO\n";
  EXPECT_EQ(Error(files), "d/text:2: expected each id once, found \"a-1\", which line 1 has too");
  files = GoodFiles();
  files.utt2spk = "a-1 a\nb-1 b c\n";
  files.spk2utt.reset();
  EXPECT_EQ(Error(files), "d/utt2spk:2: expected the id of one speaker, found white space in \"b c\"");
  files = GoodFiles();
  files.utt2dur = "a-1 1\nb-1 0\n";
  EXPECT_EQ(Error(files), "d/utt2dur:2: expected a duration above 0 in seconds, found \"0\"");
  files = GoodFiles();
  files.spk2utt = "a a-1 b-1\n";
  EXPECT_EQ(Error(files), "d/spk2utt:1: expected utterances of \"a\", found \"b-1\", which is of \"b\" in utt2spk");
  files = GoodFiles();
  files.segments = "a-1 a-1 0.5 0.5\n";
  EXPECT_THAT(Error(files), HasSubstr("d/segments:1: expected an end after the begin"));
}

TEST(KaldiDir, WhatOneFileLacksIsAWarning) {
  KaldiFiles files = GoodFiles();
  files.spk2utt = "a a-1 a-2 a-3\n";
  files.utt2dur = "b-1 2\n";
  const auto directory = ParseKaldiDirectory(files, "d");
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_THAT(Ids(*directory), ElementsAre("a-1", "b-1"));
  EXPECT_EQ(directory->utterances[0].duration_seconds, -1);
  EXPECT_EQ(directory->utterances[1].duration_seconds, 2);
  EXPECT_THAT(directory->warnings,
              ElementsAre("d/spk2utt: 2 utterances are not in utt2spk, which is used",
                          "d/spk2utt: 1 utterances of utt2spk, which is used, are missing; the first is \"b-1\"",
                          "d/utt2dur: 1 of 2 utterances have no duration"));
}

// KAL-12.
TEST(KaldiDir, FilesThatDoNotMatch) {
  KaldiFiles files;
  files.feats_scp = "u1 f:1\nu2 f:2\nu4 f:4\n";
  files.text = "u1 A\nu2 B\nu3 C\n";
  files.utt2spk = "u1 s\nu2 s\nu3 s\nu4 s\n";
  const auto directory = ParseKaldiDirectory(files, "d");
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_THAT(Ids(*directory), ElementsAre("u1", "u2"));
  EXPECT_EQ(directory->utterances[1].features, "f:2");
  EXPECT_EQ(directory->utterances[1].text, "B");
  EXPECT_THAT(directory->warnings,
              ElementsAre("d: 2 of 4 utterances are used; 1 without an entry in feats.scp (\"u3\"); 1 without an entry "
                          "in text (\"u4\")"));
  files.text = "u1 A\nu3 C\n";
  EXPECT_EQ(Error(files),
            "d: expected the same utterances in all files, found 1 of 4 in all; 1 without an entry in feats.scp "
            "(\"u3\"); 2 without an entry in text (\"u2\", \"u4\")");
}

TEST(KaldiDir, ManyMissingAreCountedAndTheFirstNamed) {
  KaldiFiles files;
  files.wav_scp = "";
  files.text = "";
  for (int i = 100; i < 120; ++i) {
    absl::StrAppend(&*files.wav_scp, "u", i, " x\n");
    if (i < 112) absl::StrAppend(&*files.text, "u", i, " x\n");
  }
  const auto directory = ParseKaldiDirectory(files, "d");
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_THAT(directory->warnings[1],
              HasSubstr("8 without an entry in text (\"u112\", \"u113\", \"u114\", \"u115\", \"u116\", ...)"));
}

TEST(KaldiDir, SegmentsOfRecordingsThatAreNotThere) {
  KaldiFiles files;
  files.wav_scp = "r1 /x/r1.wav\n";
  files.segments = "u1 r1 0 1\nu2 r2 0 1\n";
  const auto directory = ParseKaldiDirectory(files, "d");
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_THAT(Ids(*directory), ElementsAre("u1"));
  EXPECT_THAT(directory->warnings[1],
              HasSubstr("d: 1 of 2 utterances are used; 1 without an entry in wav.scp (\"u2\")"));
}

// KAL-13.
TEST(KaldiDir, CommandsAreRefusedUnlessAllowed) {
  KaldiFiles files;
  files.wav_scp = "u1 /x/a b.wav\nu2 sph2pipe -f wav /x/u2.sph |\n";
  EXPECT_EQ(Error(files),
            "d/wav.scp:2: expected a file (commands run only with --allow_commands), found the command \"sph2pipe -f "
            "wav /x/u2.sph |\" of \"u2\"");
  KaldiOptions options;
  options.allow_commands = true;
  auto directory = ParseKaldiDirectory(files, "d", options);
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_EQ(directory->utterances[0].audio, "/x/a b.wav");
  EXPECT_FALSE(directory->utterances[0].audio_is_command);
  EXPECT_EQ(directory->utterances[1].audio, "sph2pipe -f wav /x/u2.sph ");
  EXPECT_TRUE(directory->utterances[1].audio_is_command);
  files.wav_scp.reset();
  files.feats_scp = "u1 copy-feats ark:x.ark - |\n";
  EXPECT_THAT(Error(files), HasSubstr("d/feats.scp:1: expected a file (commands run only with --allow_commands)"));
  directory = ParseKaldiDirectory(files, "d", options);
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_TRUE(directory->utterances[0].features_is_command);
}

// A directory of which Kaldi has made the features already.
TEST(KaldiDir, CommandsAreNotNeededWhereThereAreFeatures) {
  KaldiFiles files;
  files.wav_scp = "u1 sph2pipe u1.sph |\nu2 /x/u2.wav\n";
  files.feats_scp = "u1 f:1\nu2 f:2\n";
  files.utt2spk = "u1 s\nu2 s\n";
  auto directory = ParseKaldiDirectory(files, "d");
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_EQ(directory->utterances[0].audio, "");
  EXPECT_FALSE(directory->utterances[0].audio_is_command);
  EXPECT_EQ(directory->utterances[0].features, "f:1");
  EXPECT_EQ(directory->utterances[1].audio, "/x/u2.wav");
  EXPECT_THAT(directory->warnings,
              ElementsAre("d/wav.scp: 1 commands are left out (--allow_commands); feats.scp is used"));
  KaldiOptions options;
  options.allow_commands = true;
  directory = ParseKaldiDirectory(files, "d", options);
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_TRUE(directory->utterances[0].audio_is_command);
  EXPECT_THAT(directory->warnings, IsEmpty());
}

TEST(KaldiDir, ReadsAFolder) {
  const std::string folder = MakeTestFolder("folder");
  EXPECT_FALSE(LooksLikeKaldiDirectory(folder));
  EXPECT_THAT(std::string(ReadKaldiDirectory(folder).status().message()), HasSubstr("expected wav.scp or feats.scp"));
  WriteTestFile(folder + "/wav.scp", *GoodFiles().wav_scp);
  WriteTestFile(folder + "/text", *GoodFiles().text);
  WriteTestFile(folder + "/utt2spk", *GoodFiles().utt2spk);
  EXPECT_TRUE(LooksLikeKaldiDirectory(folder));
  const auto directory = ReadKaldiDirectory(folder);
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_THAT(directory->warnings, IsEmpty());
  EXPECT_EQ(directory->utterances[0].audio, "/x/a 1.wav");
  EXPECT_EQ(directory->utterances[1].audio, UserPath("y/b.flac"));  // neither here nor there: from the user's folder
  // What is there but cannot be read is not taken for absent.
  ASSERT_EQ(mkdir((folder + "/segments").c_str(), 0755), 0);
  EXPECT_THAT(std::string(ReadKaldiDirectory(folder).status().message()),
              HasSubstr("folder/segments: expected a regular file"));
}

TEST(KaldiDir, RelativePathsAreTheUsersOrTheFoldersOwn) {
  const std::string folder = MakeTestFolder("relative");
  const std::string user = MakeTestFolder("user");
  ASSERT_EQ(setenv("BUILD_WORKING_DIRECTORY", user.c_str(), 1), 0);
  WriteTestFile(folder + "/wav.scp", "u0 gone.wav\nu1 r.ark:12\nu2 r.wav\nu3 /x.wav\n");
  WriteTestFile(folder + "/feats.scp", "u0 f.ark:1\nu1 f.ark:12[1:2]\nu2 f.ark:3\nu3 f.ark:4\n");
  WriteTestFile(folder + "/f.ark", "");
  WriteTestFile(folder + "/r.ark", "");
  const auto read = [&folder] { return std::move(ReadKaldiDirectory(folder).value().utterances); };
  std::vector<UtteranceSource> utterances = read();
  EXPECT_EQ(utterances[0].audio, folder + "/gone.wav");
  EXPECT_EQ(utterances[1].audio, folder + "/r.ark:12");
  EXPECT_EQ(utterances[2].audio, folder + "/r.wav");
  EXPECT_EQ(utterances[3].audio, "/x.wav");
  EXPECT_EQ(utterances[1].features, folder + "/f.ark:12[1:2]");
  WriteTestFile(user + "/r.ark", "");  // the user's own come first, as in Kaldi
  utterances = read();
  EXPECT_EQ(utterances[1].audio, user + "/r.ark:12");
  EXPECT_EQ(utterances[2].audio, user + "/r.wav");
  EXPECT_EQ(utterances[1].features, folder + "/f.ark:12[1:2]");
  ASSERT_EQ(unsetenv("BUILD_WORKING_DIRECTORY"), 0);
}

}  // namespace
}  // namespace earshot
