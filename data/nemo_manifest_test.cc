#include "data/nemo_manifest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/testing/manifest.h"

namespace earshot {
namespace {

Manifest Parse(absl::string_view content, bool allow_commands = false) {
  ManifestOptions options;
  options.allow_commands = allow_commands;
  return ReadWell(ParseNemoManifest(content, "m", options));
}

std::string Error(absl::string_view content) { return Message(ParseNemoManifest(content, "m")); }

TEST(NemoManifestTest, ReadsEveryField) {
  const Manifest manifest = Parse(
      "{\"audio_filepath\": \"wav/a b.wav\", \"duration\": 1.25, \"text\": \"hello  \\u00e9t\\u00e9\\n\", "
      "\"lang\": \"fr\", \"extra\": {\"text\": [1, null]}}\n"
      "{\"text\": \"x\", \"id\": \"u/2\", \"speaker\": \"s 1\", \"offset\": 0.5, \"duration\": 2, \"channel\": 1, "
      "\"recording\": \"rec\", \"audio_filepath\": \"/b.flac\"}\n"
      "{\"audio_filepath\": \"c.wav\", \"utt_id\": 17, \"speaker\": 103, \"text\": null, \"duration\": null}\n");
  EXPECT_EQ(manifest.kind, "nemo");
  ASSERT_EQ(manifest.utterances.size(), 3u);
  const UtteranceSource& a = manifest.utterances[0];
  EXPECT_EQ(a.id, "a_b");
  EXPECT_EQ(a.audio, "wav/a b.wav");
  EXPECT_EQ(a.text, "hello été");
  EXPECT_EQ(a.speaker, "");
  EXPECT_EQ(a.begin_seconds, 0);
  EXPECT_EQ(a.end_seconds, -1);  // the duration cuts nothing: it may be rounded
  EXPECT_EQ(a.duration_seconds, 1.25);
  EXPECT_EQ(a.channel, -1);
  const UtteranceSource& b = manifest.utterances[1];
  EXPECT_EQ(b.id, "u/2");
  EXPECT_EQ(b.speaker, "s_1");
  EXPECT_EQ(b.recording, "rec");
  EXPECT_EQ(b.begin_seconds, 0.5);
  EXPECT_EQ(b.end_seconds, 2.5);
  EXPECT_EQ(b.channel, 1);
  const UtteranceSource& c = manifest.utterances[2];
  EXPECT_EQ(c.id, "17");
  EXPECT_EQ(c.speaker, "103");
  EXPECT_EQ(c.text, "");
  EXPECT_EQ(c.duration_seconds, -1);
  EXPECT_EQ(absl::StrJoin(manifest.warnings, "|"), "m:2: white space in the name of a speaker is read as \"_\"");
}

TEST(NemoManifestTest, ReadsWeNets) {
  const Manifest manifest = Parse(
      "{\"key\": \"BAC009S0764W0139\", \"wav\": \"/data/BAC009S0764W0139.wav\", \"txt\": \"\u521d \u6b65\"}\n"
      "{\"key\": \"seg\", \"wav\": \"/data/long.wav\", \"txt\": \"one\", \"start\": 1.5, \"end\": 2.25}\n");
  ASSERT_EQ(manifest.utterances.size(), 2u);
  EXPECT_EQ(manifest.utterances[0].id, "BAC009S0764W0139");
  EXPECT_EQ(manifest.utterances[0].text, "\u521d \u6b65");
  EXPECT_EQ(manifest.utterances[1].begin_seconds, 1.5);
  EXPECT_EQ(manifest.utterances[1].end_seconds, 2.25);
}

TEST(NemoManifestTest, TheFirstNameOfAFieldWins) {
  const Manifest manifest = Parse(
      "{\"sentence\": \"no\", \"wav\": \"no\", \"text\": \"yes\", \"audio_filepath\": \"yes\", \"transcript\": "
      "\"no\"}");
  ASSERT_EQ(manifest.utterances.size(), 1u);
  EXPECT_EQ(manifest.utterances[0].audio, "yes");
  EXPECT_EQ(manifest.utterances[0].text, "yes");
}

TEST(NemoManifestTest, OffsetWithoutDurationRunsToTheEnd) {
  const Manifest manifest = Parse(
      "{\"wav\": \"a\", \"offset\": 0}\n{\"wav\": \"a\", \"offset\": 3.5}\n"
      "{\"wav\": \"a\", \"offset\": 0, \"duration\": 1}");
  EXPECT_EQ(manifest.utterances[0].end_seconds, -1);
  EXPECT_EQ(manifest.utterances[1].begin_seconds, 3.5);
  EXPECT_EQ(manifest.utterances[1].end_seconds, -1);
  EXPECT_EQ(manifest.utterances[2].end_seconds, 1);
}

TEST(NemoManifestTest, IdsAreMadeFromFileNames) {
  const Manifest manifest = Parse(
      "{\"wav\": \"x/a.wav\"}\n{\"wav\": \"y/a.flac\"}\n{\"wav\": \"a.wav\", \"id\": \"a-2\"}\n{\"wav\": \"a\"}\n"
      "{\"wav\": \"/x/\u00e9 1,2%.tar.wav\"}\n{\"wav\": \"z/.wav\"}\n{\"wav\": \"z/..wav\"}\n"
      "{\"wav\": \"a\u00a0b.wav\"}\n");
  std::vector<std::string> ids;
  for (const UtteranceSource& utterance : manifest.utterances) ids.push_back(utterance.id);
  EXPECT_EQ(absl::StrJoin(ids, "|"), "a|a-3|a-2|a-4|\u00e9_1,2%.tar|.wav|utterance|a_b");
}

TEST(NemoManifestTest, ManyEqualFileNamesAreNotSlow) {
  std::string content;
  for (int i = 0; i < 50000; ++i) absl::StrAppend(&content, "{\"wav\": \"", i, "/a.wav\"}\n");
  const Manifest manifest = Parse(content);
  ASSERT_EQ(manifest.utterances.size(), 50000u);
  EXPECT_EQ(manifest.utterances[49999].id, "a-50000");
}

TEST(NemoManifestTest, OddTextIsRepairedWithAWarning) {
  const Manifest manifest = Parse(
      "\xef\xbb\xbf{\"wav\": \"a\", \"text\": \"\\tone\u00a0two \\r\\n three\u3000\"}\r\n\r\n"
      "{\"wav\": \"b\", \"text\": \"\u2009\"}");
  ASSERT_EQ(manifest.utterances.size(), 2u);
  EXPECT_EQ(manifest.utterances[0].text, "one two three");
  EXPECT_EQ(manifest.utterances[1].text, "");
  EXPECT_EQ(absl::StrJoin(manifest.warnings, "|"),
            "m:1: U+00A0 in a text is read as a space|m:1: a byte order mark (BOM) is skipped|"
            "m:1: Windows line ends (CR LF) are read as line ends|m:2: empty lines are skipped");
}

TEST(NemoManifestTest, ALongTextOfOddSpacesIsNotSlow) {
  std::string text;
  for (int i = 0; i < 300000; ++i) absl::StrAppend(&text, i % 2 == 0 ? "x" : "\u00a0");
  const Manifest manifest = Parse(absl::StrCat("{\"wav\": \"a\", \"text\": \"", text, "\"}"));
  EXPECT_EQ(manifest.utterances[0].text.size(), 299999u);
}

TEST(NemoManifestTest, CommandsOnlyWhenAllowed) {
  const std::string content = "{\"wav\": \"sph2pipe -f wav a.sph | \", \"id\": \"a\"}";
  EXPECT_EQ(Error(content),
            "m:1: expected a file (commands run only with --allow_commands), found the command "
            "\"sph2pipe -f wav a.sph\"");
  const Manifest manifest = Parse(content, /*allow_commands=*/true);
  EXPECT_TRUE(manifest.utterances[0].audio_is_command);
  EXPECT_EQ(manifest.utterances[0].audio, "sph2pipe -f wav a.sph");
}

TEST(NemoManifestTest, ErrorsNameTheLine) {
  const std::string ok = "{\"wav\": \"a\"}\n";
  const struct {
    std::string content;
    const char* error;
  } cases[] = {
      {"", "m:1: expected an utterance, found none in the whole file"},
      {"\n\n", "m:1: expected an utterance, found none in the whole file"},
      {ok + "{}", "m:2: expected \"audio_filepath\" with a path, found none"},
      {ok + "{\"wav\": \"\"}", "m:2: expected \"audio_filepath\" with a path, found none"},
      {ok + "{\"wav\": null}", "m:2: expected \"audio_filepath\" with a path, found none"},
      {ok + "{\"wav\": \" |\"}",
       "m:2: expected a file (commands run only with --allow_commands), found the command "
       "\"\""},
      {ok + "{\"wav\": \"b\"", "m:2: byte 11: expected ',' or '}', found the end of the JSON"},
      {ok + "{\"wav\": \"b\"} {}", "m:2: byte 13: expected only spaces after the JSON, found '{'"},
      {ok + "[\"wav\"]", "m:2: byte 0: expected '{', found '['"},
      {ok + "{\"wav\": 3}", "m:2: byte 8: expected a string, found '3'"},
      {ok + "{\"wav\": \"b\", \"wav\": \"c\"}", "m:2: byte 13: expected one \"wav\", found a second one"},
      {ok + "{\"wav\": \"b\", \"text\": 5}", "m:2: byte 21: expected a string, found '5'"},
      {ok + "{\"wav\": \"b\", \"duration\": -1}", "m:2: expected a duration of 0 to 1e+09 seconds, found -1"},
      {ok + "{\"wav\": \"b\", \"duration\": NaN}", "m:2: byte 25: expected a number, found 'N'"},
      {ok + "{\"wav\": \"b\", \"duration\": \"1\"}", "m:2: byte 25: expected a number, found '\"'"},
      {ok + "{\"wav\": \"b\", \"duration\": 1e10}", "m:2: expected a duration of 0 to 1e+09 seconds, found 1e+10"},
      {ok + "{\"wav\": \"b\", \"offset\": -0.5}", "m:2: expected an offset of 0 to 1e+09 seconds, found -0.5"},
      {ok + "{\"wav\": \"b\", \"offset\": 2, \"duration\": 0}", "m:2: expected an end after the begin at 2 s, found 2"},
      {ok + "{\"wav\": \"b\", \"start\": 0.9, \"end\": 0.2}",
       "m:2: expected an end after the begin at 0.9 s, found 0.2"},
      {ok + "{\"wav\": \"b\", \"end\": 0}", "m:2: expected an end after the begin at 0 s, found 0"},
      {ok + "{\"wav\": \"b\", \"channel\": 256}", "m:2: byte 24: expected a channel of at most 255, found 256"},
      {ok + "{\"wav\": \"b\", \"id\": \"x y\"}",
       "m:2: expected an id of at most 255 printable bytes without white space or \"..\", found white space in "
       "\"x y\""},
      {ok + "{\"wav\": \"b\", \"id\": \"../x\"}",
       "m:2: expected an id of at most 255 printable bytes without white space or \"..\", found the path \"../x\""},
      {ok + "{\"wav\": \"b\", \"id\": \"\\u001b[2J\"}",
       "m:2: expected an id of at most 255 printable bytes without white space or \"..\", found U+001B in "
       "\"\\x1b[2J\""},
      {ok + "{\"wav\": \"b\", \"text\": \"one \\u0000\"}",
       "m:2: expected printable text, found U+0000 behind \"one \""},
      {ok + "{\"wav\": \"b\", \"text\": \"\\u001b[2J\"}", "m:2: expected printable text, found U+001B behind \"\""},
      {ok + "{\"wav\": \"b\", \"text\": \"\xff\"}", "m:2: byte 22: expected UTF-8, found 0xff"},
      {ok + "{\"wav\": \"b\nc\"}", "m:2: byte 10: expected '\"', found the end of the JSON"},
      {ok + "{\"wav\": \"b\\nc\"}", "m:2: expected a printable path, found U+000A in \"b\\nc\""},
      {ok + "{\"wav\": \"-\"}", "m:2: expected a path of audio, found standard input"},
      {ok + "{\"wav\": \"https://x/b.wav\"}", "m:2: expected a path of audio, found the address \"https://x/b.wav\""},
      {ok + "{\"wav\": \"b\", \"text_filepath\": \"b.txt\"}",
       "m:2: expected \"text\", found \"text_filepath\": texts in files of their own are not read"},
      {ok + "{\"wav\": \"b\", \"shard_id\": 0}",
       "m:2: expected audio in files, found \"shard_id\": audio in tar files is not read"},
      {"{\"wav\": \"a\", \"id\": \"x\"}\n{\"wav\": \"b\"}\n\n{\"wav\": \"c\", \"id\": \"x\"}\n",
       "m:4: expected each id once, found \"x\", which line 1 has too"},
  };
  for (const auto& c : cases) EXPECT_EQ(Error(c.content), c.error) << c.content;
  EXPECT_EQ(Error(absl::StrCat("{\"wav\": \"a\", \"id\": \"", std::string(256, 'x'), "\"}")).substr(0, 24),
            "m:1: expected an id of a");
  EXPECT_EQ(Error(absl::StrCat("{\"wav\": \"a\", \"x\": ", std::string(100, '['))),
            "m:1: byte 82: expected at most 64 levels of nesting, found more");
  EXPECT_EQ(Error(absl::StrCat("{\"wav\": \"a\", \"x\": \"", std::string(1 << 20, 'x'), "\"}")),
            "m:1: expected at most 1048576 bytes in a line, found 1048597");
}

}  // namespace
}  // namespace earshot
