#include "data/pcm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sndfile.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "data/testing/audio.h"

namespace earshot {
namespace {

using testing::ElementsAre;

std::vector<float> Decode(const std::string& bytes, AudioFormat format, int channel = -1) {
  format.channels = std::max(1, format.channels);
  format.frames = bytes.size() / format.frame_bytes();
  std::vector<float> waveform;
  const absl::Status status = DecodePcm(bytes, format, channel, "f", &waveform);
  EXPECT_TRUE(status.ok()) << status;
  return waveform;
}

AudioFormat Integers(int bytes, int valid_bits, bool big_endian) {
  AudioFormat format;
  format.sample_bytes = bytes;
  format.valid_bits = valid_bits;
  format.big_endian = big_endian;
  return format;
}

// Every width up to 64 bits, in both orders: the lowest, the highest, the smallest and a quarter of full scale.
TEST(Pcm, AllWidths) {
  for (int bytes = 1; bytes <= 8; ++bytes) {
    for (const bool big_endian : {false, true}) {
      SCOPED_TRACE(absl::StrCat(bytes, " bytes"));
      const int bits = 8 * bytes;
      const uint64_t lowest = uint64_t{1} << (bits - 1);
      std::string data;
      for (const uint64_t value : {lowest, lowest - 1, uint64_t{1}, lowest / 2, ~uint64_t{0}}) {
        data += Number(value, bytes, big_endian);
      }
      const float step = std::ldexp(1.0f, 16 - bits);
      EXPECT_THAT(Decode(data, Integers(bytes, bits, big_endian)),
                  ElementsAre(-32768, static_cast<float>(32768.0 - step), step, 16384, -step));
    }
  }
}

// AUD-08.
TEST(Pcm, TwentyFourBitsKeepTheirFraction) {
  std::string data;
  for (const int x : {0, 1, -1, 256, -256, 8388607, -8388608, 123456}) data += Little(x, 3);
  EXPECT_THAT(Decode(data, Integers(3, 24, false)),
              ElementsAre(0, 0.00390625, -0.00390625, 1, -1, 32767.99609375, -32768, 482.25));
}

// AUD-09.
TEST(Pcm, BytesAreUnsigned) {
  AudioFormat format = Integers(1, 8, false);
  format.coding = AudioFormat::kUnsigned;
  EXPECT_THAT(Decode(std::string("\x00\x01\x7f\x80\x81\xff", 6), format),
              ElementsAre(-32768, -32512, -256, 0, 256, 32512));
}

TEST(Pcm, BytesWithFewerValidBitsStayWhereTheyAre) {
  AudioFormat format = Integers(1, 6, false);
  format.coding = AudioFormat::kUnsigned;
  EXPECT_THAT(Decode("\x01\x05", format), ElementsAre(-32512, -31488));
}

// Where the bits below are zeros, the sample stands at the upper end: 12 of 16, 20 of 24, 24 of 32.
TEST(Pcm, ValidBitsAtTheUpperEnd) {
  EXPECT_THAT(Decode(Little(0x8000, 2) + Little(0x7ff0, 2) + Little(0x0010, 2), Integers(2, 12, false)),
              ElementsAre(-32768, 32752, 16));
  EXPECT_THAT(Decode(Little(0x000010, 3), Integers(3, 20, false)), ElementsAre(0.0625));
  EXPECT_THAT(Decode(Big(0x00000100, 4) + Big(0xffffff00, 4), Integers(4, 24, true)),
              ElementsAre(0.00390625, -0.00390625));
}

// ALSA's S24_LE, with the sign extended or zeros above.
TEST(Pcm, ValidBitsAtTheLowerEnd) {
  EXPECT_THAT(Decode(Little(0xffffffa0, 4) + Little(0x00005a0c, 4), Integers(4, 24, false)),
              ElementsAre(-0.375, 90.046875));
  EXPECT_THAT(Decode(Little(0x00ffffa0, 4) + Little(0x007fffff, 4), Integers(4, 24, false)),
              ElementsAre(-0.375, 32767.99609375));
  // Something above and something below: more valid bits than promised, and full scale is the whole width.
  EXPECT_THAT(Decode(Little(0x40000001, 4), Integers(4, 24, false)), ElementsAre(16384));
}

TEST(Pcm, ChannelsAndTheirMean) {
  AudioFormat format = Integers(2, 16, false);
  format.channels = 2;
  std::string data;
  for (const int x : {1, -10, 2, -20, 3, -30, 32767, 32767}) data += Little(x, 2);
  EXPECT_THAT(Decode(data, format), ElementsAre(-4.5, -9, -13.5, 32767));
  EXPECT_THAT(Decode(data, format, 0), ElementsAre(1, 2, 3, 32767));
  EXPECT_THAT(Decode(data, format, 1), ElementsAre(-10, -20, -30, 32767));
}

struct Bytes {
  std::string content;
  sf_count_t position = 0;
};

// All 256 codes as libsndfile expands them.
std::vector<float> Libsndfile(int coding, Bytes bytes) {
  SF_VIRTUAL_IO io = {};
  io.get_filelen = [](void* user) { return static_cast<sf_count_t>(static_cast<Bytes*>(user)->content.size()); };
  io.seek = [](sf_count_t offset, int whence, void* user) {
    auto* file = static_cast<Bytes*>(user);
    return file->position = offset + (whence == SEEK_SET   ? 0
                                      : whence == SEEK_CUR ? file->position
                                                           : file->content.size());
  };
  io.read = [](void* to, sf_count_t count, void* user) {
    auto* file = static_cast<Bytes*>(user);
    const sf_count_t got = file->content.copy(static_cast<char*>(to), count, file->position);
    file->position += got;
    return got;
  };
  io.tell = [](void* user) { return static_cast<Bytes*>(user)->position; };
  SF_INFO info = {};
  info.format = SF_FORMAT_RAW | coding;
  info.channels = 1;
  info.samplerate = 8000;
  SNDFILE* const sound = sf_open_virtual(&io, SFM_READ, &info, &bytes);
  std::vector<float> values(bytes.content.size());
  EXPECT_EQ(sf_readf_float(sound, values.data(), values.size()), static_cast<sf_count_t>(values.size()));
  sf_close(sound);
  for (float& value : values) value *= 32768;
  return values;
}

TEST(Pcm, LawsAreLibsndfiles) {
  Bytes bytes;
  for (int code = 0; code < 256; ++code) bytes.content.push_back(static_cast<char>(code));
  AudioFormat format = Integers(1, 8, false);
  format.coding = AudioFormat::kALaw;
  EXPECT_EQ(Decode(bytes.content, format), Libsndfile(SF_FORMAT_ALAW, bytes));
  format.coding = AudioFormat::kMuLaw;
  EXPECT_EQ(Decode(bytes.content, format), Libsndfile(SF_FORMAT_ULAW, bytes));
}

TEST(Pcm, SamplesThatAreNotFiniteAreNamed) {
  AudioFormat format = Integers(4, 32, false);
  format.coding = AudioFormat::kFloat;
  format.channels = 1;
  format.frames = 3;
  format.begin = 5;
  for (const uint32_t bits : {0x7fc00000u, 0x7f800000u, 0xff800000u, 0x7f7fffffu}) {  // the last overflows
    std::vector<float> waveform;
    const absl::Status status =
        DecodePcm("12345" + Little(0, 4) + Little(0x3f000000, 4) + Little(bits, 4), format, -1, "f", &waveform);
    EXPECT_EQ(status.message(), "f: byte 13: expected a finite sample, found NaN, infinity or overflow in sample 2");
  }
}

}  // namespace
}  // namespace earshot
