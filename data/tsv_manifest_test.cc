#include "data/tsv_manifest.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/testing/manifest.h"

namespace earshot {
namespace {

Manifest Parse(absl::string_view content) { return ReadWell(ParseTsvManifest(content, "m")); }

std::string Error(absl::string_view content) { return Message(ParseTsvManifest(content, "m")); }

TEST(TsvManifestTest, ReadsItsOwnColumns) {
  const Manifest manifest = Parse(
      "id\taudio\ttext\tspeaker\tbegin\tend\tchannel\trecording\tduration\n"
      "a\twav/a.wav\tone  two\ts\t0\t\t\t\t1.5\n"
      "b\tr.wav\t\t\t0.25\t1.75\t1\tr\t\n"
      "c\tr.wav\t \"quoted\" \t\t0\t-1\t\t\t\n"
      "d\tr.wav\tx\t\t\t2\t0\t\t\n");
  EXPECT_EQ(manifest.kind, "tsv");
  ASSERT_EQ(manifest.utterances.size(), 4u);
  const UtteranceSource& a = manifest.utterances[0];
  EXPECT_EQ(a.id, "a");
  EXPECT_EQ(a.audio, "wav/a.wav");
  EXPECT_EQ(a.text, "one two");
  EXPECT_EQ(a.speaker, "s");
  EXPECT_EQ(a.begin_seconds, 0);
  EXPECT_EQ(a.end_seconds, -1);
  EXPECT_EQ(a.duration_seconds, 1.5);
  EXPECT_EQ(a.channel, -1);
  const UtteranceSource& b = manifest.utterances[1];
  EXPECT_EQ(b.text, "");
  EXPECT_EQ(b.begin_seconds, 0.25);
  EXPECT_EQ(b.end_seconds, 1.75);
  EXPECT_EQ(b.channel, 1);
  EXPECT_EQ(b.recording, "r");
  EXPECT_EQ(manifest.utterances[2].text, "\"quoted\"");
  EXPECT_EQ(manifest.utterances[2].end_seconds, -1);
  EXPECT_EQ(manifest.utterances[3].end_seconds, 2);
  EXPECT_TRUE(manifest.warnings.empty()) << absl::StrJoin(manifest.warnings, "\n");
}

TEST(TsvManifestTest, ReadsCommonVoice) {
  const std::string content =
      "client_id\tpath\tsentence_id\tsentence\tsentence_domain\tup_votes\tage\n"
      "0f3e\tcommon_voice_fr_1.mp3\tx\t\u00ab\u00a0Oui\u00a0\u00bb, dit-il.\t\t2\t\n"
      "9a11\tcommon_voice_fr_2.mp3\ty\tNon.\t\t2\ttwenties\n";
  const Manifest manifest = Parse(content);
  EXPECT_TRUE(manifest.is_common_voice);
  ASSERT_EQ(manifest.utterances.size(), 2u);
  EXPECT_EQ(manifest.utterances[0].id, "common_voice_fr_1");
  EXPECT_EQ(manifest.utterances[0].speaker, "0f3e");
  EXPECT_EQ(manifest.utterances[0].text, "\u00ab Oui \u00bb, dit-il.");
  EXPECT_EQ(absl::StrJoin(manifest.warnings, "|"), "m:2: U+00A0 in a text is read as a space");
}

TEST(TsvManifestTest, ReadsFairseqs) {
  const Manifest manifest = Parse(
      "id\taudio\tn_frames\ttgt_text\tspeaker\n"
      "u1\t/d/u1.wav\t16000\thello\tspk.1\n");
  ASSERT_EQ(manifest.utterances.size(), 1u);
  EXPECT_EQ(manifest.utterances[0].text, "hello");
  EXPECT_EQ(manifest.utterances[0].speaker, "spk.1");
}

TEST(TsvManifestTest, NamesTheWindowsLineEnds) {
  const Manifest manifest = Parse("\xef\xbb\xbfPath\tSentence\r\na.wav\tone\r\nb.wav\ttwo");
  ASSERT_EQ(manifest.utterances.size(), 2u);
  EXPECT_EQ(manifest.utterances[0].text, "one");
  EXPECT_EQ(absl::StrJoin(manifest.warnings, "|"),
            "m:1: a byte order mark (BOM) is skipped|m:1: Windows line ends (CR LF) are read as line ends|"
            "m:3: expected a line end at the end of the file, found none: is the file cut short?");
}

TEST(TsvManifestTest, ErrorsNameTheLine) {
  const std::string header = "id\taudio\ttext\tspeaker\tbegin\tend\tchannel\n";
  const char* no_header =
      "m:1: expected names of columns with tabs between them, one of them \"audio\" or \"path\", found ";
  EXPECT_EQ(Error(""), absl::StrCat(no_header, "nothing"));
  EXPECT_EQ(Error("audio\n"), absl::StrCat(no_header, "\"audio\""));
  EXPECT_EQ(Error("/root\na.wav\t16000\n"), absl::StrCat(no_header, "\"/root\""));  // wav2vec's, without texts
  EXPECT_EQ(Error("id\ttext\n"), absl::StrCat(no_header, "\"id\\ttext\""));
  const struct {
    std::string content;
    const char* error;
  } cases[] = {
      {header, "m:1: expected an utterance, found none in the whole file"},
      {header + "a\tx\n", "m:2: expected 7 fields, as in the header, found 2"},
      {header + "a\tx\tt\ts\t\t\t\t\n", "m:2: expected 7 fields, as in the header, found 8"},
      {header + "\tx\tt\ts\t\t\t\n", "m:2: expected an id, found an empty field"},
      {header + "a\t\tt\ts\t\t\t\n", "m:2: expected a path of audio, found none"},
      {header + "a\tx\tt\ts\t1,5\t\t\n", "m:2: expected a begin in seconds, found \"1,5\""},
      {header + "a\tx\tt\ts\tnan\t\t\n", "m:2: expected a begin of 0 to 1e+09 seconds, found nan"},
      {header + "a\tx\tt\ts\t0\tinf\t\n", "m:2: expected an end of 0 to 1e+09 seconds, found inf"},
      {header + "a\tx\tt\ts\t-1\t\t\n", "m:2: expected a begin of 0 to 1e+09 seconds, found -1"},
      {header + "a\tx\tt\ts\t0.5\t0.5\t\n", "m:2: expected an end after the begin at 0.5 s, found 0.5"},
      {header + "a\tx\tt\ts\t\t\t-1\n", "m:2: expected a channel of 0 to 255, found \"-1\""},
      {header + "a\tx\tt\xfft\ts\t\t\t\n",
       "m:2: expected printable UTF-8, found byte 0xff in \"a\\tx\\tt\\xfft\\ts\\t\\t\\t\""},
      {header + std::string("a\tx\t\0\ts\t\t\t\n", 11),
       "m:2: expected printable UTF-8, found U+0000 in \"a\\tx\\t\\x00\\ts\\t\\t\\t\""},
      {header + "a\tx\tt\ts\t\t\t\na\ty\tt\ts\t\t\t\n",
       "m:3: expected each id once, found \"a\", which line 2 has too"},
  };
  for (const auto& c : cases) EXPECT_EQ(Error(c.content), c.error) << c.content;
}

}  // namespace
}  // namespace earshot
