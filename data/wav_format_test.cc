// WAV files byte by byte: what writers make of the format, and what they should not.
#include "data/wav_format.h"

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

constexpr int kPcm = 1, kFloat = 3, kALaw = 6, kMuLaw = 7, kExtensible = 0xfffe;
const char kFourNul[] = {0, 0, 0, 0};

std::string Fmt16() { return Chunk("fmt ", WavFormat(kPcm, 1, 16000, 16)); }

std::string Guid(int tag) {
  return absl::StrCat(Little(tag, 4), std::string("\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71", 12));
}

std::string Extensible(absl::string_view guid, int channels, int bits, int valid_bits) {
  return Chunk("fmt ", absl::StrCat(WavFormat(kExtensible, channels, 16000, bits), Little(22, 2), Little(valid_bits, 2),
                                    Little(4, 4), guid));
}

// AUD-06, AUD-16 and what else may stand around the samples.
TEST(WavFormat, HeaderVariants) {
  const std::string fmt = Fmt16(), data = Chunk("data", SampleBytes());
  ExpectSamples(DecodeAudio(Riff(fmt + data), "plain"));
  ExpectSamples(DecodeAudio(Riff(Chunk("fmt ", WavFormat(kPcm, 1, 16000, 16) + Little(0, 2)) + data), "18 bytes"));
  ExpectSamples(DecodeAudio(Riff(Extensible(Guid(kPcm), 1, 16, 16) + data), "extensible"));
  ExpectSamples(DecodeAudio(Riff(Extensible(Guid(kPcm), 1, 16, 0) + data), "no valid bits stated"));
  ExpectSamples(DecodeAudio(Riff(Chunk("JUNK", std::string(28, 'j')) + fmt + data), "junk first"));
  ExpectSamples(DecodeAudio(Riff(fmt + Chunk("fact", Little(8, 4)) + data), "fact"));
  ExpectSamples(DecodeAudio(Riff(fmt + Chunk("fact", Little(77, 4)) + data), "wrong fact"));
  ExpectSamples(DecodeAudio(Riff(fmt + Chunk("LIST", "INFO" + Chunk("ISFT", "abcde")) + data), "list"));
  ExpectSamples(DecodeAudio(Riff(fmt + data + Chunk("LIST", "INFO" + Chunk("ICMT", "ok"))), "chunk after"));
  ExpectSamples(DecodeAudio(Riff(fmt + data) + "garbage", "garbage after"));
  ExpectSamples(DecodeAudio("RIFF" + Little(1, 4) + "WAVE" + fmt + data, "wrong RIFF size"));
}

// AUD-04.
TEST(WavFormat, OddChunksWithAndWithoutTheirPadding) {
  const std::string data = Chunk("data", SampleBytes()), padded = Chunk("note", "abc");
  ExpectSamples(DecodeAudio(Riff(Fmt16() + padded + data), "padded"));
  ExpectSamples(DecodeAudio(Riff(Fmt16() + padded.substr(0, 11) + data), "not padded"));
  ExpectSamples(DecodeAudio(Riff(padded.substr(0, 11) + Fmt16() + padded + data), "both"));
}

// AUD-01: ffmpeg (all ones, or nothing), sox (2^31 - 4096 and more for larger frames), Kaldi's and others' forms.
TEST(WavFormat, PipesHaveNoSizes) {
  const struct {
    uint32_t riff, data;
  } kCases[] = {{0xffffffff, 0xffffffff}, {0x7ffff024, 0x7ffff000},
                {0x7ffff000, 0x7fffefdc}, {0, 0},
                {0xffffffff, 0},          {36, 0},
                {0x7fffffff, 0x7fffffff}, {0, 0xffffffff},
                {0x80000024, 0x80000000}, {0xffffffff, 0xffffffd8},
                {0x24, 0xffffffff}};
  for (const auto& c : kCases) {
    const std::string file = absl::StrCat("RIFF", Little(c.riff, 4), "WAVE", Fmt16(), "data", Little(c.data, 4));
    SCOPED_TRACE(absl::StrCat(absl::Hex(c.riff), " ", absl::Hex(c.data)));
    ExpectSamples(DecodeAudio(file + SampleBytes(), "pipe"));
    ExpectSamples(DecodeAudio(file + SampleBytes() + "x", "pipe"));  // half a sample at the end
    const auto empty = DecodeAudio(file, "pipe");
    ASSERT_TRUE(empty.ok()) << empty.status();
    EXPECT_TRUE(empty->waveform.empty());
    EXPECT_EQ(DecodeAudioInfo(file + SampleBytes(), "pipe")->frames, 8);
  }
  // ffmpeg's 78 bytes of header with its own name in front of the samples.
  ExpectSamples(DecodeAudio("RIFF\xff\xff\xff\xffWAVE" + Fmt16() + Chunk("LIST", "INFO" + Chunk("ISFT", "Lavf58.1")) +
                                "data\xff\xff\xff\xff" + SampleBytes(),
                            "ffmpeg"));
}

