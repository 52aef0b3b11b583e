#include "data/convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/testing/shared_data.h"
#include "data/an4.h"
#include "data/corpus.h"
#include "data/file_dataset.h"
#include "data/kaldi_dir.h"
#include "data/kaldi_writer.h"
#include "data/manifest.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using Sources = std::vector<UtteranceSource>;

constexpr double kLength = 4225.0 / 16000;  // of the test's recordings, in seconds

std::string Stereo(std::string mono) {
  mono[22] = 2;  // channels
  mono[32] = 4;  // bytes of a sample of all channels
  return mono;
}

// What a list of its kind gets as output.
std::string OutputName(const std::string& kind) {
  if (kind == "kaldi") return "kaldi";
  if (kind == "lhotse") return "supervisions.jsonl.gz";
  return absl::StrCat(kind, kind == "tsv" ? ".tsv" : kind == "nemo" ? ".jsonl" : ".jsonl.gz");
}

absl::StatusOr<Conversion> RunConvert(const std::string& to, const std::string& input, const std::string& output) {
  ConvertOptions options;
  options.to = to;
  options.input = input;
  options.output = output;
  return Convert(options);
}

Sources Read(const std::string& path) {
  if (IsDirectory(path)) {
    const auto directory = ReadKaldiDirectory(path);
    EXPECT_TRUE(directory.ok()) << directory.status();
    return directory.ok() ? directory->utterances : Sources();
  }
  const auto manifest = ReadManifest(path);
  EXPECT_TRUE(manifest.ok()) << manifest.status();
  return manifest.ok() ? manifest->utterances : Sources();
}

void ExpectSame(const Sources& actual, const Sources& expected, const std::string& where) {
  const auto end = [](const UtteranceSource& source) { return source.end_seconds < 0 ? kLength : source.end_seconds; };
  ASSERT_EQ(actual.size(), expected.size()) << where;
  for (size_t i = 0; i < actual.size(); ++i) {
    const UtteranceSource &a = actual[i], &e = expected[i];
    EXPECT_EQ(a.id, e.id) << where;
    EXPECT_EQ(a.text, e.text) << where << " " << e.id;
    EXPECT_EQ(a.speaker, e.speaker) << where << " " << e.id;
    EXPECT_EQ(a.audio, e.audio) << where << " " << e.id;
    EXPECT_EQ(a.channel, e.channel) << where << " " << e.id;
    EXPECT_EQ(a.begin_seconds, e.begin_seconds) << where << " " << e.id;
    EXPECT_NEAR(end(a), end(e), 1e-12) << where << " " << e.id;
    EXPECT_FALSE(a.audio_is_command) << where << " " << e.id;
  }
}

Sources TestSources(const std::string& folder) {
  WriteTestFile(folder + "/a 1.wav", WavBytes(16000, std::vector<int16_t>(4225)));
  WriteTestFile(folder + "/b.wav", WavBytes(16000, std::vector<int16_t>(4225)));
  WriteTestFile(folder + "/two.wav", Stereo(WavBytes(16000, std::vector<int16_t>(2 * 4225))));
  Sources sources(6);
  const auto set = [&](int i, const char* file, const char* id, const char* speaker, const char* text) {
    sources[i].audio = absl::StrCat(folder, "/", file);
    sources[i].id = id;
    sources[i].speaker = speaker;
    sources[i].text = text;
  };
  set(0, "a 1.wav", "a", "s1", "ONE TWO");
  set(1, "b.wav", "b-1", "s1", "d\u00e9j\u00e0 \"vu\" \\ /");
  sources[1].begin_seconds = 0.1;
  sources[1].end_seconds = 0.1 + 0.02;
  set(2, "b.wav", "b-2", "s2", "");
  sources[2].begin_seconds = 1.0 / 7;
  set(3, "b.wav", "b-3", "s2", "x");
  sources[3].end_seconds = 0.2;
  set(4, "two.wav", "c-0", "s3", "\u521d\u6b65");
  sources[4].channel = 0;
  set(5, "two.wav", "c-1", "s3", "y");
  sources[5].channel = 1;
  sources[5].begin_seconds = 0.0625;
  sources[5].end_seconds = 0.125;
  for (int i : {1, 2, 3}) sources[i].recording = "rec-b";
  for (int i : {4, 5}) sources[i].recording = "two";
  return sources;
}

