#include "data/htk_file.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/testing/shared_data.h"
#include "data/testing/sparse_bytes.h"

namespace earshot {
namespace {

std::string Golden(const std::string& name) {  // tools/golden/archives.py
  const auto content = ReadFile("data/testdata/archives/" + name + ".htk", 1 << 20);
  EXPECT_TRUE(content.ok()) << content.status();
  return content.ok() ? *content : "";
}

std::string Error(absl::string_view content) { return std::string(DecodeHtk(content, "a").status().message()); }

// Element (i, j) of what the golden files hold.
float Element(int64_t i, int64_t j) {
  const float factors[] = {1, 10, 0.25f};
  return (static_cast<float>(3 * i + j) - 5) * factors[j];
}

void ExpectGolden(const std::string& name, uint16_t kind, double tolerance) {
  const auto htk = DecodeHtk(Golden(name), name);
  ASSERT_TRUE(htk.ok()) << htk.status();
  EXPECT_EQ(htk->kind, kind);
  EXPECT_EQ(htk->frame_shift, 100000);
  ASSERT_EQ(htk->features.dim(0), 4);
  ASSERT_EQ(htk->features.dim(1), 3);
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 3; ++j) EXPECT_NEAR(htk->features.view()(i, j), Element(i, j), tolerance) << name;
  }
}

TEST(HtkFileTest, ReadsFloatsCompressedAndChecksum) {
  ExpectGolden("float", kHtkMfcc | kHtkZerothCepstrum | kHtkDeltas, 0);
  // With the checksum read as features, the last frame would be cut or the size be wrong.
  ExpectGolden("float_checksum", kHtkUser | kHtkEnergy | kHtkChecksum, 0);
  // 16 bits for a range of 9, of 90 and of 2.25.
  ExpectGolden("compressed", kHtkMfcc | kHtkCompressed, 90.0 / 65534);
  ExpectGolden("compressed_checksum", kHtkMfcc | kHtkCompressed | kHtkChecksum, 90.0 / 65534);
}

TEST(HtkFileTest, ReadsReflectionCoefficients) {
  const auto htk = DecodeHtk(Golden("irefc"), "irefc");
  ASSERT_TRUE(htk.ok()) << htk.status();
  ASSERT_EQ(htk->features.dim(0), 2);
  ASSERT_EQ(htk->features.dim(1), 2);
  EXPECT_EQ(htk->features.view()(0, 0), 1);
  EXPECT_EQ(htk->features.view()(0, 1), -1);
  EXPECT_FLOAT_EQ(htk->features.view()(1, 0), 16384 / 32767.0f);
  EXPECT_EQ(htk->features.view()(1, 1), 0);
}

TEST(HtkFileTest, WritesAsKaldiByteForByte) {
  const std::string golden = Golden("float");
  const auto htk = DecodeHtk(golden, "float");
  ASSERT_TRUE(htk.ok());
  const auto content = EncodeHtk(htk->features.view(), htk->kind, htk->frame_shift);
  ASSERT_TRUE(content.ok()) << content.status();
  EXPECT_TRUE(*content == golden);
}

TEST(HtkFileTest, NamesKinds) {
  EXPECT_EQ(HtkKindName(kHtkMfcc | kHtkDeltas | kHtkAccelerations | kHtkZerothCepstrum), "MFCC_D_A_0");
  EXPECT_EQ(HtkKindName(kHtkFbank), "FBANK");
  EXPECT_EQ(HtkKindName(11 | kHtkEnergy | kHtkZeroMean), "PLP_E_Z");
  EXPECT_EQ(HtkKindName(0xffff), "kind 63_E_N_D_A_C_Z_K_0_V_T");
}

