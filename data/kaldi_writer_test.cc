#include "data/kaldi_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "data/kaldi_dir.h"
#include "data/kaldi_text.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Content(const std::string& path) { return ReadFile(path, 1 << 20).value(); }

UtteranceSource Source(const std::string& id, const std::string& speaker, const std::string& text) {
  UtteranceSource source;
  source.id = id;
  source.speaker = speaker;
  source.text = text;
  source.audio = absl::StrCat("/x/", id, ".wav");
  return source;
}

// What a directory keeps of a source.
std::string Line(const UtteranceSource& source) {
  return absl::StrCat(source.id, "|", source.speaker, "|", source.text, "|", source.audio, "|", source.audio_is_command,
                      "|", source.recording, "|", source.channel, "|", source.duration_seconds, "|", source.features);
}

void ExpectSame(const std::vector<UtteranceSource>& read, const std::vector<UtteranceSource>& written) {
  ASSERT_EQ(read.size(), written.size());
  for (size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(Line(read[i]), Line(written[i]));
    EXPECT_EQ(read[i].begin_seconds, written[i].begin_seconds);  // to the last bit
    EXPECT_EQ(read[i].end_seconds, written[i].end_seconds);
    EXPECT_EQ(read[i].duration_seconds, written[i].duration_seconds);
  }
}

// Writes, looks at the list of files, and reads again without a warning.
std::vector<UtteranceSource> RoundTrip(const std::string& folder, const std::vector<UtteranceSource>& sources,
                                       const std::vector<std::string>& files) {
  const absl::Status status = WriteKaldiDirectory(folder, sources);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(ListFiles(folder).value(), files);
  KaldiOptions options;
  options.allow_commands = true;
  auto directory = ReadKaldiDirectory(folder, options);
  EXPECT_TRUE(directory.ok()) << directory.status();
  if (!directory.ok()) return {};
  EXPECT_THAT(directory->warnings, IsEmpty());
  return std::move(directory->utterances);
}

TEST(KaldiWriter, FilesSortedByBytes) {
  const std::string folder = MakeTestFolder("plain") + "/new/folder";
  const std::vector<UtteranceSource> sources = {Source("b_1", "b", "TWO"), Source("b-1", "b", ""),
                                                Source("a-1", "z", "ONE \xc3\xa9")};
  const auto read = RoundTrip(folder, sources, {"spk2utt", "text", "utt2spk", "wav.scp"});
  ExpectSame(read, {sources[2], sources[1], sources[0]});
  EXPECT_EQ(Content(folder + "/wav.scp"), "a-1 /x/a-1.wav\nb-1 /x/b-1.wav\nb_1 /x/b_1.wav\n");
  EXPECT_EQ(Content(folder + "/text"), "a-1 ONE \xc3\xa9\nb-1\nb_1 TWO\n");
  EXPECT_EQ(Content(folder + "/utt2spk"), "a-1 z\nb-1 b\nb_1 b\n");
  EXPECT_EQ(Content(folder + "/spk2utt"), "b b-1 b_1\nz a-1\n");
}

// KAL-08: rebuilt from a utt2spk whose speakers are not sorted.
TEST(KaldiWriter, Spk2uttIsSortedWhateverUtt2spkIs) {
  const std::string folder = MakeTestFolder("spk2utt");
  ASSERT_TRUE(WriteKaldiDirectory(folder, {Source("u1", "z", "A"), Source("u2", "a", "B")}).ok());
  EXPECT_EQ(Content(folder + "/spk2utt"), "a u2\nz u1\n");
}

TEST(KaldiWriter, SegmentsDurationsFeaturesAndCommands) {
  std::vector<UtteranceSource> sources = {Source("a-1", "a", "ONE"), Source("a-2", "a", "TWO"),
                                          Source("a-3", "a", "THREE")};
  for (UtteranceSource& source : sources) {
    source.audio = "/x/r1.wav";
    source.recording = "r1";
    source.duration_seconds = 1 / 3.0;
    source.features = absl::StrCat("/x/f.ark:", source.id.substr(2));
  }
  sources[0].begin_seconds = 0.1 + 0.2;  // 0.30000000000000004
  sources[0].end_seconds = 1e-5 + 1;
  sources[1].begin_seconds = 12345.678901234567;
  sources[1].channel = 1;
  sources[2].recording = "r2";
  sources[2].audio = "sph2pipe -f wav x.sph";
  sources[2].audio_is_command = true;
  const std::string folder = MakeTestFolder("segments");
  auto read = RoundTrip(folder, sources, {"feats.scp", "segments", "spk2utt", "text", "utt2dur", "utt2spk", "wav.scp"});
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[2].audio, "sph2pipe -f wav x.sph ");
  read[2].audio.pop_back();
  ExpectSame(read, sources);
  EXPECT_EQ(Content(folder + "/segments"),
            "a-1 r1 0.30000000000000004 1.00001\na-2 r1 12345.678901234567 -1 1\na-3 r2 0 -1\n");
  EXPECT_EQ(Content(folder + "/wav.scp"), "r1 /x/r1.wav\nr2 sph2pipe -f wav x.sph |\n");
}

TEST(KaldiWriter, FeaturesOnly) {
  UtteranceSource source = Source("u1", "", "ONE");
  source.audio.clear();
  source.features = "f.ark:3[0:9]";
  const auto read = RoundTrip(MakeTestFolder("features"), {source}, {"feats.scp", "spk2utt", "text", "utt2spk"});
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].speaker, "u1");
  EXPECT_TRUE(absl::StartsWith(read[0].features, "/") && absl::EndsWith(read[0].features, "/f.ark:3[0:9]"))
      << read[0].features;
}