TEST(ConvertTest, EveryKindToEveryKindKeepsWhatIsSaid) {
  const std::string folder = MakeTestFolder("every_kind");
  const Sources sources = TestSources(folder);
  ASSERT_TRUE(WriteKaldiDirectory(folder + "/start", sources).ok());
  for (const std::string from : ListKinds()) {
    const std::string first = absl::StrCat(folder, "/", from, "/", OutputName(from));
    ASSERT_TRUE(MakeDirectories(absl::StrCat(folder, "/", from)).ok());
    const auto conversion = RunConvert(from, folder + "/start", first);
    ASSERT_TRUE(conversion.ok()) << conversion.status();
    EXPECT_EQ(conversion->from, "kaldi");
    ExpectSame(Read(first), sources, absl::StrCat("kaldi to ", from));
    for (const std::string to : ListKinds()) {
      const std::string second = absl::StrCat(folder, "/", from, "-", to, "/", OutputName(to));
      const auto again = RunConvert(to, first, second);
      ASSERT_TRUE(again.ok()) << again.status();
      ASSERT_EQ(again->lists.size(), 1u);
      EXPECT_EQ(again->lists[0].utterances, 6);
      ExpectSame(Read(second), sources, absl::StrCat(from, " to ", to));
    }
  }
}

// The mean of all channels is a MultiCut in Lhotse; an unknown speaker is the utterance's own in Kaldi.
TEST(ConvertTest, UnknownSpeakerAndMeanOfChannels) {
  const std::string folder = MakeTestFolder("mean");
  WriteTestFile(folder + "/two.wav", Stereo(WavBytes(16000, std::vector<int16_t>(2 * 4225))));
  WriteTestFile(folder + "/m.jsonl", "{\"wav\": \"two.wav\", \"text\": \"x\"}\n");
  for (const std::string kind : ListKinds()) {
    const std::string path = absl::StrCat(folder, "/", kind, "/", OutputName(kind));
    ASSERT_TRUE(MakeDirectories(absl::StrCat(folder, "/", kind)).ok());
    const auto conversion = RunConvert(kind, folder + "/m.jsonl", path);
    ASSERT_TRUE(conversion.ok()) << conversion.status();
    const Sources sources = Read(path);
    ASSERT_EQ(sources.size(), 1u) << kind;
    EXPECT_EQ(sources[0].id, "two");
    EXPECT_EQ(sources[0].channel, -1) << kind;
    EXPECT_EQ(sources[0].begin_seconds, 0) << kind;
    EXPECT_EQ(sources[0].end_seconds, -1) << kind;
    EXPECT_EQ(sources[0].speaker, kind == "kaldi" ? "two" : "") << kind;
  }
}

TEST(ConvertTest, NothingIsOverwritten) {
  const std::string folder = MakeTestFolder("overwrite");
  WriteTestFile(folder + "/m.tsv", "audio\ttext\n/a.wav\tx\n");
  WriteTestFile(folder + "/there.tsv", "mine");
  WriteTestFile(folder + "/recordings.jsonl", "mine");
  const auto error = [&](const char* to, const char* output) {
    const absl::Status status = RunConvert(to, folder + "/m.tsv", absl::StrCat(folder, "/", output)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists) << status;
    return std::string(status.message()).substr(folder.size());
  };
  const std::string already = ": is already there, expected a new name for the output";
  EXPECT_EQ(error("tsv", "there.tsv"), "/there.tsv" + already);
  EXPECT_EQ(error("nemo", "m.tsv"), "/m.tsv" + already);
  EXPECT_EQ(error("lhotse", "supervisions.jsonl"), "/recordings.jsonl" + already);
  EXPECT_EQ(*ReadFile(folder + "/there.tsv", 100), "mine");
}

TEST(ConvertTest, NoListIsLeftAfterAnError) {
  const std::string folder = MakeTestFolder("half");
  ASSERT_TRUE(MakeDirectories(folder + "/in").ok());
  WriteTestFile(folder + "/in/a.wav", WavBytes(16000, std::vector<int16_t>(4225)));
  WriteTestFile(folder + "/in/b.wav", WavBytes(16000, std::vector<int16_t>(4225)));
  WriteTestFile(folder + "/in/train.tsv", "audio\ttext\na.wav\tx\n");
  WriteTestFile(folder + "/in/dev.tsv", "audio\ttext\nb.wav\tx\n");
  WriteTestFile(folder + "/in/test.tsv", "audio\ttext\ngone.wav\tx\n");
  for (const std::string kind : {"nemo", "lhotse", "lhotse-cuts"}) {
    const std::string output = absl::StrCat(folder, "/", kind);
    EXPECT_FALSE(RunConvert(kind, folder + "/in", output).ok());
    const auto left = ListFiles(output);
    ASSERT_TRUE(left.ok()) << left.status();
    EXPECT_EQ(left->size(), 0u) << kind << ": " << left->front();
  }
  // Two recordings of one id have no place in wav.scp.
  WriteTestFile(folder + "/in/test.tsv", "audio\trecording\nc.wav\tr\nd.wav\tr\n");
  const absl::Status status = RunConvert("kaldi", folder + "/in", folder + "/kaldi").status();
  EXPECT_NE(status.message().find("\"r\""), absl::string_view::npos) << status;
  EXPECT_FALSE(IsDirectory(folder + "/kaldi/train"));
}