TEST(HtkFileTest, SaysWhatIsWrong) {
  const std::string good = Golden("float");
  const auto with = [&](size_t at, absl::string_view bytes) {
    std::string content = good;
    content.replace(at, bytes.size(), bytes.data(), bytes.size());
    return Error(content);
  };
  using View = absl::string_view;
  EXPECT_EQ(Error(good.substr(0, 11)), "a: byte 11: expected an HTK header of 12 bytes, found the end of the file");
  EXPECT_EQ(Error(good.substr(0, 59)), "a: byte 12: expected 4 frames of 12 bytes, found 47 bytes");
  EXPECT_EQ(Error(good + "x"), "a: byte 12: expected 4 frames of 12 bytes, found 49 bytes");
  EXPECT_EQ(Error(Golden("float_checksum").substr(0, 60)),
            "a: byte 12: expected 4 frames of 12 bytes and a checksum, found 48 bytes");
  EXPECT_EQ(with(0, "\xff\xff\xff\xff"), "a: byte 0: expected a number of frames, found -1");
  EXPECT_EQ(with(0, "\x7f\xff\xff\xff"), "a: byte 12: expected 2147483647 frames of 12 bytes, found 48 bytes");
  EXPECT_EQ(with(8, View("\0\0", 2)), "a: byte 8: expected a frame of a multiple of 4 bytes, found 0");
  EXPECT_EQ(with(8, View("\0\x0e", 2)), "a: byte 8: expected a frame of a multiple of 4 bytes, found 14");
  EXPECT_EQ(with(8, "\xff\xf4"), "a: byte 8: expected a frame of a multiple of 4 bytes, found -12");
  EXPECT_EQ(with(10, View("\0\0", 2)), "a: byte 10: expected a kind of features, found WAVEFORM, which is audio");
  EXPECT_EQ(with(10, View("\0\x0a", 2)),
            "a: byte 10: expected a kind of features, found DISCRETE, which holds indices");
  EXPECT_EQ(with(10, "\x40\x06"), "a: byte 10: expected a kind of features, found MFCC_V, which holds indices");
  EXPECT_EQ(with(10, View("\0\x0d", 2)), "a: byte 10: expected a kind of features, found kind 13, which is unknown");
  // A little-endian file.
  EXPECT_EQ(Error(View("\4\0\0\0\xa0\x86\1\0\x0c\0\6\0", 12)),
            "a: byte 10: expected a kind of features, found WAVEFORM_A_C, which is audio");
  std::string compressed = Golden("compressed");
  EXPECT_EQ(Error(std::string("\0\0\0\3", 4) + compressed.substr(4, 26)),
            "a: byte 0: expected at least the 4 frames of _C's scales, found 3");
  compressed.replace(16, 4, 4, '\0');
  EXPECT_EQ(Error(compressed).substr(0, 68), "a: byte 16: expected a finite scale other than 0 and a finite offset");
}

// Two bytes of a compressed file become a number of four.
TEST(HtkFileTest, RefusesMoreElementsThanAMatrixMayHave) {
  // 40004 frames, four of them scales, of 15000 numbers.
  const absl::string_view start("\0\0\x9c\x44\0\1\x86\xa0\x75\x30\x04\x06", 12);
  const SparseBytes content(start, 12 + int64_t{40004} * 30000);
  EXPECT_EQ(Error(content.view()), "a: byte 0: expected a matrix of at most 536870912 elements, found 600000000");
}

TEST(HtkFileTest, RefusesToWriteWhatTheHeaderCannotSay) {
  EXPECT_EQ(EncodeHtk(Tensor<float, 2>({1, 8192}).view(), kHtkUser, 100000).status().message(),
            "HTK file: expected features of 1 to 8191 dimensions, found 1 x 8192");
  EXPECT_EQ(EncodeHtk(Tensor<float, 2>({1, 2}).view(), kHtkMfcc | kHtkChecksum, 100000).status().message(),
            "HTK file: expected a kind of floats without _C and _K, found MFCC_K");
  EXPECT_TRUE(EncodeHtk(Tensor<float, 2>({0, 8191}).view(), kHtkUser, 100000).ok());
}

// Files that HTK itself wrote; the values were read from them with numpy.
TEST(HtkFileTest, ReadsFilesOfHtk) {
  const char* folder = SharedData("HtkFileTest.ReadsFilesOfHtk");
  if (folder == nullptr) return;
  struct Case {
    const char* name;
    const char* kind;
    int64_t dimensions;
    float first, last;
    double sum;
  };
  for (const Case& c : {Case{"fbank_htk.1", "FBANK", 23, 20.612585f, 10.331685f, 58201.33601474762},
                        Case{"fea_htk.6", "MFCC_D_A_0", 39, -23.667017f, 0.01322982f, 10055.86882375463},
                        Case{"plp_htk.1", "PLP_D_A_0", 39, -0.86344755f, 0.00025023f, 210.34096519218656}}) {
    const auto htk = ReadHtk(absl::StrCat(folder, "/htk/test.wav.", c.name));
    ASSERT_TRUE(htk.ok()) << htk.status();
    EXPECT_EQ(HtkKindName(htk->kind), c.kind);
    EXPECT_EQ(htk->frame_shift, 100000);
    ASSERT_EQ(htk->features.dim(0), 142);
    ASSERT_EQ(htk->features.dim(1), c.dimensions);
    EXPECT_FLOAT_EQ(htk->features.view()(0, 0), c.first);
    EXPECT_NEAR(htk->features.view()(141, c.dimensions - 1), c.last, 1e-7);
    double sum = 0;
    for (float value : htk->features.span()) sum += value;
    EXPECT_NEAR(sum, c.sum, 1e-6);
  }
}

}  // namespace
}  // namespace earshot
