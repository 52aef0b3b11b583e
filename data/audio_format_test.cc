// WAV files byte by byte: the headers that libsndfile's writer never makes.
#include "data/audio_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "data/audio_file.h"
#include "data/testing/audio.h"

namespace earshot {
namespace {

using testing::ElementsAre;

std::string LittleEndian(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
  return text;
}

std::string Chunk(absl::string_view name, absl::string_view body) {
  return absl::StrCat(name, LittleEndian(body.size(), 4), body, body.size() % 2 == 0 ? "" : std::string(1, '\0'));
}

// The "fmt " chunk's first 16 bytes.
std::string Format(int code, int channels, int sample_rate, int bits) {
  const int frame = channels * bits / 8;
  return absl::StrCat(LittleEndian(code, 2), LittleEndian(channels, 2), LittleEndian(sample_rate, 4),
                      LittleEndian(sample_rate * frame, 4), LittleEndian(frame, 2), LittleEndian(bits, 2));
}

std::string Riff(absl::string_view chunks) {
  return absl::StrCat("RIFF", LittleEndian(4 + chunks.size(), 4), "WAVE", chunks);
}

std::string SampleBytes() {
  std::string bytes;
  for (int x : kSamples) bytes += LittleEndian(x, 2);
  return bytes;
}

const int kPcm16 = 1, kFloat = 3, kExtensible = 0xfffe;  // NOLINT

TEST(AudioFormat, TwentyFourBitsKeepTheirFraction) {
  std::string data;
  for (int x : {0, 1, -1, 256, -256, 8388607, -8388608, 123456}) data += LittleEndian(x, 3);
  const auto audio = DecodeAudio(Riff(Chunk("fmt ", Format(kPcm16, 1, 16000, 24)) + Chunk("data", data)), "p24");
  ASSERT_TRUE(audio.ok()) << audio.status();
  EXPECT_THAT(audio->waveform, ElementsAre(0, 0.00390625, -0.00390625, 1, -1, 32767.99609375, -32768, 482.25));
}

TEST(AudioFormat, HeaderVariants) {
  const std::string fmt = Chunk("fmt ", Format(kPcm16, 1, 16000, 16)), data = Chunk("data", SampleBytes());
  const std::string guid = std::string("\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71", 14);
  const auto extensible = [&guid](int code, int bits) {
    return Chunk("fmt ", absl::StrCat(Format(kExtensible, 1, 16000, bits), LittleEndian(22, 2), LittleEndian(bits, 2),
                                      LittleEndian(4, 4), LittleEndian(code, 2), guid));
  };
  ExpectSamples(DecodeAudio(Riff(fmt + data), "plain"));
  ExpectSamples(DecodeAudio(Riff(Chunk("fmt ", Format(kPcm16, 1, 16000, 16) + LittleEndian(0, 2)) + data), "fmt18"));
  ExpectSamples(DecodeAudio(Riff(extensible(kPcm16, 16) + data), "extensible"));
  ExpectSamples(DecodeAudio(Riff(Chunk("JUNK", std::string(28, 'j')) + fmt + data), "junk first"));
  ExpectSamples(DecodeAudio(Riff(fmt + Chunk("fact", LittleEndian(8, 4)) + data), "fact"));
  ExpectSamples(DecodeAudio(Riff(fmt + Chunk("LIST", "INFO" + Chunk("ISFT", "abcde")) + data), "list"));
  ExpectSamples(DecodeAudio(Riff(fmt + Chunk("note", "abc") + data), "odd chunk"));
  ExpectSamples(DecodeAudio(Riff(fmt + data + Chunk("LIST", "INFO" + Chunk("ICMT", "ok"))), "chunk after"));
  ExpectSamples(DecodeAudio("RIFF\xff\xff\xff\xffWAVE" + fmt + "data\xff\xff\xff\xff" + SampleBytes(), "streamed"));

  std::string floats;
  for (uint32_t bits : {0x00000000u, 0x3f000000u, 0xbf800000u, 0x3e800000u}) floats += LittleEndian(bits, 4);
  const auto audio = DecodeAudio(Riff(extensible(kFloat, 32) + Chunk("data", floats)), "float");
  ASSERT_TRUE(audio.ok()) << audio.status();
  EXPECT_THAT(audio->waveform, ElementsAre(0, 16384, -32768, 8192));
}

TEST(AudioFormat, NoSamplesAtAll) {
  const std::string fmt = Chunk("fmt ", Format(kPcm16, 1, 16000, 16));
  const auto empty = DecodeAudio(Riff(fmt + Chunk("data", "")), "header only");
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_TRUE(empty->waveform.empty());
  ExpectError(DecodeAudio("", "zero.wav"), "zero.wav", "empty");
  ExpectError(DecodeAudio(Riff(fmt), "none.wav"), "none.wav", "no \"data\" chunk");
}

TEST(AudioFormat, RatesAndChannelsOutOfRange) {
  const auto wav = [](int rate, int channels) {
    return Riff(Chunk("fmt ", Format(kPcm16, channels, rate, 16)) + Chunk("data", std::string(144, '\1')));
  };
  ExpectError(DecodeAudio(wav(999, 1), "f"), "f", "sample rate 999 Hz; 1000 to 384000 Hz expected");
  ExpectError(DecodeAudio(wav(384001, 1), "f"), "f", "384001");
  ExpectError(DecodeAudio(wav(16000, 9), "f"), "f", "9 channels; 1 to 8 expected");
  EXPECT_TRUE(DecodeAudio(wav(1000, 8), "f").ok());
  EXPECT_TRUE(DecodeAudio(wav(384000, 1), "f").ok());
  EXPECT_FALSE(DecodeAudio(wav(0, 1), "f").ok());
  EXPECT_FALSE(DecodeAudio(wav(16000, 0), "f").ok());
}

TEST(AudioFormat, NotFiniteSamplesAreNamed) {
  for (uint32_t bits : {0x7fc00000u, 0x7f800000u, 0xff800000u, 0x7f7fffffu}) {  // the last overflows in 16-bit scale
    const std::string data = LittleEndian(0, 4) + LittleEndian(0x3f000000, 4) + LittleEndian(bits, 4);
    ExpectError(DecodeAudio(Riff(Chunk("fmt ", Format(kFloat, 1, 16000, 32)) + Chunk("data", data)), "f"), "f",
                "sample 2 is NaN or infinite");
  }
}

// The guard alone, before any decoder.
TEST(AudioFormat, GuardNamesChunkAndSizes) {
  const std::string fmt = Chunk("fmt ", Format(kPcm16, 1, 16000, 16));
  EXPECT_TRUE(CheckAudioHeader(Riff(fmt + Chunk("data", "ab"))).ok());
  EXPECT_THAT(CheckAudioHeader(Riff(fmt + "data\x10\x27" + std::string(2, '\0') + "abcd")).message(),
              testing::HasSubstr("\"data\" chunk at byte 36 should hold 10000 bytes, 4 are there"));
  EXPECT_THAT(CheckAudioHeader(Riff(fmt + "LIST\x09" + std::string(3, '\0') + "INFO")).message(),
              testing::HasSubstr("\"LIST\" chunk at byte 36 should hold 9 bytes, 4 are there"));
  const std::string sphere = "NIST_1A\n   1024\nsample_count -i 600\nsample_n_bytes -i 2\nend_head\n";
  EXPECT_THAT(CheckAudioHeader(sphere + std::string(1024 - sphere.size() + 1000, ' ')).message(),
              testing::HasSubstr("promises 600 samples of 2 bytes, 1000 bytes are there"));
  const std::string shorten = "NIST_1A\n   1024\nsample_coding -s26 pcm,embedded-shorten-v2.00\nend_head\n";
  EXPECT_THAT(CheckAudioHeader(shorten + std::string(2000, ' ')).message(), testing::HasSubstr("embedded-shorten"));
  EXPECT_FALSE(CheckAudioHeader("NIST_1A\n   9999\n").ok());
}

}  // namespace
}  // namespace earshot