// A size of 0 is true where the RIFF size covers the chunks behind it.
TEST(WavFormat, NoSamples) {
  for (const std::string& after : {std::string(), Chunk("LIST", "INFOICMT"), Chunk("id3 ", "abc")}) {
    const auto empty = DecodeAudio(Riff(Fmt16() + Chunk("data", "") + after), "header only");
    ASSERT_TRUE(empty.ok()) << empty.status();
    EXPECT_TRUE(empty->waveform.empty());
    EXPECT_EQ(empty->sample_rate, 16000);
  }
  ExpectError(DecodeAudio(Riff(Fmt16()), "none.wav"), "none.wav", "byte 36: expected a \"data\" chunk, found the end");
  ExpectError(DecodeAudio(Riff(""), "none.wav"), "none.wav", "byte 12: expected a \"fmt \" chunk, found the end");
  ExpectError(DecodeAudio(Riff(Chunk("data", "ab") + Fmt16()), "f"), "f", "byte 12: expected a \"fmt \" chunk before");
}

TEST(WavFormat, BigEndian) {
  const std::string fmt = Chunk("fmt ", WavFormat(kPcm, 1, 16000, 16, true), true);
  const std::string chunks = fmt + Chunk("note", "abc", true) + Chunk("data", SampleBytes(true), true);
  ExpectSamples(DecodeAudio(absl::StrCat("RIFX", Big(4 + chunks.size(), 4), "WAVE", chunks), "rifx"));
  ExpectSamples(DecodeAudio("RIFX\xff\xff\xff\xffWAVE" + fmt + "data\xff\xff\xff\xff" + SampleBytes(true), "pipe"));
}

// The data chunk's size stands in "ds64"; a size below 4 GiB may also stand where it always does.
TEST(WavFormat, Rf64) {
  const auto file = [](absl::string_view magic, uint64_t data_bytes, absl::string_view size) {
    const std::string ds64 = Chunk("ds64", Little(200, 8) + Little(data_bytes, 8) + Little(8, 8) + Little(0, 4));
    return absl::StrCat(magic, "\xff\xff\xff\xffWAVE", ds64, Fmt16(), "data", size, SampleBytes(), "trailer.");
  };
  const std::string unknown = "\xff\xff\xff\xff";
  for (const absl::string_view magic : {"RF64", "BW64"}) {
    ExpectSamples(DecodeAudio(file(magic, 16, unknown), "ds64"));
    ExpectSamples(DecodeAudio(file(magic, 0, Little(16, 4)), "size in its place"));
    EXPECT_EQ(DecodeAudio(file(magic, 0, unknown), "streamed")->waveform.size(), 12u);
    EXPECT_EQ(DecodeAudio(file(magic, ~uint64_t{0}, unknown), "streamed")->waveform.size(), 12u);
    ExpectError(DecodeAudio(file(magic, uint64_t{1} << 40, unknown), "f"), "f",
                "byte 76: expected a \"data\" chunk of at most 24 bytes, which are there, found 1099511627776 bytes");
    ExpectError(DecodeAudio(file(magic, ~uint64_t{0} - 7, unknown), "f"), "f", "cut short");
  }
}