// Sources of all kinds at random: what is read is what was written, by id.
TEST(KaldiWriter, RandomRoundTrips) {
  std::mt19937 random(1);
  const auto below = [&random](int n) { return static_cast<int>(random() % n); };
  const std::vector<std::string> letters = {"a", "B", "-", "_", ".x", "/y", "0", "9", "\xc3\xa9", "\xe4\xbd\xa0",
                                            "$", "|"};
  const auto word = [&] {
    std::string text = "w";
    for (int n = below(6); n > 0; --n) text += letters[below(letters.size())];
    return text;
  };
  for (int round = 0; round < 40; ++round) {
    std::map<std::string, UtteranceSource> by_id;
    const bool audio = below(4) != 0, features = !audio || below(2) != 0, segments = audio && below(2) != 0;
    for (int n = 1 + below(20); n > 0; --n) {
      UtteranceSource source;
      source.id = word();
      source.speaker = word();
      for (int words = below(4); words > 0; --words)
        absl::StrAppend(&source.text, source.text.empty() ? "" : " ", word());
      const std::string recording = segments ? absl::StrCat("r", below(3)) : source.id;
      if (audio) source.audio = absl::StrCat("/x y/", recording, ".wav");
      if (segments) {
        source.recording = recording;
        source.begin_seconds = below(1000) / 7.0;
        if (below(2) != 0) source.end_seconds = source.begin_seconds + (1 + below(1000)) / 9.0;
        source.channel = below(3) - 1;
      }
      if (round % 2 == 0) source.duration_seconds = (1 + below(1000)) / 11.0;
      if (features) source.features = absl::StrCat("/f.ark:", below(1 << 30), below(2) != 0 ? "[0:9]" : "");
      if (IdProblem(source.id).empty() && IdProblem(source.speaker).empty()) by_id[source.id] = source;
    }
    if (by_id.empty()) continue;
    std::vector<UtteranceSource> sorted, shuffled;
    for (const auto& entry : by_id) sorted.push_back(entry.second);
    shuffled = sorted;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    const std::string folder = MakeTestFolder(absl::StrCat("random_", round));
    const absl::Status written = WriteKaldiDirectory(folder, shuffled);
    ASSERT_TRUE(written.ok()) << written;
    const auto read = ReadKaldiDirectory(folder);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_THAT(read->warnings, IsEmpty());
    ExpectSame(read->utterances, sorted);
  }
}

TEST(KaldiWriter, RefusesWhatCouldNotBeReadAgain) {
  const std::string folder = MakeTestFolder("refused");
  const auto error = [&folder](const std::vector<UtteranceSource>& sources) {
    const absl::Status status = WriteKaldiDirectory(folder, sources);
    EXPECT_THAT(ListFiles(folder).value(), IsEmpty());
    return std::string(status.message());
  };
  const UtteranceSource good = Source("u1", "s", "ONE");
  EXPECT_THAT(error({}), HasSubstr("expected utterances, found none"));
  EXPECT_THAT(error({good, good}), HasSubstr("utterance \"u1\" is there twice"));
  EXPECT_THAT(error({Source("u 1", "s", "ONE")}), HasSubstr("white space in \"u 1\""));
  EXPECT_THAT(error({Source("../u", "s", "ONE")}), HasSubstr("the path \"../u\""));
  EXPECT_THAT(error({Source("u", "a b", "ONE")}), HasSubstr("white space in \"a b\""));
  EXPECT_THAT(error({Source("u", "s", "a\nu2 b")}), HasSubstr("printable text"));
  for (const char* path : {"a\nb", " a", "a ", "touch /tmp/x |", "\x1b"}) {
    UtteranceSource source = good;
    source.audio = path;
    EXPECT_THAT(error({source}), HasSubstr("a line of an scp file can hold")) << path;
  }
  UtteranceSource command = good;
  command.audio = "| sh";
  command.audio_is_command = true;
  EXPECT_THAT(error({command}), HasSubstr("a line of an scp file can hold"));
  UtteranceSource other = Source("u2", "s", "TWO");
  other.recording = "u1";
  EXPECT_THAT(error({good, other}), HasSubstr("expected one recording with the id \"u1\""));
  other.audio.clear();
  EXPECT_THAT(error({good, other}), HasSubstr("audio for all utterances or none"));
  other = Source("u2", "s", "TWO");
  other.features = "/f.ark:1";
  EXPECT_THAT(error({good, other}), HasSubstr("features for all utterances or none"));
}

TEST(KaldiWriter, DoesNotReplaceADirectoryButTakesUpOneThatWasLeftUnfinished) {
  const std::string folder = MakeTestFolder("again");
  WriteTestFile(folder + "/segments", "old\n");
  WriteTestFile(folder + "/other", "kept\n");
  ASSERT_TRUE(WriteKaldiDirectory(folder, {Source("u1", "s", "ONE")}).ok());
  EXPECT_THAT(ListFiles(folder).value(), ElementsAre("other", "spk2utt", "text", "utt2spk", "wav.scp"));
  const absl::Status status = WriteKaldiDirectory(folder, {Source("u2", "s", "TWO")});
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(Content(folder + "/text"), "u1 ONE\n");
}

}  // namespace
}  // namespace earshot
