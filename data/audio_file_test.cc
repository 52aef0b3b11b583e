#include "data/audio_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sndfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "data/testing/audio.h"
#include "data/testing/wav.h"

namespace earshot {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

std::string TestPath(absl::string_view name) { return absl::StrCat(testing::TempDir(), "/", name); }

// Writes samples (interleaved when there are more channels) with libsndfile and returns the path.
std::string Write(const std::string& name, int format, int sample_rate = 16000, int channels = 1,
                  const std::vector<short>& samples = kSamples) {  // NOLINT
  const std::string path = TestPath(name);
  SF_INFO info = {};
  info.samplerate = sample_rate;
  info.channels = channels;
  info.format = format;
  SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
  EXPECT_NE(file, nullptr) << name << ": " << sf_strerror(nullptr);
  if (file == nullptr) return path;
  const int coding = format & SF_FORMAT_SUBMASK;
  if (coding == SF_FORMAT_FLOAT || coding == SF_FORMAT_DOUBLE) {
    std::vector<float> scaled;
    for (int x : samples) scaled.push_back(x / 32768.0f);
    EXPECT_EQ(sf_write_float(file, scaled.data(), scaled.size()), static_cast<sf_count_t>(samples.size()));
  } else {
    EXPECT_EQ(sf_write_short(file, samples.data(), samples.size()), static_cast<sf_count_t>(samples.size()));
  }
  sf_close(file);
  return path;
}

std::string Bytes(const std::string& path) {
  const auto content = ReadFile(path, 1 << 20);
  EXPECT_TRUE(content.ok()) << content.status();
  return content.ok() ? *content : "";
}

TEST(AudioFile, ExactFormats) {
  const std::vector<int> containers = {SF_FORMAT_WAV,
                                       SF_FORMAT_WAVEX,
                                       SF_FORMAT_RF64,
                                       SF_FORMAT_AIFF,
                                       SF_FORMAT_FLAC,
                                       SF_FORMAT_NIST,
                                       SF_FORMAT_WAV | SF_ENDIAN_BIG,
                                       SF_FORMAT_NIST | SF_ENDIAN_BIG,
                                       SF_FORMAT_AIFF | SF_ENDIAN_LITTLE};
  for (int container : containers) {
    for (int coding : {SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE}) {
      const bool integer_only =
          (container & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC || (container & SF_FORMAT_TYPEMASK) == SF_FORMAT_NIST;
      if (integer_only && (coding == SF_FORMAT_FLOAT || coding == SF_FORMAT_DOUBLE)) continue;
      if (container == SF_FORMAT_FLAC && coding == SF_FORMAT_PCM_32) continue;
      if (container == (SF_FORMAT_AIFF | SF_ENDIAN_LITTLE) && coding != SF_FORMAT_PCM_16) continue;
      const std::string name = absl::StrCat("exact_", absl::Hex(container | coding));
      SCOPED_TRACE(name);
      ExpectSamples(ReadAudio(Write(name, container | coding)));
    }
  }
}

// (byte - 128) * 256, and one signed byte in AIFF.
TEST(AudioFile, EightBits) {
  for (int format : {SF_FORMAT_WAV | SF_FORMAT_PCM_U8, SF_FORMAT_AIFF | SF_FORMAT_PCM_S8}) {
    const auto audio = ReadAudio(Write(absl::StrCat("bits8_", format), format, 8000));
    ASSERT_TRUE(audio.ok()) << audio.status();
    EXPECT_EQ(audio->sample_rate, 8000);
    EXPECT_THAT(audio->waveform, ElementsAre(0, 0, -256, 768, -1024, 32512, -32768, 0));
  }
}

TEST(AudioFile, MuLawAndALawAreRead) {
  for (int coding : {SF_FORMAT_ULAW, SF_FORMAT_ALAW}) {
    const auto audio = ReadAudio(Write(absl::StrCat("law_", coding), SF_FORMAT_WAV | coding, 8000));
    ASSERT_TRUE(audio.ok()) << audio.status();
    ASSERT_EQ(audio->waveform.size(), kSamples.size());
    for (size_t i = 0; i < kSamples.size(); ++i) {
      EXPECT_NEAR(audio->waveform[i], kSamples[i], 16 + std::abs(kSamples[i]) * 0.04);
    }
  }
}

TEST(AudioFile, StereoIsMixed) {
  const std::string path =
      Write("stereo.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16000, 2, {1, -10, 2, -20, 3, -30, 4, -40});
  EXPECT_THAT(ReadAudio(path)->waveform, ElementsAre(-4.5, -9, -13.5, -18));
}

// AUD-20: never four numbers of one channel and four of the other.
TEST(AudioFile, OneChannelOfTwo) {
  const std::string path =
      Write("channels.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 16000, 2, {1, -10, 2, -20, 3, -30, 4, -40});
  AudioOptions options;
  options.channel = 0;
  EXPECT_THAT(ReadAudio(path, options)->waveform, ElementsAre(1, 2, 3, 4));
  options.channel = 1;
  EXPECT_THAT(ReadAudio(path, options)->waveform, ElementsAre(-10, -20, -30, -40));
  options.channel = 2;
  ExpectError(ReadAudio(path, options), path, "expected a file with a channel 2 (counted from 0), found 2 channels");
}

TEST(AudioFile, InfoIsTheHeaders) {
  for (int format : {SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_16,
                     SF_FORMAT_NIST | SF_FORMAT_PCM_16, SF_FORMAT_AIFF | SF_FORMAT_PCM_16}) {
    const auto info = ReadAudioInfo(Write(absl::StrCat("info_", absl::Hex(format)), format, 44100, 2));
    ASSERT_TRUE(info.ok()) << info.status();
    EXPECT_EQ(info->sample_rate, 44100);
    EXPECT_EQ(info->channels, 2);
    EXPECT_EQ(info->frames, 4);
  }
  // A file of 2.5 GB, nearly all of it a hole: nobody reads that for its length.
  const std::string large = TestPath("large.wav");
  WriteTestFile(large, "RIFF" + Little(2500000036, 4) + "WAVE" + Chunk("fmt ", WavFormat(1, 1, 16000, 16)) + "data" +
                           Little(2500000000, 4));
  ASSERT_EQ(truncate(large.c_str(), 2500000044), 0);
  const auto info = ReadAudioInfo(large);
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->frames, 1250000000);
  // More than the usual header before the samples.
  const std::string listed = TestPath("listed.wav");
  WriteTestFile(listed, Riff(Chunk("LIST", std::string(10000, 'x')) + Chunk("fmt ", WavFormat(1, 1, 16000, 16)) +
                             Chunk("data", SampleBytes())));
  EXPECT_EQ(ReadAudioInfo(listed)->frames, 8);
  EXPECT_THAT(ReadAudioInfo("/no/such.wav").status().message(), HasSubstr("/no/such.wav"));
}

TEST(AudioFile, FlacOfUnknownLengthIsReadToTheEnd) {
  std::vector<short> samples;  // NOLINT
  for (int n = 0; n < 9000; ++n) samples.push_back(std::lround(8000 * std::sin(0.2 * n)));
  const std::string path = Write("known.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 16000, 1, samples);
  std::string content = Bytes(path);
  // STREAMINFO: 36 bits of the total from the low half of byte 21 on, then 16 bytes of MD5.
  content[21] &= 0xf0;
  for (int i = 22; i < 42; ++i) content[i] = 0;
  const auto audio = DecodeAudio(content, "streamed.flac");
  ASSERT_TRUE(audio.ok()) << audio.status();
  EXPECT_THAT(audio->waveform, ElementsAreArray(samples));
}

TEST(AudioFile, OtherFormatsAreRefusedByName) {
  const struct {
    std::string content, what;
  } kCases[] = {{"OggS" + std::string(60, '\0'), "Ogg"},
                {"ID3\x03" + std::string(60, '\0'), "MP3"},
                {"\xff\xfb\x90\x64" + std::string(60, '\0'), "MP3"},
                {std::string("\0\0\0\x20", 4) + "ftypM4A " + std::string(60, '\0'), "MP4"},
                {"RIFF\x10\0\0\0AVI LIST", "RIFF"},
                {"hello, I am a text\n", "hello"},
                {std::string(100, '\0'), "\\x00"},
                {"", "an empty file"},
                {"R", "R"}};
  for (const auto& c : kCases) {
    ExpectError(DecodeAudio(c.content, "file"), "file", c.what);
    ExpectError(DecodeAudio(c.content, "file"), "file", "expected a WAV, FLAC, AIFF or NIST SPHERE file, found");
  }
  for (int container : {SF_FORMAT_CAF, SF_FORMAT_AU, SF_FORMAT_W64, SF_FORMAT_VOC, SF_FORMAT_OGG}) {
    const int coding = container == SF_FORMAT_OGG ? SF_FORMAT_VORBIS : SF_FORMAT_PCM_16;
    const std::string path = Write(absl::StrCat("foreign_", absl::Hex(container)), container | coding);
    ExpectError(ReadAudio(path), path, "expected");
  }
  const std::string adpcm = Write("adpcm.wav", SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM);
  ExpectError(ReadAudio(adpcm), adpcm, "IMA ADPCM");
}

TEST(AudioFile, LimitsAreKept) {
  const std::string path = Write("limits.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16);
  AudioOptions options;
  options.max_bytes = 40;
  EXPECT_FALSE(ReadAudio(path, options).ok());
  options = AudioOptions();
  options.max_samples = 7;
  ExpectError(ReadAudio(path, options), path, "expected at most 7 samples, found 8 in each of 1 channels");
  options.max_samples = 8;
  EXPECT_TRUE(ReadAudio(path, options).ok());
}

TEST(AudioFile, OnlyRegularFiles) {
  const std::string fifo = TestPath("fifo.wav");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string& path : {fifo, testing::TempDir(), std::string("/dev/zero"), TestPath("missing.wav")}) {
    const auto audio = ReadAudio(path);
    ASSERT_FALSE(audio.ok()) << path;
    EXPECT_THAT(audio.status().message(), HasSubstr(path));
  }
}

// Every prefix of a file is an error that names the file, and no damaged byte ends in more than an error.
TEST(AudioFile, CutOrDamagedFilesNeverCrash) {
  for (int format :
       {SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_WAVEX | SF_FORMAT_PCM_24, SF_FORMAT_RF64 | SF_FORMAT_FLOAT,
        SF_FORMAT_AIFF | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_NIST | SF_FORMAT_PCM_16}) {
    const std::string name = absl::StrCat("damage_", absl::Hex(format));
    SCOPED_TRACE(name);
    std::vector<short> samples;  // NOLINT
    for (int n = 0; n < 300; ++n) samples.push_back(n * n % 1999 - 1000);
    const std::string content = Bytes(Write(name, format, 16000, 1, samples));
    ASSERT_EQ(DecodeAudio(content, name)->waveform.size(), 300u);
    for (size_t length = 0; length < content.size(); ++length) {
      ExpectError(DecodeAudio(absl::string_view(content).substr(0, length), name), name, "");
    }
    for (size_t i = 0; i < content.size(); ++i) {
      for (int flip : {0x01, 0x80, 0xff}) {
        std::string damaged = content;
        damaged[i] ^= flip;
        const auto audio = DecodeAudio(damaged, name);
        EXPECT_TRUE(audio.ok() || testing::Matches(HasSubstr(name))(audio.status().message())) << audio.status();
      }
    }
  }
}

}  // namespace
}  // namespace earshot