TEST(WavFormat, FloatAndLawsInBothForms) {
  std::string floats, doubles;
  for (const uint32_t bits : {0x00000000u, 0x3f000000u, 0xbf800000u, 0x3e800000u}) floats += Little(bits, 4);
  for (const uint64_t bits : {0x0ull, 0x3fe0000000000000ull, 0xbff0000000000000ull, 0x3fd0000000000000ull}) {
    doubles += Little(bits, 8);
  }
  const std::string laws("\xff\x00\x80\x55", 4);
  const struct {
    int tag, bits;
    std::string data;
    std::vector<float> values;
  } kCases[] = {{kFloat, 32, floats, {0, 16384, -32768, 8192}},
                {kFloat, 64, doubles, {0, 16384, -32768, 8192}},
                {kMuLaw, 8, laws, {0, -32124, 32124, -716}},
                {kALaw, 8, laws, {848, -5504, 5504, -8}}};
  for (const auto& c : kCases) {
    SCOPED_TRACE(absl::StrCat(c.tag, " ", c.bits));
    for (const std::string& fmt :
         {Chunk("fmt ", WavFormat(c.tag, 1, 16000, c.bits)), Extensible(Guid(c.tag), 1, c.bits, c.bits)}) {
      const std::string data = absl::StrCat("data", Little(c.data.size(), 4), std::string(c.data));
      const auto audio = DecodeAudio(Riff(fmt + data), "f");
      ASSERT_TRUE(audio.ok()) << audio.status();
      EXPECT_THAT(audio->waveform, testing::ElementsAreArray(c.values));
    }
  }
}

// Only codings that the format defines and whose samples stand one after the other; the others by name.
TEST(WavFormat, OtherCodingsAreNamed) {
  const struct {
    int tag;
    const char* name;
  } kCases[] = {{2, "MS ADPCM (format 0x0002)"},
                {0x11, "IMA ADPCM"},
                {0x31, "GSM 6.10"},
                {0x40, "G.721"},
                {0x14, "G.723"},
                {0x45, "G.726"},
                {0x55, "MP3"},
                {0, "format 0x0000"},
                {0x1234, "format 0x1234"}};
  for (const auto& c : kCases) {
    const std::string what = absl::StrCat("byte 20: expected PCM, float, A-law or mu-law, found ", c.name);
    ExpectError(DecodeAudio(Riff(Chunk("fmt ", WavFormat(c.tag, 1, 8000, 8)) + Chunk("data", "abcd")), "f"), "f", what);
    ExpectError(DecodeAudio(Riff(Extensible(Guid(c.tag), 1, 8, 8) + Chunk("data", "abcd")), "f"), "f", what);
  }
  // ADPCM says 4 bits, GSM none.
  ExpectError(DecodeAudio(Riff(Chunk("fmt ", Little(2, 2) + Little(1, 2) + Little(8000, 4) + Little(4096, 4) +
                                                 Little(256, 2) + Little(4, 2)) +
                               Chunk("data", "abcd")),
                          "f"),
              "f", "found MS ADPCM");
  std::string guid = Guid(kPcm);
  guid[15] = 'x';
  ExpectError(DecodeAudio(Riff(Extensible(guid, 1, 16, 16) + Chunk("data", "abcd")), "f"), "f",
              "byte 44: expected the GUID of PCM, float, A-law or mu-law, found \"\\x01\\x00");
}

