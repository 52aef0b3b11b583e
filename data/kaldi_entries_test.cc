#include "data/kaldi_entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A file f; `content` must live on.
KaldiTextFile Table(const std::string& content) {
  std::vector<std::string> warnings;
  return KaldiTextFile::Parse(content, "f", {}, &warnings).value();
}

std::string Message(const absl::Status& status) { return std::string(status.message()); }

std::string SegmentError(const std::string& line) {
  const std::string content = "s1 r 0 1\n" + line + "\n";
  UtteranceSource source;
  return Message(ParseSegment(Table(content), 1, &source));
}

TEST(KaldiEntries, Segments) {
  const std::string content = "s1 r 0.5 -1\ns2 r\t0.0 1.0\ns3 q 1e1 11.25 1\n";
  const KaldiTextFile segments = Table(content);
  UtteranceSource source;
  ASSERT_TRUE(ParseSegment(segments, 0, &source).ok());
  EXPECT_EQ(source.recording, "r");
  EXPECT_EQ(source.begin_seconds, 0.5);
  EXPECT_EQ(source.end_seconds, -1);
  EXPECT_EQ(source.channel, -1);
  ASSERT_TRUE(ParseSegment(segments, 1, &source).ok());
  EXPECT_EQ(source.end_seconds, 1);
  ASSERT_TRUE(ParseSegment(segments, 2, &source).ok());
  EXPECT_EQ(source.recording, "q");
  EXPECT_EQ(source.begin_seconds, 10);
  EXPECT_EQ(source.end_seconds, 11.25);
  EXPECT_EQ(source.channel, 1);
}

// KAL-14, as far as the recording's length is not needed.
TEST(KaldiEntries, SegmentsThatAreNone) {
  EXPECT_EQ(SegmentError("s3 r 0.5 0.5"),
            "f:2: expected an end after the begin (or -1: the end of the recording), found \"s3 r 0.5 0.5\"");
  EXPECT_THAT(SegmentError("s4 r 0.9 0.2"), HasSubstr("f:2: expected an end after the begin"));
  EXPECT_THAT(SegmentError("s4 r 0.9 -2"), HasSubstr("expected an end after the begin"));
  for (const char* times : {"-0.5 1", "x 1", "0 y", "nan 1", "0 inf", "0 1e999", "0x1 2x"}) {
    EXPECT_THAT(SegmentError(absl::StrCat("s5 r ", times)), HasSubstr("expected a begin and an end in seconds"));
  }
  for (const char* line : {"s6 r", "s6 r 1", "s6 r 0 1 0 0"}) {
    EXPECT_THAT(SegmentError(line), HasSubstr("expected UTTERANCE RECORDING BEGIN END [CHANNEL], found")) << line;
  }
  for (const char* channel : {"-1", "A", "1.5", "99999999999"}) {
    EXPECT_THAT(SegmentError(absl::StrCat("s7 r 0 1 ", channel)), HasSubstr("expected a channel counted from 0"));
  }
  EXPECT_EQ(SegmentError("s8 ../r 0 1"), "f:2: expected the id of a recording, found the path \"../r\"");
}

TEST(KaldiEntries, SpeakersAndDurations) {
  const std::string content = "a s\nb s t\nc /s\nd 1.5\n";
  const KaldiTextFile table = Table(content);
  std::string speaker;
  ASSERT_TRUE(ParseSpeaker(table, 0, &speaker).ok());
  EXPECT_EQ(speaker, "s");
  EXPECT_EQ(Message(ParseSpeaker(table, 1, &speaker)),
            "f:2: expected the id of one speaker, found white space in \"s t\"");
  EXPECT_EQ(Message(ParseSpeaker(table, 2, &speaker)), "f:3: expected the id of one speaker, found the path \"/s\"");
  double duration = 0;
  ASSERT_TRUE(ParseDuration(table, 3, &duration).ok());
  EXPECT_EQ(duration, 1.5);
  for (const char* value : {"0", "-1", "nan", "inf", "1e999", "x", "1 2"}) {
    const std::string bad = absl::StrCat("u ", value, "\n");
    EXPECT_EQ(Message(ParseDuration(Table(bad), 0, &duration)),
              absl::StrCat("f:1: expected a duration above 0 in seconds, found \"", value, "\""));
  }
}

