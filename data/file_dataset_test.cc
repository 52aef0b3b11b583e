#include "data/file_dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/tensor.h"
#include "data/kaldi_encode.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

UtteranceSource Source(const std::string& audio) {
  UtteranceSource source;
  source.id = "u";
  source.audio = audio;
  return source;
}

UtteranceSource Segment(const std::string& audio, double begin, double end) {
  UtteranceSource source = Source(audio);
  source.begin_seconds = begin;
  source.end_seconds = end;
  return source;
}

absl::StatusOr<Utterance> Get(const UtteranceSource& source) { return FileDataset({source}).Get(0); }

std::string Error(const UtteranceSource& source) {
  const auto utterance = Get(source);
  return utterance.ok() ? "" : std::string(utterance.status().message());
}

// KAL-14's recording: 1.005 s at 16 kHz; sample i has the value i.
std::string Ramp(const std::string& folder) {
  std::vector<int16_t> samples(16080);
  for (size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<int16_t>(i);
  const std::string path = MakeTestFolder(folder) + "/ramp.wav";
  WriteTestFile(path, WavBytes(16000, samples));
  return path;
}

// First sample and one behind the last.
std::vector<int> Range(const UtteranceSource& source) {
  const auto utterance = Get(source);
  EXPECT_TRUE(utterance.ok()) << utterance.status();
  if (!utterance.ok() || utterance->waveform.empty()) return {};
  EXPECT_EQ(utterance->sample_rate, 16000);
  return {static_cast<int>(utterance->waveform.front()), static_cast<int>(utterance->waveform.back()) + 1};
}

TEST(FileDataset, SegmentsAreCutAsKaldiCutsThem) {
  const std::string ramp = Ramp("segments");
  EXPECT_THAT(Range(Segment(ramp, 0.5, -1)), ElementsAre(8000, 16080));
  EXPECT_THAT(Range(Segment(ramp, 0, 1)), ElementsAre(0, 16000));
  EXPECT_THAT(Range(Segment(ramp, 0.25, 0.5)), ElementsAre(4000, 8000));
  // Rounded down: 0.00119375 s is 19.1 samples, and 1.005 s (which no double is) just below 16080.
  EXPECT_THAT(Range(Segment(ramp, 0.00119375, 0.00249375)), ElementsAre(19, 39));
  EXPECT_THAT(Range(Segment(ramp, 0, 1.005)), ElementsAre(0, 16079));
  // Up to half a second too long is taken for a list made from rounded times.
  EXPECT_THAT(Range(Segment(ramp, 0.5, 1.01)), ElementsAre(8000, 16080));
  EXPECT_THAT(Range(Segment(ramp, 0.5, 1.504)), ElementsAre(8000, 16080));
}

TEST(FileDataset, SegmentsOutsideTheRecordingAreErrors) {
  const std::string ramp = Ramp("outside");
  EXPECT_EQ(
      Error(Segment(ramp, 1.2, 1.4)),
      absl::StrCat(ramp, ": expected a begin within the recording, found 1.2 to 1.4 s in 1.005 s (utterance \"u\")"));
  EXPECT_THAT(Error(Segment(ramp, 1.0051, -1)), HasSubstr("expected a begin within the recording"));
  EXPECT_THAT(Error(Segment(ramp, 1e300, -1)), HasSubstr("expected a begin within the recording"));
  EXPECT_THAT(Error(Segment(ramp, -1, 1)), HasSubstr("expected a begin within the recording"));
  EXPECT_THAT(Error(Segment(ramp, 0.5, 1.505)), HasSubstr("expected an end within the recording"));
  EXPECT_THAT(Error(Segment(ramp, 0.5, 1e300)), HasSubstr("expected an end within the recording"));
  EXPECT_THAT(Error(Segment(ramp, 0.50001, 0.50002)), HasSubstr("expected at least one sample"));
  EXPECT_THAT(Error(Segment(ramp, 0.5, 0.2)), HasSubstr("expected at least one sample"));
}

TEST(FileDataset, TheWholeRecordingIsTheSameBitsEitherWay) {
  const std::string ramp = Ramp("whole");
  const std::vector<float> whole = Get(Source(ramp)).value().waveform;
  EXPECT_EQ(whole.size(), 16080u);
  EXPECT_EQ(Get(Segment(ramp, 0, 1.0051)).value().waveform, whole);
  const std::string empty = MakeTestFolder("empty") + "/empty.wav";
  WriteTestFile(empty, WavBytes(16000, {}));
  EXPECT_EQ(Get(Source(empty)).value().waveform.size(), 0u);
}

TEST(FileDataset, Channels) {
  // Left and right interleaved: a mono file's header with two channels and blocks of four bytes.
  std::string stereo = WavBytes(16000, {1, 10, 2, 20, 3, 30});
  stereo[22] = 2;
  stereo[32] = 4;
  const std::string path = MakeTestFolder("channels") + "/stereo.wav";
  WriteTestFile(path, stereo);
  UtteranceSource source = Source(path);
  EXPECT_THAT(Get(source).value().waveform, ElementsAre(5.5, 11, 16.5));
  source.channel = 0;
  EXPECT_THAT(Get(source).value().waveform, ElementsAre(1, 2, 3));
  source.channel = 1;
  EXPECT_THAT(Get(source).value().waveform, ElementsAre(10, 20, 30));
  // Two channels of a recording are two in the cache.
  source.end_seconds = 2.0 / 16000;
  UtteranceSource left = source;
  left.channel = 0;
  const FileDataset dataset({source, left});
  EXPECT_THAT(dataset.Get(0).value().waveform, ElementsAre(10, 20));
  EXPECT_THAT(dataset.Get(1).value().waveform, ElementsAre(1, 2));
  source.channel = 2;
  EXPECT_THAT(Error(source), HasSubstr(path + ": "));
}

// A command that also writes a line into a log each time it runs.
UtteranceSource LoggingCommand(const std::string& folder, const std::string& wav) {
  UtteranceSource source = Source(absl::StrCat("echo run >> '", folder, "/log'; cat '", wav, "' "));
  source.audio_is_command = true;
  return source;
}

int Lines(const std::string& path) {
  std::ifstream file(path);
  return static_cast<int>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
}

TEST(FileDataset, ARecordingIsDecodedOnceForAllItsSegments) {
  const std::string ramp = Ramp("once");
  const std::string folder = ramp.substr(0, ramp.rfind('/'));
  std::vector<UtteranceSource> sources;
  for (int i = 0; i < 50; ++i) {
    UtteranceSource source = LoggingCommand(folder, ramp);
    source.id = absl::StrCat("u", i);
    source.begin_seconds = i / 128.0;
    source.end_seconds = (i + 2) / 128.0;
    sources.push_back(source);
  }
  const FileDataset dataset(sources);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&dataset, t] {
      for (int i = t; i < 50; i += 4) EXPECT_EQ(dataset.Get(i).value().waveform.size(), 250u) << i;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Lines(folder + "/log"), 1);
  const FileDataset small(sources, 1);  // room for the last one only
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(small.Get(i).ok());
  EXPECT_EQ(Lines(folder + "/log"), 2);
}

