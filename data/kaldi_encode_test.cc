#include "data/kaldi_encode.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "data/kaldi_archive.h"

namespace earshot {
namespace {

// tools/golden/archives.py
std::string Golden(const std::string& name) {
  auto content = ReadFile("data/testdata/archives/" + name, 1 << 20);
  EXPECT_TRUE(content.ok()) << content.status();
  return content.ok() ? *std::move(content) : "";
}

// Hand-made CM and CM2, with bytes on both sides of each quartile.
TEST(KaldiEncodeTest, ReadsWhatWasCompressedByHand) {
  const std::string cm = absl::HexStringToBytes(
      "0042434d20000020c10000a041090000000200000000000040ffbfffffe803e903ea0360ea0001404180c0c1ff20ffc0"
      "40000ac86441c1");
  const float expected_cm[] = {-10.0f,      8.31082628f,  -9.92187381f, -9.6942092f,  -4.9999237f,  -9.69451438f,
                               -4.9217999f, -9.69481956f, 0.0f,         -9.69477188f, 4.9999237f,   -7.40785549f,
                               5.07929f,    -9.69442855f, 10.0f,        -9.694512f,   -7.49996185f, -9.40841499f};
  const std::string cm2 =
      absl::HexStringToBytes("0042434d32200000c0bf0000404003000000030000000000ffff0080010002000300feff64003075");
  const float expected_cm2[] = {-1.5f,        1.5f,        2.28885e-05f, -1.49995422f, -1.49990845f,
                                -1.49986267f, 1.49995422f, -1.49542229f, -0.12668803f};
  const auto matrix = DecodeKaldiMatrix(cm, "cm"), matrix2 = DecodeKaldiMatrix(cm2, "cm2");
  ASSERT_TRUE(matrix.ok() && matrix2.ok()) << matrix.status() << matrix2.status();
  ASSERT_EQ(matrix->view().shape(), (std::array<int64_t, 2>{9, 2}));
  for (int i = 0; i < 18; ++i) EXPECT_NEAR(matrix->data()[i], expected_cm[i], 1e-5) << i;
  ASSERT_EQ(matrix2->view().shape(), (std::array<int64_t, 2>{3, 3}));
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(matrix2->data()[i], expected_cm2[i], 1e-6) << i;
}

// Compressed bytes are those of Kaldi's own code, and so are the values read from them.
TEST(KaldiEncodeTest, CompressesAndDecompressesAsKaldiBitForBit) {
  const std::string source = Golden("source.ark"), compressed = Golden("compressed.ark");
  KaldiArchiveReader reader(source, "source");
  std::string key, written;
  Tensor<float, 2> matrix;
  int entries = 0;
  for (auto more = reader.Next(&key, &matrix); more.ok() && *more; more = reader.Next(&key, &matrix)) {
    absl::StrAppend(&written, key, " ");
    const auto method = static_cast<KaldiCompression>(key[0] - '0');
    ASSERT_TRUE(AppendKaldiBinary(matrix.view(), method, &written).ok());
    ASSERT_TRUE(compressed.compare(0, written.size(), written) == 0) << "first difference in " << key;
    ++entries;
  }
  EXPECT_EQ(entries, 61);
  EXPECT_EQ(written.size(), compressed.size());
  // What is read from them, written again as floats.
  KaldiArchiveReader values(compressed, "compressed");
  written.clear();
  for (auto more = values.Next(&key, &matrix); more.ok() && *more; more = values.Next(&key, &matrix)) {
    absl::StrAppend(&written, key, " ");
    ASSERT_TRUE(AppendKaldiBinary(matrix.view(), KaldiCompression::kNone, &written).ok());
  }
  EXPECT_TRUE(written == Golden("values.ark"));
}

TEST(KaldiEncodeTest, WritesBinaryAndTextAsKaldiByteForByte) {
  const std::string source = Golden("source.ark");
  KaldiArchiveReader reader(source, "source");
  std::string key, binary, text;
  Tensor<float, 2> matrix;
  for (auto more = reader.Next(&key, &matrix); more.ok() && *more; more = reader.Next(&key, &matrix)) {
    absl::StrAppend(&binary, key, " ");
    absl::StrAppend(&text, key, " ");
    ASSERT_TRUE(AppendKaldiBinary(matrix.view(), KaldiCompression::kNone, &binary).ok());
    AppendKaldiText(matrix.view(), &text);
  }
  EXPECT_TRUE(binary == source);
  EXPECT_TRUE(text == Golden("text.ark"));
}

TEST(KaldiEncodeTest, RefusesToCompressWhatIsNotFinite) {
  Tensor<float, 2> matrix({1, 2});
  std::string out = "kept";
  matrix.data()[1] = NAN;
  EXPECT_EQ(AppendKaldiBinary(matrix.view(), KaldiCompression::kAutomatic, &out).message(),
            "a matrix with NaN or infinity cannot be compressed");
  matrix.data()[0] = 3e38f;
  matrix.data()[1] = -3e38f;
  EXPECT_EQ(AppendKaldiBinary(matrix.view(), KaldiCompression::kAutomatic, &out).message(),
            "the range of the elements is beyond float");
  EXPECT_EQ(out, "kept");
}

}  // namespace
}  // namespace earshot