// KAL-13 and RELIABILITY's C8.
TEST(KaldiEntries, FilesAndCommands) {
  std::string entry;
  bool is_command = true;
  for (const char* file : {"/x/a b.ark", "$(touch x)", "-rf", "`sh`", "a | b", "a;b", "../x", "x.ark:12[0:9]"}) {
    const std::string content = absl::StrCat("u ", file, "\n");
    ASSERT_TRUE(ParseScpEntry(Table(content), 0, false, &entry, &is_command).ok()) << file;
    EXPECT_EQ(entry, file);
    EXPECT_FALSE(is_command);
  }
  for (const char* none : {"| sh", "|", "-", "~/a.wav", "~root/a.wav"}) {
    const std::string content = absl::StrCat("u ", none, "\n");
    const std::string error = Message(ParseScpEntry(Table(content), 0, true, &entry, &is_command));
    EXPECT_THAT(error, HasSubstr("f:1: expected a ")) << none;
    EXPECT_THAT(error, HasSubstr(absl::StrCat("\"", none, "\" of \"u\""))) << none;
  }
  const std::string content = "u touch /tmp/pwned |\n";
  EXPECT_EQ(Message(ParseScpEntry(Table(content), 0, false, &entry, &is_command)),
            "f:1: expected a file (commands run only with --allow_commands), found the command \"touch /tmp/pwned |\" "
            "of \"u\"");
  ASSERT_TRUE(ParseScpEntry(Table(content), 0, true, &entry, &is_command).ok());
  EXPECT_EQ(entry, "touch /tmp/pwned ");
  EXPECT_TRUE(is_command);
  const std::string home = "u ~/bin/sph2pipe u.sph |\n";  // the shell knows what ~ is
  ASSERT_TRUE(ParseScpEntry(Table(home), 0, true, &entry, &is_command).ok());
  EXPECT_EQ(entry, "~/bin/sph2pipe u.sph ");
}

TEST(KaldiEntries, Spk2uttAgainstUtt2spk) {
  const std::string utt2spk = "u1 a\nu2 b\nu3 a\n";
  std::vector<std::string> warnings;
  const auto check = [&](const std::string& spk2utt) {
    warnings.clear();
    return Message(CheckSpeakers(Table(utt2spk), Table(spk2utt), &warnings));
  };
  EXPECT_EQ(check("a u1 u3\nb u2\n"), "");
  EXPECT_EQ(check("a u3  u1\nb\tu2\n"), "");
  EXPECT_THAT(warnings, IsEmpty());
  EXPECT_EQ(check("a u1 u2 u3\n"), "f:1: expected utterances of \"a\", found \"u2\", which is of \"b\" in utt2spk");
  EXPECT_EQ(check("a u1 u3\nb u2 u2\n"), "f:2: expected each utterance once, found \"u2\" again");
  EXPECT_EQ(check("a u0 u1 u4\nc u7\n"), "");
  EXPECT_THAT(warnings, ElementsAre("f: 3 utterances are not in utt2spk, which is used",
                                    "f: 2 utterances of utt2spk, which is used, are missing; the first is \"u2\""));
}

TEST(KaldiEntries, CmvnIsBySpeakerOrByUtterance) {
  std::vector<UtteranceSource> utterances(3);
  utterances[0].id = "u1";
  utterances[1].id = "u2";
  utterances[2].id = "u3";
  utterances[0].speaker = utterances[2].speaker = "a";
  utterances[1].speaker = "b";
  std::vector<std::string> warnings;
  for (const std::string content : {"a x\nb x\nc x\n", "u1 x\nu2 x\nu3 x\n"}) {
    CheckCmvn(Table(content), utterances, &warnings);
    EXPECT_THAT(warnings, IsEmpty());
  }
  const std::string content = "a x\nu1 x\nu2 x\n";
  CheckCmvn(Table(content), utterances, &warnings);
  EXPECT_THAT(warnings, ElementsAre("f: 1 of 2 speakers have no entry"));
}

}  // namespace
}  // namespace earshot