TEST(ConvertTest, WhatHasNoPlaceIsRefusedByItsId) {
  const std::string folder = MakeTestFolder("no_place");
  WriteTestFile(folder + "/a.wav", WavBytes(16000, std::vector<int16_t>(4225)));
  const auto error = [&](const char* to, const std::string& line, const char* output = "out") {
    const std::string input = folder + "/m.jsonl";
    WriteTestFile(input, line);
    ConvertOptions options;
    options.to = to;
    options.input = input;
    options.output = absl::StrCat(folder, "/", output);
    options.allow_commands = true;
    const absl::Status status = Convert(options).status();
    EXPECT_FALSE(IsRegularFile(options.output));
    return std::string(status.message());
  };
  EXPECT_EQ(error("xml", "{\"wav\": \"a.wav\"}"),
            "kind \"xml\", expected one of kaldi, nemo, lhotse, lhotse-cuts, tsv");
  EXPECT_EQ(error("lhotse-cuts", "{\"wav\": \"sph2pipe a.sph |\", \"id\": \"c\"}"),
            "utterance \"c\": expected audio in a file, whose header has its length, found the command \"sph2pipe "
            "a.sph\"");
  EXPECT_EQ(error("lhotse-cuts", "{\"wav\": \"a.wav\", \"channel\": 1}"),
            absl::StrCat(folder, "/a.wav: expected a channel below 1 for utterance \"a\", found 1"));
  EXPECT_EQ(error("lhotse-cuts", "{\"wav\": \"a.wav\", \"offset\": 3}"),
            absl::StrCat(folder, "/a.wav: expected utterance \"a\" to begin before the end at 0.264062 s, found 3"));
  EXPECT_EQ(error("nemo", "{\"wav\": \"gone.wav\"}"),
            absl::StrCat(folder, "/gone.wav: cannot open: No such file or directory"));
  EXPECT_EQ(error("lhotse", "{\"wav\": \"a.wav\"}", "out.jsonl"),
            absl::StrCat(folder, "/out.jsonl: expected a file name with \"supervisions\" in it"));
}

TEST(ConvertTest, CommandsAreTakenOverWhenAllowed) {
  const std::string folder = MakeTestFolder("commands");
  WriteTestFile(folder + "/m.jsonl", "{\"wav\": \"sph2pipe a.sph |\", \"id\": \"c\"}\n");
  for (const char* kind : {"kaldi", "nemo", "tsv"}) {
    ConvertOptions options;
    options.to = kind;
    options.input = folder + "/m.jsonl";
    options.output = absl::StrCat(folder, "/", kind);
    EXPECT_FALSE(Convert(options).ok());
    options.allow_commands = true;
    const auto conversion = Convert(options);
    ASSERT_TRUE(conversion.ok()) << conversion.status();
    options.input = options.output;
    options.to = "nemo";
    options.output += ".again";
    const auto again = Convert(options);
    ASSERT_TRUE(again.ok()) << again.status();
    const auto content = ReadFile(options.output, 1000);
    ASSERT_TRUE(content.ok()) << content.status();
    EXPECT_EQ(content->find("{\"audio_filepath\": \"sph2pipe a.sph |\", \"text\": \"\", \"id\": \"c\""), 0u)
        << *content;
  }
}

TEST(ConvertTest, An4InEveryKindIsTheSameCorpus) {
  const char* data = SharedData("An4InEveryKindIsTheSameCorpus");
  if (data == nullptr) return;
  const std::string an4 = absl::StrCat(data, "/an4"), folder = MakeTestFolder("an4");
  const auto expected = ListAn4(an4);
  ASSERT_TRUE(expected.ok()) << expected.status();
  for (const std::string kind : ListKinds()) {
    const std::string output = absl::StrCat(folder, "/", kind);
    const auto conversion = RunConvert(kind, an4, output);
    ASSERT_TRUE(conversion.ok()) << conversion.status();
    const auto corpus = ListCorpus(output);
    ASSERT_TRUE(corpus.ok()) << corpus.status();
    EXPECT_EQ(corpus->kind, kind == "lhotse-cuts" ? "lhotse" : kind);
    const struct {
      const Sources &actual, &expected;
    } parts[] = {{corpus->train, expected->train}, {corpus->dev, expected->dev}, {corpus->test, expected->test}};
    for (const auto& part : parts) {
      ASSERT_EQ(part.actual.size(), part.expected.size());
      for (size_t i = 0; i < part.actual.size(); ++i) {
        const UtteranceSource &a = part.actual[i], &e = part.expected[i];
        EXPECT_EQ(a.id, e.id);
        EXPECT_EQ(a.text, e.text);
        EXPECT_EQ(a.speaker, e.speaker);
        EXPECT_EQ(a.audio, e.audio);
        EXPECT_EQ(a.begin_seconds, 0);
        EXPECT_EQ(a.end_seconds, -1);
        EXPECT_EQ(a.channel, -1);
      }
    }
  }
}

}  // namespace
}  // namespace earshot
