#include "data/lhotse_manifest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "data/testing/manifest.h"

namespace earshot {
namespace {

// Made by tools/golden/lhotse_manifests.py.
std::string Golden(const char* name) {
  const auto content = ReadFile(absl::StrCat("data/testdata/lhotse/", name), 1 << 20);
  EXPECT_TRUE(content.ok()) << content.status();
  return content.ok() ? *content : "";
}

// One line an utterance.
std::vector<std::string> Show(const absl::StatusOr<Manifest>& manifest) {
  if (!manifest.ok()) return {std::string(manifest.status().message())};
  std::vector<std::string> lines;
  for (const UtteranceSource& u : manifest->utterances) {
    lines.push_back(absl::StrCat(u.id, " ", u.audio, u.audio_is_command ? "(command)" : "", ":", u.channel, " ",
                                 u.recording, " ", u.begin_seconds, "..", u.end_seconds, " (", u.duration_seconds, ") ",
                                 u.speaker, " ", u.text));
  }
  return lines;
}

absl::StatusOr<Manifest> ParsePair(absl::string_view recordings, absl::string_view supervisions,
                                   bool allow_commands = false) {
  const auto parsed = LhotseRecordings::Parse(recordings, "r");
  if (!parsed.ok()) return parsed.status();
  ManifestOptions options;
  options.allow_commands = allow_commands;
  return ParseLhotseSupervisions(supervisions, "s", *parsed, options);
}

using List = std::vector<std::string>;

TEST(LhotseManifestTest, ReadsRecordingsAndSupervisions) {
  const auto manifest = ParsePair(Golden("recordings.jsonl"), Golden("supervisions.jsonl.gz"));
  EXPECT_EQ(Show(manifest), (List{
                                "u1 audio/a.wav:-1 a 0..-1 (1) s1 one two",
                                "u2 audio/b.wav:1 b 0.25..1.25 (1)  three",
                                "u3 audio/b.wav:-1 b 0.3..1.4 (1.1) s2 café \"x\"",
                                "u4 audio/b.wav:0 b 0.5..-1 (1)  ",
                                "c audio/c2.wav:-1  0..-1 (1)  four",
                            }));
  ASSERT_TRUE(manifest.ok());
  EXPECT_EQ(manifest->kind, "lhotse");
  EXPECT_EQ(absl::StrJoin(manifest->warnings, "|"), "r: 1 of 4 recordings have no supervision");
}

TEST(LhotseManifestTest, ReadsCuts) {
  const auto cuts = ParseLhotseCuts(Golden("cuts.jsonl"), "c");
  EXPECT_EQ(Show(cuts), (List{
                            "u1 audio/a.wav:-1 a 0..-1 (1) s1 one two",
                            "u2 audio/b.wav:1 b 0.25..1.25 (1)  three",
                            "u3 audio/b.wav:-1 b 0.3..1.4 (1.1) s2 café \"x\"",
                            "u4 audio/b.wav:0 b 0.5..-1 (1)  ",
                            "unused-2 audio/u.wav:-1 unused 0..-1 (1)  ",
                        }));
  List trimmed = Show(cuts);
  trimmed.pop_back();
  EXPECT_EQ(Show(ParseLhotseCuts(Golden("trimmed_cuts.jsonl"), "c")), trimmed);
}

TEST(LhotseManifestTest, RefusesWhatIsNotTheAudioOfAFile) {
  EXPECT_EQ(Message(ParseLhotseCuts(Golden("mixed_cuts.jsonl"), "c")),
            "c:1: expected a MonoCut or MultiCut, found \"tracks\" of a MixedCut");
  EXPECT_EQ(Message(ParsePair(Golden("perturbed_recordings.jsonl"), "")),
            "r:1: byte 193: expected a recording without transforms, found some");
}

std::string Recording(absl::string_view id, absl::string_view sources) {
  return absl::StrCat("{\"id\": \"", id, "\", \"sources\": ", sources,
                      ", \"sampling_rate\": 16000, \"num_samples\": 16080, \"duration\": 1.005}\n");
}
std::string Supervision(absl::string_view times, absl::string_view more = "") {
  return absl::StrCat("{\"id\": \"s\", \"recording_id\": \"a\", ", times, more, "}\n");
}

constexpr char kFile[] = R"([{"type": "file", "channels": [0], "source": "a.wav"}])";
constexpr char kStereo[] = R"([{"type": "file", "channels": [0, 1], "source": "a.wav"}])";
constexpr char kTwoFiles[] = R"([{"type": "file", "channels": [0], "source": "l.wav"},
                                 {"type": "file", "channels": [1], "source": "r.wav"}])";

