#include "data/npy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "data/testing/sparse_bytes.h"

namespace earshot {
namespace {

std::string Golden(const std::string& name) {  // tools/golden/archives.py
  const auto content = ReadFile("data/testdata/archives/" + name + ".npy", 1 << 20);
  EXPECT_TRUE(content.ok()) << content.status();
  return content.ok() ? *content : "";
}

// A file of version 1 with the header `text`, as it is.
std::string WithHeader(absl::string_view text, absl::string_view data = "") {
  std::string content("\x93NUMPY\1\0", 8);
  content.push_back(static_cast<char>(text.size() & 0xff));
  content.push_back(static_cast<char>(text.size() >> 8));
  return absl::StrCat(content, text, data);
}

std::string Error(absl::string_view content) { return std::string(DecodeNpy(content, "a").status().message()); }

TEST(NpyTest, ReadsTypesOrdersAndVersions) {
  struct Case {
    const char* name;
    float factor, shift;  // of (0 to 11) / 2 - 2
  };
  for (const Case& c :
       {Case{"f4", 1, 0}, Case{"f4_big", 1, 0}, Case{"f8_fortran", 1, 0}, Case{"i4_fortran_big", 2, 0},
        Case{"i8", 2, 0}, Case{"i2_big", 2, 0}, Case{"u1", 2, 4}, Case{"version2", 1, 0}, Case{"version3", 1, 0}}) {
    const auto matrix = DecodeNpy(Golden(c.name), c.name);
    ASSERT_TRUE(matrix.ok()) << matrix.status();
    ASSERT_EQ(matrix->dim(0), 3);
    ASSERT_EQ(matrix->dim(1), 4);
    for (int i = 0; i < 12; ++i) {
      EXPECT_EQ(matrix->data()[i], (static_cast<float>(i) / 2 - 2) * c.factor + c.shift) << c.name << " " << i;
    }
  }
  const auto row = DecodeNpy(Golden("row"), "row");
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_EQ(row->dim(0), 1);
  EXPECT_EQ(std::vector<float>(row->span().begin(), row->span().end()), (std::vector<float>{0, 0.5f, 1, 1.5f}));
  const auto empty = DecodeNpy(Golden("empty"), "empty");
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_EQ(empty->dim(0), 0);
  EXPECT_EQ(empty->dim(1), 4);
}

TEST(NpyTest, WritesAsNumpyByteForByte) {
  const auto matrix = DecodeNpy(Golden("f4"), "f4");
  ASSERT_TRUE(matrix.ok());
  EXPECT_TRUE(EncodeNpy(matrix->view()) == Golden("f4"));
  EXPECT_TRUE(EncodeNpy(DecodeNpy(Golden("empty"), "empty")->view()) == Golden("empty"));
  // A header of the same length whatever the number of rows.
  EXPECT_EQ(EncodeNpy(Tensor<float, 2>({1234567, 1}).view()).size(), 128u + 4 * 1234567);
}

TEST(NpyTest, RefusesOtherTypesByName) {
  const std::string expected = "a: byte 20: expected floats (f4, f8) or integers (i1 to i8, u1 to u8), found ";
  EXPECT_EQ(Error(Golden("objects")), expected + "\"|O\"");
  EXPECT_EQ(Error(Golden("half")), expected + "\"<f2\"");
  EXPECT_EQ(Error(Golden("structure")), "a: byte 21: expected one type of elements, found a structure of several");
  EXPECT_EQ(Error(Golden("cube")), "a: byte 60: expected one or two dimensions, found 3");
}

TEST(NpyTest, RefusesBrokenHeaders) {
  const std::string good = Golden("f4");
  EXPECT_EQ(Error("PK\3\4"), "a: byte 0: expected an npy file (\"\\x93NUMPY\"), found \"PK\\x03\\x04\"");
  EXPECT_EQ(Error(good.substr(0, 7)), "a: byte 7: expected the version of the format, found the end of the file");
  EXPECT_EQ(Error(good.substr(0, 9)), "a: byte 9: expected the length of the header, found the end of the file");
  EXPECT_EQ(Error(good.substr(0, 100)), "a: byte 10: expected a header of 118 bytes, found 90");
  std::string version = good;
  version[6] = 4;
  EXPECT_EQ(Error(version), "a: byte 6: expected version 1.0, 2.0 or 3.0, found 4.0");
  std::string huge = Golden("version2");
  huge[8] = huge[9] = huge[10] = huge[11] = '\xff';
  EXPECT_EQ(Error(huge), "a: byte 8: expected a header of at most 10000 bytes, found 4294967295");
  EXPECT_EQ(Error(good + "x"), "a: byte 128: expected 3 x 4 elements of 4 bytes, found 49 bytes");
  EXPECT_EQ(Error(good.substr(0, 170)), "a: byte 128: expected 3 x 4 elements of 4 bytes, found 42 bytes");
}

TEST(NpyTest, ReadsTheDictionaryStrictly) {
  const std::string data(8, '\0');
  EXPECT_EQ(Error(WithHeader("{\"shape\": (1L,2L,), 'fortran_order':False,'descr': '<f4'}", data)), "");
  const auto error = [&](const std::string& text) { return Error(WithHeader(text, data)); };
  EXPECT_EQ(error("['descr']"), "a: byte 10: expected \"{\", found \"[\"");
  EXPECT_EQ(error("{'descr': '<f4', 'shape': (1, 2)}"),
            "a: byte 43: expected 'descr', 'fortran_order' and 'shape', found fewer of them");
  EXPECT_EQ(error("{'descr': '<f4', 'descr': '<f8'}"),
            "a: byte 27: expected 'descr', 'fortran_order' and 'shape', once each, found \"descr\"");
  EXPECT_EQ(error("{'descr': '<f4', 'x': 1}"),
            "a: byte 27: expected 'descr', 'fortran_order' and 'shape', once each, found \"x\"");
  EXPECT_EQ(error("{'descr': '<f4"), "a: byte 21: expected the end of a string, found the end of the header");
  EXPECT_EQ(error("{'fortran_order': 1}"), "a: byte 28: expected True or False, found \"1}\"");
  EXPECT_EQ(error("{'shape': (-1, 2)}"), "a: byte 21: expected a dimension below 2^63, found \"-\"");
  EXPECT_EQ(error("{'shape': (1, 02)}"), "a: byte 24: expected a dimension below 2^63, found \"02\"");  // as Python
  EXPECT_EQ(error("{'shape': (9223372036854775808, 2)}"),
            "a: byte 21: expected a dimension below 2^63, found \"9223372036854775808\"");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)} x"),
            "a: byte 68: expected nothing behind the dictionary, found \"x\"");
  // Products that overflow, and dimensions beyond what a matrix may have.
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 2)}"),
            "a: byte 85: expected 9223372036854775807 x 2 elements of 4 bytes, found 8 bytes");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': (2147483648, 0)}"),
            "a: byte 60: expected a matrix with columns, or without rows, found 2147483648 x 0");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': ()}"),
            "a: byte 60: expected one or two dimensions, found 0");
}

// Four bytes a number for each byte of the file.
TEST(NpyTest, RefusesMoreElementsThanAMatrixMayHave) {
  const std::string start = WithHeader("{'descr': '|i1', 'fortran_order': False, 'shape': (600000000, 1)}");
  const SparseBytes content(start, static_cast<int64_t>(start.size()) + 600000000);
  EXPECT_EQ(Error(content.view()), "a: byte 60: expected a matrix of at most 536870912 elements, found 600000000");
}

TEST(NpyTest, ReadsAFile) {
  const std::string path = testing::TempDir() + "/npy_test.npy";
  ASSERT_TRUE(WriteFileAtomically(path, {Golden("f4")}).ok());
  EXPECT_EQ(ReadNpy(path)->dim(1), 4);
  EXPECT_EQ(ReadNpy(path + "x").status().message(), path + "x: cannot open: No such file or directory");
}

}  // namespace
}  // namespace earshot
