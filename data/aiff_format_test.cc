// AIFF and AIFF-C files byte by byte.
#include "data/aiff_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "data/audio_file.h"
#include "data/testing/audio.h"

namespace earshot {
namespace {

// 16000 and 44100 Hz as 80-bit numbers.
const char kRate16000[] = {0x40, 0x0c, '\xfa', 0, 0, 0, 0, 0, 0, 0};
const char kRate44100[] = {0x40, 0x0e, '\xac', 0x44, 0, 0, 0, 0, 0, 0};

std::string Rate(const char* ten_bytes) { return std::string(ten_bytes, 10); }

std::string Common(int channels, uint32_t frames, int bits, absl::string_view rate, absl::string_view coding = "") {
  return Chunk("COMM", absl::StrCat(Big(channels, 2), Big(frames, 4), Big(bits, 2), rate, coding), true);
}

std::string Sound(absl::string_view samples, uint32_t offset = 0) {
  return Chunk("SSND", absl::StrCat(Big(offset, 4), Big(0, 4), std::string(offset, 'o'), samples), true);
}

std::string Form(absl::string_view kind, absl::string_view chunks) {
  return absl::StrCat("FORM", Big(4 + chunks.size(), 4), kind, chunks);
}

TEST(AiffFormat, HeaderVariants) {
  const std::string common = Common(1, 8, 16, Rate(kRate16000)), sound = Sound(SampleBytes(true));
  const std::string name = "\x0enot compressed" + std::string(1, '\0');
  ExpectSamples(DecodeAudio(Form("AIFF", common + sound), "plain"));
  ExpectSamples(DecodeAudio(Form("AIFF", sound + common), "samples first"));
  ExpectSamples(DecodeAudio(Form("AIFF", Chunk("NAME", "abc", true) + common + sound), "odd chunk"));
  ExpectSamples(DecodeAudio(Form("AIFF", common + Sound(SampleBytes(true), 6)), "offset"));
  ExpectSamples(DecodeAudio(Form("AIFF", common + Sound(SampleBytes(true) + "more")), "more samples than frames"));
  ExpectSamples(DecodeAudio(Form("AIFC", Common(1, 8, 16, Rate(kRate16000), "NONE" + name) + sound), "NONE"));
  ExpectSamples(DecodeAudio(Form("AIFC", Common(1, 8, 16, Rate(kRate16000), "sowt") + Sound(SampleBytes())), "sowt"));
  ExpectSamples(DecodeAudio(Form("AIFF", Common(1, 8, 16, Rate(kRate44100)) + sound), "rate"), 44100);
}

// What sox writes to a pipe.
TEST(AiffFormat, PipesHaveNoSizes) {
  const std::string head = "FORM\x7f" + std::string("\0\0\x50", 3) + "AIFF";
  ExpectSamples(DecodeAudio(head + Common(1, 0x3f800000, 16, Rate(kRate16000)) + "SSND\x7f" +
                                std::string("\0\0\x08", 3) + std::string(8, '\0') + SampleBytes(true),
                            "pipe"));
}

TEST(AiffFormat, NoSamples) {
  ExpectSamples(
      DecodeAudio(Form("AIFF", Common(1, 0, 16, Rate(kRate16000)) + Sound(SampleBytes(true))), "not written"));
  const auto empty = DecodeAudio(Form("AIFF", Common(1, 0, 16, Rate(kRate16000)) + Sound("")), "empty");
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_TRUE(empty->waveform.empty());
}

TEST(AiffFormat, Codings) {
  const struct {
    std::string coding, samples;
    int bits;
    std::vector<float> values;
  } kCases[] = {{"raw ", std::string("\x80\x00\xff\x81", 4), 8, {0, -32768, 32512, 256}},
                {"NONE", std::string("\x80\x00\x7f\xff", 4), 8, {-32768, 0, 32512, -256}},
                {"twos", std::string("\x80\x10\x7f\xf0", 4), 12, {-32752, 32752}},
                {"in24", std::string("\x80\x00\x00\x00\x01\x80", 6), 24, {-32768, 1.5}},
                {"42ni", std::string("\x00\x00\x80\x80\x01\x00", 6), 24, {-32768, 1.5}},
                {"in32", std::string("\x80\x00\x00\x00\x00\x01\x80\x00", 8), 32, {-32768, 1.5}},
                {"fl32", std::string("\xbf\x80\x00\x00\x3f\x00\x00\x00", 8), 32, {-32768, 16384}},
                {"FL64", std::string("\xbf\xf0\x00\x00\x00\x00\x00\x00", 8), 64, {-32768}},
                {"ulaw", std::string("\x00\x80", 2), 16, {-32124, 32124}},  // bits of what it expands to
                {"alaw", std::string("\x00\x80", 2), 16, {-5504, 5504}}};
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.coding);
    const auto audio = DecodeAudio(
        Form("AIFC", Common(1, c.values.size(), c.bits, Rate(kRate16000), c.coding) + Sound(c.samples)), "f");
    ASSERT_TRUE(audio.ok()) << audio.status();
    EXPECT_THAT(audio->waveform, testing::ElementsAreArray(c.values));
  }
}

TEST(AiffFormat, Broken) {
  const std::string common = Common(1, 8, 16, Rate(kRate16000)), sound = Sound(SampleBytes(true));
  const std::string infinite = std::string("\x7f\xff\x80\0\0\0\0\0\0\0", 10),
                    negative = "\xc0" + Rate(kRate16000).substr(1);
  const struct {
    std::string file, what;
  } kCases[] = {
      {Form("AIFF", sound), "byte 44: expected a \"COMM\" chunk, found the end of the file"},
      {Form("AIFF", common), "byte 38: expected an \"SSND\" chunk, found the end of the file"},
      {Form("AIFF", Chunk("COMM", "ab", true) + sound),
       "byte 16: expected a \"COMM\" chunk of at least 18 bytes, found 2"},
      {Form("AIFC", common + sound), "byte 16: expected a \"COMM\" chunk of at least 22 bytes, found 18"},
      {Form("AIFF", Common(0, 8, 16, Rate(kRate16000)) + sound), "byte 20: expected 1 to 8 channels, found 0"},
      {Form("AIFF", Common(1, 8, 0, Rate(kRate16000)) + sound), "byte 26: expected 1 to 64 bits a sample, found 0"},
      {Form("AIFF", Common(1, 8, 16, infinite) + sound), "byte 28: expected a sample rate of 1000 to 384000 Hz"},
      {Form("AIFF", Common(1, 8, 16, negative) + sound), "byte 28: expected a sample rate"},
      {Form("AIFF", Common(1, 9, 16, Rate(kRate16000)) + sound), "byte 22: expected at most 8 frames, which are there"},
      {Form("AIFF", common + Chunk("SSND", "abc", true)), "byte 42: expected an \"SSND\" chunk of at least 8 bytes"},
      {Form("AIFF", common + Sound(SampleBytes(true)).substr(0, 20)),
       "byte 42: expected a \"SSND\" chunk of at most 12"},
      {Form("AIFC", Common(1, 8, 16, Rate(kRate16000), "ima4") + sound),
       "byte 38: expected AIFF-C samples as integers, float, A-law or mu-law, found coding \"ima4\""}};
  for (const auto& c : kCases) ExpectError(DecodeAudio(c.file, "f"), "f", c.what);
}

}  // namespace
}  // namespace earshot