TEST(LhotseManifestTest, TimesOfSupervisions) {
  const auto times = [](absl::string_view times) {
    return Show(ParsePair(Recording("a", kFile), Supervision(times)))[0];
  };
  EXPECT_EQ(times("\"start\": 0, \"duration\": 1.005"), "s a.wav:-1 a 0..-1 (1.005)  ");
  EXPECT_EQ(times("\"start\": 0, \"duration\": 1.00498"), "s a.wav:-1 a 0..-1 (1.00498)  ");  // half a sample
  EXPECT_EQ(times("\"start\": 0, \"duration\": 1.00495"), "s a.wav:-1 a 0..1.00495 (1.00495)  ");
  EXPECT_EQ(times("\"start\": 0, \"duration\": 1.0059"), "s a.wav:-1 a 0..-1 (1.0059)  ");  // rounded
  EXPECT_EQ(times("\"start\": 0, \"duration\": 1.0061"), "s a.wav:-1 a 0..1.0061 (1.0061)  ");
  EXPECT_EQ(times("\"start\": 0, \"duration\": 1"), "s a.wav:-1 a 0..1 (1)  ");
  EXPECT_EQ(times("\"start\": 0.5, \"duration\": 0.5055"), "s a.wav:-1 a 0.5..-1 (0.5055)  ");
  EXPECT_EQ(times("\"start\": 0.5, \"duration\": 0.5045"), "s a.wav:-1 a 0.5..1.0045 (0.5045)  ");
  EXPECT_EQ(times("\"start\": 0.5, \"duration\": 0"), "s:1: expected an end after the start at 0.5 s, found 0.5");
  EXPECT_EQ(times("\"start\": 1.2, \"duration\": 0.2"),
            "s:1: expected a start before the end of the recording at 1.005 s, found 1.2");
  EXPECT_EQ(times("\"start\": -0.1, \"duration\": 1"), "s:1: byte 42: expected 0 to 1e+09 seconds, found -0.1");
  EXPECT_EQ(times("\"start\": 0, \"duration\": -1"), "s:1: byte 57: expected 0 to 1e+09 seconds, found -1");
  EXPECT_EQ(times("\"start\": 0"), "s:1: expected a supervision with \"start\" and \"duration\", found none");
}

TEST(LhotseManifestTest, Channels) {
  const auto channel = [](const char* sources, absl::string_view channel) {
    return Show(ParsePair(Recording("a", sources), Supervision("\"start\": 0, \"duration\": 1.005", channel)))[0];
  };
  EXPECT_EQ(channel(kFile, ", \"channel\": 0"), "s a.wav:-1 a 0..-1 (1.005)  ");
  EXPECT_EQ(channel(kStereo, ", \"channel\": 1"), "s a.wav:1 a 0..-1 (1.005)  ");
  EXPECT_EQ(channel(kStereo, ", \"channel\": [1, 0]"), "s a.wav:-1 a 0..-1 (1.005)  ");
  EXPECT_EQ(channel(kStereo, ""), "s a.wav:-1 a 0..-1 (1.005)  ");
  std::string two_files = kTwoFiles;
  two_files.erase(two_files.find('\n'), 1);
  EXPECT_EQ(channel(two_files.c_str(), ", \"channel\": 1"), "s r.wav:-1 a 0..-1 (1.005)  ");
  EXPECT_EQ(channel(two_files.c_str(), ", \"channel\": [0, 1]"),
            "s:1: expected one channel of the recording \"a\", or all if in one file, found 2 of 2 in 2 files");
  EXPECT_EQ(channel(kFile, ", \"channel\": 1"), "s:1: expected a channel of the recording \"a\", found 1");
  EXPECT_EQ(channel(kStereo, ", \"channel\": 300"), "s:1: byte 75: expected channels of at most 255, found 300");
}

