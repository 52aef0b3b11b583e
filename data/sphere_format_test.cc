// NIST SPHERE files line by line.
#include "data/sphere_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "data/audio_file.h"
#include "data/testing/audio.h"

namespace earshot {
namespace {

std::string Sphere(absl::string_view fields, absl::string_view samples) {
  std::string header = absl::StrCat("NIST_1A\n   1024\n", fields, "end_head\n");
  header.resize(1024, ' ');
  return absl::StrCat(header, samples);
}

const char kTimit[] =
    "database_id -s5 TIMIT\nutterance_id -s9 abc0_sa1\nchannel_count -i 1\nsample_count -i 8\nsample_rate -i 16000\n"
    "sample_min -i -32768\nsample_n_bytes -i 2\nsample_sig_bits -i 16\n";

// AUD-11.
TEST(SphereFormat, BothOrders) {
  const std::string little = "sample_byte_format -s2 01\n", big = "sample_byte_format -s2 10\n";
  ExpectSamples(DecodeAudio(Sphere(kTimit + little, SampleBytes()), "le.wav"));
  ExpectSamples(DecodeAudio(Sphere(kTimit + big, SampleBytes(true)), "be.wav"));
  ExpectSamples(DecodeAudio(Sphere(kTimit + little + "sample_coding -s3 pcm\n", SampleBytes() + "more"), "le.wav"));
  const std::string real_rate = "sample_n_bytes -i 2\nsample_byte_format -s2 01\nsample_rate -r 16000.000000\n";
  ExpectSamples(DecodeAudio(Sphere(real_rate, SampleBytes()), "real.sph"));
  ExpectSamples(DecodeAudio(Sphere(real_rate + "sample_count -i 0\n", SampleBytes()), "not_written.sph"));
  EXPECT_TRUE(DecodeAudio(Sphere(real_rate + "sample_count -i 0\n", ""), "empty.sph")->waveform.empty());
  // sox to a pipe knows no count.
  ExpectSamples(DecodeAudio(Sphere("sample_n_bytes -i 2\nchannel_count -i 1\nsample_byte_format -s2 01\n"
                                   "sample_rate -i 16000\nsample_coding -s3 pcm\n",
                                   SampleBytes()),
                            "pipe.sph"));
}

TEST(SphereFormat, Codings) {
  const std::string rate = "sample_rate -i 8000\nsample_n_bytes -i 1\n", samples("\x00\x80", 2);
  const std::string coded = absl::StrCat(rate, "channel_count -i 1\nsample_count -i 2\nsample_coding -s4 ");
  EXPECT_THAT(DecodeAudio(Sphere(coded + "ulaw\n", samples), "f")->waveform, testing::ElementsAre(-32124, 32124));
  EXPECT_THAT(DecodeAudio(Sphere(coded + "mu-law\n", samples), "f")->waveform, testing::ElementsAre(-32124, 32124));
  EXPECT_THAT(DecodeAudio(Sphere(coded + "alaw\n", samples), "f")->waveform, testing::ElementsAre(-5504, 5504));
  EXPECT_THAT(DecodeAudio(Sphere(rate, samples), "f")->waveform, testing::ElementsAre(0, -32768));
  const auto stereo = DecodeAudio(Sphere(coded + "ulaw\nchannel_count -i 2\nsample_count -i 1\n", samples), "f");
  EXPECT_THAT(stereo->waveform, testing::ElementsAre(0));
}

TEST(SphereFormat, CompressedIsRefusedByName) {
  for (const std::string coding :
       {"pcm,embedded-shorten-v2.00", "ulaw,embedded-shorten-v1.09", "pcm,embedded-wavpack"}) {
    const std::string fields = absl::StrCat(kTimit, "sample_coding -s26 ", coding, "\n");
    ExpectError(DecodeAudio(Sphere(fields, SampleBytes()), "swb.sph"), "swb.sph",
                absl::StrCat("byte ", 16 + sizeof(kTimit) - 1, ": expected sample_coding pcm, ulaw or alaw, found \"",
                             coding, "\", which is compressed (sph2pipe or w_decode unpack it)"));
  }
  ExpectError(DecodeAudio(Sphere(absl::StrCat(kTimit, "sample_coding -s5 adpcm\n"), SampleBytes()), "f"), "f",
              "found \"adpcm\"");
}

TEST(SphereFormat, Broken) {
  const std::string order = "sample_byte_format -s2 01\n", rate = "sample_rate -i 16000\n";
  const struct {
    std::string file, what;
  } kCases[] = {
      {"NIST_1A\n   9999\n", "byte 8: expected the header's length in 7 digits, at most 16, found \"9999\""},
      {"NIST_1A\n", "byte 8: expected the header's length"},
      {"NIST_1A\n     -1\n" + std::string(2000, ' '), "byte 8: expected the header's length"},
      {"NIST_1A\n   1024\n" + std::string(2000, '\n'), "byte 1024: expected a line \"end_head\" before here"},
      {Sphere(order, ""), "byte 1024: expected a line \"sample_rate\" before here, found none"},
      {Sphere(rate, ""), "byte 1024: expected sample_byte_format 01 or 10, found none"},
      {Sphere(rate + "sample_byte_format -s2 11\n", ""), "byte 37: expected sample_byte_format 01 or 10, found \"11\""},
      {Sphere("sample_rate -i 16k\n", ""), "byte 16: expected sample_rate as a number, found \"16k\""},
      {Sphere("sample_rate -r nan\n", ""), "byte 16: expected a sample rate of 1000 to 384000 Hz, found nan Hz"},
      {Sphere("sample_rate -i 500\n", ""), "byte 16: expected a sample rate of 1000 to 384000 Hz, found 500 Hz"},
      {Sphere(rate + "channel_count -i 9\n", ""), "byte 37: expected 1 to 8 channels, found 9"},
      {Sphere(rate + "channel_count -i -1\n", ""), "byte 37: expected channel_count of 0 to"},
      {Sphere(rate + "sample_n_bytes -i 8\n", ""), "byte 37: expected sample_n_bytes of 1 to 4, found \"8\""},
      {Sphere(rate + "sample_n_bytes -i 2\nsample_coding -s4 ulaw\n", ""), "expected sample_n_bytes 1 for ulaw"},
      {Sphere(rate + order + "channel_count -i 2\nchannels_interleaved -s5 FALSE\n", ""),
       "expected interleaved channels, found channels_interleaved FALSE"},
      {Sphere(rate + order + "sample_count -i 600\n", std::string(1000, ' ')),
       "byte 63: expected a sample_count of at most 500, which are there, found 600: the file is cut short"},
      {Sphere(rate + order + "sample_count -i 99999999999999999999\n", ""), "expected sample_count of 0 to"}};
  for (const auto& c : kCases) ExpectError(DecodeAudio(c.file, "f"), "f", c.what);
}

}  // namespace
}  // namespace earshot