// KAL-13.
TEST(FileDataset, Commands) {
  const std::string ramp = Ramp("commands");
  const std::string folder = ramp.substr(0, ramp.rfind('/'));
  EXPECT_THAT(Range(LoggingCommand(folder, ramp)), ElementsAre(0, 16080));
  UtteranceSource source = Source("false ");
  source.audio_is_command = true;
  EXPECT_EQ(Error(source), "command \"false \": /bin/sh: exited with 1 (utterance \"u\")");
  source.audio = "/no/such/tool x";
  EXPECT_THAT(Error(source), HasSubstr("command \"/no/such/tool x\": /bin/sh: exited with 127: "));
  source.audio = "printf '\\033[31mred\\nline' >&2; exit 3";
  EXPECT_THAT(Error(source), HasSubstr("exited with 3: \\x1b[31mred\\nline (utterance"));
  source.audio = "true";
  EXPECT_THAT(Error(source), HasSubstr("command \"true\": "));  // no audio
  // It runs where the user is.
  ASSERT_EQ(setenv("BUILD_WORKING_DIRECTORY", folder.c_str(), 1), 0);
  source.audio = "cat ramp.wav";
  EXPECT_THAT(Range(source), ElementsAre(0, 16080));
  ASSERT_EQ(unsetenv("BUILD_WORKING_DIRECTORY"), 0);
}

// A WAV file at a position of an archive, as Kaldi's wav-copy writes it: key, space, file.
TEST(FileDataset, WavFilesInAnArchive) {
  const std::string folder = MakeTestFolder("wav_archive");
  const std::string path = folder + "/wav.ark";
  const std::string first = absl::StrCat("u1 ", WavBytes(16000, {1, 2, 3}));
  WriteTestFile(path, absl::StrCat(first, "u22 ", WavBytes(8000, {4, 5})));
  EXPECT_THAT(Get(Source(path + ":3")).value().waveform, ElementsAre(1, 2, 3));
  const auto second = Get(Source(absl::StrCat(path, ":", first.size() + 4)));
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_THAT(second->waveform, ElementsAre(4, 5));
  EXPECT_EQ(second->sample_rate, 8000);
  EXPECT_EQ(Error(Source(path + ":4")),
            absl::StrCat(path, ": byte 4: expected a WAV file, found something else (utterance \"u\")"));
  EXPECT_THAT(Error(Source(path + ":1000000")), HasSubstr(": byte 1000000: expected a WAV file, found a file of "));
  WriteTestFile(path, first.substr(0, first.size() - 1));
  EXPECT_THAT(Error(Source(path + ":3")), HasSubstr(": byte 7: expected a WAV file of at most 49 bytes, found 50"));
  EXPECT_THAT(Error(Source(folder + "/no.ark:3")), HasSubstr("/no.ark: cannot open: No such file"));
  // A file that is really called so.
  WriteTestFile(path + ":3", WavBytes(16000, {7}));
  EXPECT_THAT(Get(Source(path + ":3")).value().waveform, ElementsAre(7));
}