// Lhotse names a recording as its file, spaces and all.
TEST(LhotseManifestTest, SpacesInTheNameOfARecording) {
  std::string supervision = Supervision("\"start\": 0, \"duration\": 1");
  supervision.replace(supervision.find("\"a\""), 3, "\"a  b\"");
  const auto manifest = ParsePair(Recording("a  b", kFile), supervision);
  EXPECT_EQ(Show(manifest)[0], "s a.wav:-1 a_b 0..1 (1)  ");
  ASSERT_TRUE(manifest.ok());
  EXPECT_EQ(absl::StrJoin(manifest->warnings, "|"), "s:1: white space in the name of a recording is read as \"_\"");
}

TEST(LhotseManifestTest, CommandsOnlyWhenAllowed) {
  const std::string recordings =
      Recording("a", R"([{"type": "command", "channels": [0], "source": "sph2pipe a.sph"}])");
  const std::string supervisions = Supervision("\"start\": 0, \"duration\": 1.005");
  EXPECT_EQ(Message(ParsePair(recordings, supervisions)),
            "s:1: expected a file (commands run only with --allow_commands), found the command \"sph2pipe a.sph\"");
  EXPECT_EQ(Show(ParsePair(recordings, supervisions, /*allow_commands=*/true))[0],
            "s sph2pipe a.sph(command):-1 a 0..-1 (1.005)  ");
}

TEST(LhotseManifestTest, ErrorsNameTheLine) {
  const std::string a = Recording("a", kFile), s = Supervision("\"start\": 0, \"duration\": 1");
  EXPECT_EQ(Message(ParsePair("", s)), "r:1: expected a recording, found none in the whole file");
  EXPECT_EQ(Message(ParsePair(a, "")), "s:1: expected an utterance, found none in the whole file");
  EXPECT_EQ(Message(ParsePair(Recording("b", kFile) + "\n" + a + Recording("b", kFile), s)),
            "r:4: expected each recording once, found \"b\", which line 1 has too");
  EXPECT_EQ(Message(ParsePair(Recording("b", kFile), s)), "s:1: expected a \"recording_id\" of r, found \"a\"");
  EXPECT_EQ(Message(ParsePair(a, s + s)), "s:2: expected each id once, found \"s\", which line 1 has too");
  EXPECT_EQ(Message(ParsePair(Recording("a", "[]"), s)), "r:1: expected a recording with \"sources\", found none");
  EXPECT_EQ(Message(ParsePair(Recording("a", R"([{"type": "url", "channels": [0], "source": "http://x"}])"), s)),
            "r:1: byte 24: expected a source of the type \"file\" or \"command\", found \"url\"");
  EXPECT_EQ(Message(ParsePair(Recording("a", R"([{"type": "memory", "channels": [0], "source": [1, 2]}])"), s)),
            "r:1: byte 24: expected a source of the type \"file\" or \"command\", found \"memory\"");
  EXPECT_EQ(Message(ParsePair("{\"id\": \"a\", \"sources\": [{\"type\": \"file\", \"source\": \"x\"}]}", s)),
            "r:1: expected a recording with \"sampling_rate\" above 0 and \"num_samples\", found 0 and none");
  EXPECT_EQ(Message(ParsePair(a, "{\"recording_id\": \"a\"}")), "s:1: expected a supervision with \"id\", found none");
  const std::string cut = R"({"id": "c", "start": 0, "duration": 1, "supervisions": [], "recording": )";
  EXPECT_EQ(Message(ParseLhotseCuts(cut + a.substr(0, a.size() - 1) + "}", "c")),
            "c:1: expected a cut of the type \"MonoCut\" or \"MultiCut\", found \"\"");
  EXPECT_EQ(
      Message(ParseLhotseCuts(R"({"id": "c", "start": 0, "duration": 1, "type": "MonoCut", "features": {}})", "c")),
      "c:1: expected a cut with \"recording\", found none (features are made from the audio)");
  EXPECT_EQ(Message(ParseLhotseCuts(R"({"id": "c", "duration": 1, "type": "PaddingCut"})", "c")),
            "c:1: expected a cut of the type \"MonoCut\" or \"MultiCut\", found \"PaddingCut\"");
  EXPECT_EQ(
      Message(ParseLhotseCuts(
          R"({"id": "c", "duration": 1, "type": "MonoCut", "recording": )" + a.substr(0, a.size() - 1) + "}", "c")),
      "c:1: expected a cut with \"id\", \"start\" and \"duration\", found not all of them");
}

}  // namespace
}  // namespace earshot