TEST(WavFormat, BrokenFmt) {
  const auto wav = [](absl::string_view fmt) { return Riff(absl::StrCat(fmt, Chunk("data", SampleBytes()))); };
  const auto fields = [&wav](int channels, uint32_t rate, int align, int bits) {
    return wav(Chunk("fmt ", Little(1, 2) + Little(channels, 2) + Little(rate, 4) + Little(0, 4) + Little(align, 2) +
                                 Little(bits, 2)));
  };
  const struct {
    std::string file, what;
  } kCases[] = {
      {wav(Chunk("fmt ", "0123456789")), "byte 16: expected a \"fmt \" chunk of at least 16 bytes, found 10"},
      {fields(0, 16000, 2, 16), "byte 22: expected 1 to 8 channels, found 0"},
      {fields(9, 16000, 18, 16), "byte 22: expected 1 to 8 channels, found 9"},
      {fields(1, 0, 2, 16), "byte 24: expected a sample rate of 1000 to 384000 Hz, found 0 Hz"},
      {fields(1, 999, 2, 16), "found 999 Hz"},
      {fields(1, 384001, 2, 16), "found 384001 Hz"},
      {fields(1, 0x80000000, 2, 16), "found 2147483648 Hz"},
      {fields(1, 16000, 0, 16), "byte 32: expected 2 bytes a frame (1 times 16 bits), found 0"},
      {fields(2, 16000, 2, 16), "expected 4 bytes a frame (2 times 16 bits), found 2"},
      {fields(1, 16000, 2, 0), "byte 34: expected 1 to 64 bits a sample, found 0"},
      {fields(1, 16000, 9, 72), "byte 34: expected 1 to 64 bits a sample, found 72"},
      {wav(Chunk("fmt ", WavFormat(kFloat, 1, 16000, 16))), "byte 34: expected float samples of 32 or 64 bits"},
      {wav(Chunk("fmt ", WavFormat(kMuLaw, 1, 16000, 16))), "byte 34: expected A-law or mu-law samples of 8 bits"},
      {wav(Chunk("fmt ", WavFormat(kExtensible, 1, 16000, 16) + Little(0, 2))),
       "byte 16: expected a \"fmt \" chunk of 40 bytes for WAVE_FORMAT_EXTENSIBLE"},
      {wav(Extensible(Guid(kPcm), 1, 16, 17)), "byte 38: expected at most 16 valid bits, found 17"}};
  for (const auto& c : kCases) ExpectError(DecodeAudio(c.file, "f"), "f", c.what);
  EXPECT_TRUE(DecodeAudio(fields(8, 384000, 16, 16), "f").ok());
  EXPECT_TRUE(DecodeAudio(fields(1, 1000, 2, 16), "f").ok());
}

// AUD-15.
TEST(WavFormat, CutShort) {
  const std::string head = "RIFF" + Little(1000, 4) + "WAVE" + Fmt16();
  ExpectError(DecodeAudio(head + "data" + Little(1000, 4) + SampleBytes(), "f"), "f",
              "byte 40: expected a \"data\" chunk of at most 16 bytes, which are there, found 1000 bytes");
  ExpectError(DecodeAudio(head + "data" + Little(1000, 4) + SampleBytes().substr(1), "f"), "f", "at most 15 bytes");
  ExpectError(DecodeAudio(head + "LIST" + Little(9, 4) + "INFO", "f"), "f",
              "byte 40: expected a \"LIST\" chunk of at most 4 bytes, found 9 bytes");
  ExpectError(DecodeAudio(head + Chunk("data", "abc"), "f"), "f",
              "byte 40: expected a \"data\" chunk of whole frames of 2 bytes, found 3 bytes");
  ExpectError(DecodeAudio(head + "da", "f"), "f", "byte 36: expected a \"data\" chunk, found an incomplete chunk");
  // A size of about 2 GiB is a pipe's, one of 1.5 GB is a lie.
  ExpectError(DecodeAudio(head + "data" + Little(1500000000, 4) + SampleBytes(), "f"), "f", "cut short");
  ExpectError(DecodeAudio("RIFF" + std::string(kFourNul, 4) + "WAVEdata", "f"), "f", "expected a \"fmt \" chunk");
}

// The beginning of a file is enough, as long as all that stands before the samples is in it.
TEST(WavFormat, BeginningAlone) {
  const std::string file = Riff(Chunk("LIST", std::string(100, 'x')) + Fmt16() + Chunk("data", std::string(32000, 1)));
  const auto format = ReadWavFormat(absl::string_view(file).substr(0, 200), file.size(), "f");
  ASSERT_TRUE(format.ok()) << format.status();
  EXPECT_EQ(format->frames, 16000);
  for (size_t length = 12; length < 12 + 108 + 24 + 8; ++length) {
    EXPECT_FALSE(ReadWavFormat(absl::string_view(file).substr(0, length), file.size(), "f").ok()) << length;
  }
  // Whether a size of 0 is true is seen from the chunk behind it.
  const std::string empty = Riff(Fmt16() + Chunk("data", "") + Chunk("LIST", "INFOICMT"));
  for (size_t length = 12; length < 52; ++length) {
    EXPECT_FALSE(ReadWavFormat(absl::string_view(empty).substr(0, length), empty.size(), "f").ok()) << length;
  }
  EXPECT_EQ(ReadWavFormat(absl::string_view(empty).substr(0, 52), empty.size(), "f")->frames, 0);
}

}  // namespace
}  // namespace earshot