UtteranceSource Features(const std::string& location) {
  UtteranceSource source;
  source.id = "u";
  source.features = location;
  return source;
}

TEST(FileDataset, FeaturesInPlaceOfAudio) {
  const std::string folder = MakeTestFolder("features");
  Tensor<float, 2> matrix({3, 2});
  for (int i = 0; i < 6; ++i) matrix.data()[i] = static_cast<float>(i) / 3;
  std::string ark = "u ";
  ASSERT_TRUE(AppendKaldiBinary(matrix.view(), KaldiCompression::kNone, &ark).ok());
  WriteTestFile(folder + "/f.ark", ark);
  UtteranceSource source = Features(folder + "/f.ark:2");
  source.audio = "/no/such/file";  // not asked for
  source.end_seconds = 0.001;      // features are of the utterance already
  auto utterance = Get(source);
  ASSERT_TRUE(utterance.ok()) << utterance.status();
  EXPECT_EQ(utterance->feature_dims, 2);
  EXPECT_THAT(utterance->features, ElementsAreArray(matrix.data(), 6));
  EXPECT_TRUE(utterance->waveform.empty());
  utterance = Get(Features(folder + "/f.ark:2[1:2,0:0]"));
  EXPECT_EQ(utterance->feature_dims, 1);
  EXPECT_THAT(utterance->features, ElementsAre(matrix.data()[2], matrix.data()[4]));
  EXPECT_THAT(Error(Features(folder + "/f.ark:3")), HasSubstr("/f.ark: byte 3: expected "));
  EXPECT_THAT(Error(Features(folder + "/f.ark:3")), HasSubstr("(utterance \"u\")"));
  EXPECT_THAT(Error(Features(folder + "/g.ark:3")), HasSubstr("/g.ark: cannot open"));
  ark.clear();
  ASSERT_TRUE(AppendKaldiBinary(Tensor<float, 2>({0, 5}).view(), KaldiCompression::kNone, &ark).ok());
  WriteTestFile(folder + "/empty", ark);
  EXPECT_THAT(Error(Features(folder + "/empty")),
              HasSubstr("/empty: expected frames of 1 to 1048576 features, found a"));
}

// KAL-13's own entries: an object of an archive from a command, and a file with a space in its name.
TEST(FileDataset, FeaturesFromACommand) {
  const std::string folder = MakeTestFolder("feature_command");
  std::string object;
  ASSERT_TRUE(AppendKaldiBinary(Tensor<float, 2>({2, 3}).view(), KaldiCompression::kNone, &object).ok());
  WriteTestFile(folder + "/a b.ark", object);
  EXPECT_EQ(Get(Features(folder + "/a b.ark")).value().feature_dims, 3);
  UtteranceSource source = Features(absl::StrCat("cat '", folder, "/a b.ark' "));
  EXPECT_NE(Error(source), "");  // a file name, unless it is said to be a command
  source.features_is_command = true;
  EXPECT_EQ(Get(source).value().features.size(), 6u);
  source.features = "false";
  EXPECT_EQ(Error(source), "command \"false\": /bin/sh: exited with 1 (utterance \"u\")");
  source.features = "echo nonsense";
  EXPECT_THAT(Error(source), HasSubstr("command \"echo nonsense\": byte 0: expected "));
}

// RELIABILITY C8: none of these starts a program or waits for ever.
TEST(FileDataset, HostilePaths) {
  const std::string folder = MakeTestFolder("hostile");
  ASSERT_EQ(mkfifo((folder + "/fifo").c_str(), 0644), 0);
  ASSERT_EQ(symlink("loop", (folder + "/loop").c_str()), 0);
  for (const std::string& path :
       {absl::StrCat("touch ", folder, "/made |"), absl::StrCat("$(touch ", folder, "/made)"),
        absl::StrCat("; touch ", folder, "/made"), std::string("| sh"), std::string("-rf"), std::string("/dev/zero"),
        std::string("/dev/stdin"), folder + "/fifo", folder + "/loop", folder, std::string()}) {
    const std::string error = Error(Source(path));
    EXPECT_EQ(error.find(path), 0u) << error;
    EXPECT_THAT(error, HasSubstr("(utterance \"u\")")) << path;
  }
  EXPECT_NE(access((folder + "/made").c_str(), F_OK), 0);
}

TEST(FileDataset, IdsAreEscapedInErrors) {
  UtteranceSource source = Source("/no/such/file.wav");
  source.id = "u\x1b[31m";
  EXPECT_THAT(Error(source), HasSubstr("/no/such/file.wav: cannot open: No such file or directory (utterance "
                                       "\"u\\x1b[31m\")"));
}

}  // namespace
}  // namespace earshot
