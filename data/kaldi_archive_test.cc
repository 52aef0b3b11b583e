#include "data/kaldi_archive.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "data/kaldi_encode.h"

namespace earshot {
namespace {

using Rows = std::vector<std::vector<float>>;

// tools/golden/archives.py
std::string Golden(const std::string& name) {
  auto content = ReadFile("data/testdata/archives/" + name, 1 << 20);
  EXPECT_TRUE(content.ok()) << content.status();
  return content.ok() ? *std::move(content) : "";
}

std::string Write(const std::string& name, absl::string_view content) {
  const std::string path = testing::TempDir() + "/kaldi_archive_" + name;
  EXPECT_TRUE(WriteFileAtomically(path, {content}).ok());
  return path;
}

Rows ToRows(const Tensor<float, 2>& matrix) {
  Rows rows;
  for (int64_t i = 0; i < matrix.dim(0); ++i) {
    const auto row = matrix.view().row(i);
    rows.emplace_back(row.begin(), row.end());
  }
  return rows;
}

// All entries, or the error that ends them under the key "error".
std::vector<std::pair<std::string, Rows>> ReadAll(KaldiArchiveReader* reader) {
  std::vector<std::pair<std::string, Rows>> entries;
  std::string key;
  Tensor<float, 2> matrix;
  while (true) {
    const auto more = reader->Next(&key, &matrix);
    if (!more.ok()) entries.emplace_back(std::string(more.status().message()), Rows());
    if (!more.ok() || !*more) return entries;
    entries.emplace_back(key, ToRows(matrix));
  }
}

std::vector<std::pair<std::string, Rows>> ReadAll(absl::string_view content) {
  KaldiArchiveReader reader(content, "a");
  return ReadAll(&reader);
}

std::string Error(absl::string_view archive) {
  const auto entries = ReadAll(archive);
  return entries.empty() ? "" : entries.back().first;
}

void ExpectNear(const Rows& actual, const Rows& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(actual[i].size(), expected[i].size()) << "row " << i;
    for (size_t j = 0; j < expected[i].size(); ++j) {
      EXPECT_NEAR(actual[i][j], expected[i][j], tolerance) << "row " << i << " column " << j;
    }
  }
}

std::string FloatMatrix(int32_t rows, int32_t cols, const std::vector<float>& elements) {
  std::string object("\0BFM \4", 6);
  object.append(reinterpret_cast<const char*>(&rows), 4);
  object.push_back('\4');
  object.append(reinterpret_cast<const char*>(&cols), 4);
  object.append(reinterpret_cast<const char*>(elements.data()), 4 * elements.size());
  return object;
}

const std::vector<float> kSixty = [] {
  std::vector<float> v(60);
  for (int i = 0; i < 60; ++i) v[i] = static_cast<float>(i);
  return v;
}();

// Row and column ranges are inclusive; the end of the rows may overshoot by three.
TEST(KaldiArchiveTest, Ranges) {
  const std::string path = Write("ranges", "rec " + FloatMatrix(12, 5, kSixty));
  const auto read = [&](const std::string& range) -> Rows {
    const auto matrix = ReadKaldiMatrix(path + ":4" + range);
    return matrix.ok() ? ToRows(*matrix) : Rows();
  };
  EXPECT_EQ(read("").size(), 12u);
  EXPECT_EQ(read("[0:3]"), (Rows{{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}, {10, 11, 12, 13, 14}, {15, 16, 17, 18, 19}}));
  EXPECT_EQ(read("[5:5]"), (Rows{{25, 26, 27, 28, 29}}));
  EXPECT_EQ(read("[2:4,1:3]"), (Rows{{11, 12, 13}, {16, 17, 18}, {21, 22, 23}}));
  EXPECT_EQ(read("[,0:1]").size(), 12u);
  EXPECT_EQ(read("[,0:1]")[11], (std::vector<float>{55, 56}));
  EXPECT_EQ(read("[10:14]"), (Rows{{50, 51, 52, 53, 54}, {55, 56, 57, 58, 59}}));
  EXPECT_EQ(ReadKaldiMatrix(path + ":4[10:20]").status().message(),
            path + ":4[10:20]: expected rows within 0:11, found 10:20");
}

// A range reads the same as the cut-out matrix in every format, also from text and from the column-wise CM.
TEST(KaldiArchiveTest, RangesOfAllFormats) {
  Tensor<float, 2> matrix({30, 4});
  for (int64_t i = 0; i < matrix.size(); ++i) matrix.data()[i] = std::sin(static_cast<float>(i)) * 8;
  for (int method = -1; method <= 7; ++method) {
    std::string object;
    if (method < 0) {
      AppendKaldiText(matrix.view(), &object);
    } else {
      ASSERT_TRUE(AppendKaldiBinary(matrix.view(), static_cast<KaldiCompression>(method), &object).ok());
    }
    const std::string path = Write("formats", object);
    const auto all = ReadKaldiMatrix(path);
    const auto part = ReadKaldiMatrix(path + "[7:19,1:2]");
    ASSERT_TRUE(all.ok() && part.ok()) << all.status() << part.status();
    const auto decoded = DecodeKaldiMatrix(object, "m");
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(ToRows(*all), ToRows(*decoded));
    ASSERT_EQ(part->dim(0), 13);
    ASSERT_EQ(part->dim(1), 2);
    for (int64_t i = 0; i < 13; ++i) {
      for (int64_t j = 0; j < 2; ++j) EXPECT_EQ(part->view()(i, j), all->view()(7 + i, 1 + j)) << "method " << method;
    }
  }
}

// The offset is that of the object, behind key and space; one byte early or late is no number but an error.
TEST(KaldiArchiveTest, TheOffsetPointsAtTheObject) {
  const std::string first = "first " + FloatMatrix(1, 2, {1, 2});
  const std::string content = first + "second_longer_key " + FloatMatrix(2, 1, {-3.5f, 4});
  const std::string path = Write("offsets", content);
  const int64_t offset = static_cast<int64_t>(first.size()) + 18;
  EXPECT_EQ(ToRows(*ReadKaldiMatrix(path + ":6")), (Rows{{1, 2}}));
  EXPECT_EQ(ToRows(*ReadKaldiMatrix(absl::StrCat(path, ":", offset))), (Rows{{-3.5f}, {4}}));
  const std::string expected = ": expected an object of Kaldi (\"\\0B\" or \"[\"), found \"";
  EXPECT_EQ(ReadKaldiMatrix(absl::StrCat(path, ":", offset - 1)).status().message(),
            absl::StrCat(path, ": byte ", offset, expected, "\\x00\""));
  EXPECT_EQ(ReadKaldiMatrix(absl::StrCat(path, ":", offset + 1)).status().message(),
            absl::StrCat(path, ": byte ", offset + 1, expected, "B\""));
  for (size_t wrong = 0; wrong < content.size() + 3; ++wrong) {
    if (wrong == 6 || wrong == static_cast<size_t>(offset)) continue;
    EXPECT_FALSE(ReadKaldiMatrix(absl::StrCat(path, ":", wrong)).ok()) << wrong;
  }
  EXPECT_EQ(ReadKaldiMatrix(path + ":999").status().message(),
            absl::StrCat(path, ": byte 999: expected an object of Kaldi, found a file of ", content.size(), " bytes"));
  EXPECT_EQ(ReadKaldiMatrix(path).status().message(), path + ": byte 0" + expected + "f\"")
      << "an archive is no matrix";
}

// A sparse file of 5 GB with an object behind the second gigabyte and one behind the fourth.
TEST(KaldiArchiveTest, OffsetsBeyondTwoAndFourGigabytes) {
  const std::string path = testing::TempDir() + "/kaldi_archive_sparse";
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  ASSERT_GE(fd, 0);
  const int64_t offsets[] = {(int64_t{1} << 31) + 5, (int64_t{1} << 32) + 700000000};
  const std::string huge = FloatMatrix(700, 1000000, {});  // its elements are there: holes
  ASSERT_EQ(pwrite(fd, huge.data(), huge.size(), 0), static_cast<ssize_t>(huge.size()));
  for (int64_t offset : offsets) {
    const std::string object = FloatMatrix(12, 5, kSixty);
    ASSERT_EQ(pwrite(fd, object.data(), object.size(), offset), static_cast<ssize_t>(object.size()));
  }
  close(fd);
  for (int64_t offset : offsets) {
    const auto matrix = ReadKaldiMatrix(absl::StrCat(path, ":", offset, "[3:4,4:4]"));
    ASSERT_TRUE(matrix.ok()) << matrix.status();
    EXPECT_EQ(ToRows(*matrix), (Rows{{19}, {24}}));
  }
  EXPECT_EQ(ReadKaldiMatrix(path + ":0").status().message(),
            path + ": byte 15: expected a matrix of at most 536870912 elements, found 700000000");
  unlink(path.c_str());
}

// The closing bracket on its own line or not, exponents, other white space, the empty matrix, a row as a vector.
TEST(KaldiArchiveTest, TextEntries) {
  const std::string archive =
      "u1  [\n  1 2.5 -3e-2\n  4 5 6 ]\nu2  [ ]\nu3 [\n 0.1 0.2\n 0.3 0.4\n]\nu4  [ 1 2 3 ]\n"
      "u5 []\nu6\n[1 2;3 +4]\r\nu7\t[ 1e-60\tnan -inf INF ]  ";
  const auto entries = ReadAll(archive);
  ASSERT_EQ(entries.size(), 7u) << entries.back().first;
  EXPECT_EQ(entries[0].second, (Rows{{1, 2.5f, -0.03f}, {4, 5, 6}}));
  EXPECT_EQ(entries[1].second, Rows());
  EXPECT_EQ(entries[2].second, (Rows{{0.1f, 0.2f}, {0.3f, 0.4f}}));
  EXPECT_EQ(entries[3].second, (Rows{{1, 2, 3}}));
  EXPECT_EQ(entries[4].second, Rows());
  EXPECT_EQ(entries[5].second, (Rows{{1, 2}, {3, 4}}));
  ASSERT_EQ(entries[6].second.size(), 1u);
  EXPECT_EQ(entries[6].second[0][0], 0);
  EXPECT_TRUE(std::isnan(entries[6].second[0][1]));
  EXPECT_EQ(entries[6].second[0][2], -HUGE_VALF);
  EXPECT_EQ(entries[6].second[0][3], HUGE_VALF);
}

TEST(KaldiArchiveTest, WhatIsWrongAndWhere) {
  const auto binary = [](absl::string_view bytes) { return Error(absl::StrCat("k ", bytes)); };
  using View = absl::string_view;
  EXPECT_EQ(Error("k"), "a: byte 0: expected a key of at most 255 bytes and a space, found \"k\"");
  EXPECT_EQ(Error(std::string(300, 'k')),
            "a: byte 0: expected a key of at most 255 bytes and a space, found one of 256 bytes, \"" +
                std::string(60, 'k') + "\"...");
  EXPECT_EQ(Error("k\x01 [ 1 ]"),
            "a: byte 0: expected a key of at most 255 bytes and a space, found U+0001 in \"k\\x01\"");
  EXPECT_EQ(Error("\xff [ 1 ]"),
            "a: byte 0: expected a key of at most 255 bytes and a space, found byte 0xff in \"\\xff\"");
  EXPECT_EQ(Error("../k [ 1 ]"), "a: byte 0: expected a key of at most 255 bytes and a space, found the path \"../k\"");
  EXPECT_EQ(Error("k\u00a0 [ 1 ]"),
            "a: byte 0: expected a key of at most 255 bytes and a space, found U+00A0 in \"k\\xc2\\xa0\"");
  EXPECT_EQ(Error("k "), "a: byte 2: expected an object of Kaldi (\"\\0B\" or \"[\"), found the end of the file");
  EXPECT_EQ(Error("k [ 1 2"), "a: byte 7: expected a number or \"]\", found the end of the file");
  EXPECT_EQ(Error("k [ 1 x ]"), "a: byte 6: expected a number or \"]\", found \"x\"");
  EXPECT_EQ(Error("k [ 1 2e ]"), "a: byte 6: expected a number within the range of float, found \"2e\"");
  EXPECT_EQ(Error("k [ 1 + ]"), "a: byte 6: expected a number within the range of float, found \"+\"");
  EXPECT_EQ(Error("k [ 1 +-2 ]"), "a: byte 6: expected a number within the range of float, found \"+-2\"");
  EXPECT_EQ(Error("k [ 1e39 ]"), "a: byte 4: expected a number within the range of float, found \"1e39\"");
  EXPECT_EQ(Error("k [ 1 2\n 3 ]"), "a: byte 11: expected 2 numbers in row 2, as in row 1, found 1");
  EXPECT_EQ(Error("k [ 1\n 2 3\n 4 ]"), "a: byte 12: expected 1 numbers in row 2, as in row 1, found 2");
  EXPECT_EQ(Error("k [ 1 ] 2\n"), "a: byte 8: expected the end of the line behind \"]\", found \"2\"");
  EXPECT_EQ(binary(View("\0b", 2)), "a: byte 2: expected an object of Kaldi (\"\\0B\" or \"[\"), found \"\\x00\\x62\"");
  EXPECT_EQ(binary(View("\0B\4\1\0\0\0", 7)),
            "a: byte 4: expected a matrix or vector of floats, found one of integers");
  EXPECT_EQ(binary(View("\0BSM ", 5)), "a: byte 4: expected FM, DM, FV, DV, CM, CM2 or CM3, found \"SM \"");
  EXPECT_EQ(binary(View("\0BFM \5", 6)), "a: byte 7: expected the byte 4 before the number of rows, found \"\\x05\"");
  EXPECT_EQ(binary(FloatMatrix(-1, 2, {})), "a: byte 8: expected the number of rows, found -1");
  EXPECT_EQ(binary(FloatMatrix(2, -2147483647 - 1, {})),
            "a: byte 13: expected the number of columns, found -2147483648");
  EXPECT_EQ(binary(FloatMatrix(2, 0, {})), "a: byte 17: expected a matrix with elements, or 0 x 0, found 2 x 0");
  EXPECT_EQ(binary(FloatMatrix(2, 2, {1, 2, 3})),
            "a: byte 17: expected the elements of a matrix of 2 x 2, found 12 more bytes");
  EXPECT_EQ(binary(FloatMatrix(2147483647, 2147483647, {1})),
            "a: byte 17: expected the elements of a matrix of 2147483647 x 2147483647, found 4 more bytes");
  EXPECT_EQ(binary(View("\0BFM \4\1\0", 8)), "a: byte 8: expected the number of rows, found the end of the file");
  EXPECT_EQ(binary(View("\0BCM \0\0\x80\x7f\0\0\x80\x3f\1\0\0\0\1\0\0\0", 21)),
            "a: byte 15: expected a finite minimum and range, found inf and 1");
  EXPECT_EQ(binary(View("\0BCM \0\0\0\0\0\0\x80\x3f\xff\xff\xff\x7f\xff\xff\xff\x7f", 21)),
            "a: byte 23: expected the elements of a matrix of 2147483647 x 2147483647, found 0 more bytes");
  EXPECT_EQ(DecodeKaldiMatrix("[ 1 ]\n[ 2 ]\n", "m").status().message(),
            "m: byte 6: expected the end of the file behind its one object, found 6 more bytes");
}

// Every uncompressed format, as Kaldi's code and kaldiio write it, mixed in one archive, from memory and from a file.
TEST(KaldiArchiveTest, ReadsAllFormatsMixed) {
  const std::string content = Golden("mixed.ark");
  const auto entries = ReadAll(content);
  ASSERT_EQ(entries.size(), 10u) << entries.back().first;
  const Rows matrix = {{0.5292739272117615f, 1.3921562433242798f, 0.01897219382226467f, 0.9779782295227051f},
                       {1.0067816972732544f, -0.030249545350670815f, 0.4753277599811554f, 0.9507842063903809f},
                       {1.3076082468032837f, 0.06295165419578552f, 0.04176028445363045f, 0.5392575263977051f}};
  const Rows vector = {
      {1.2231507301330566f, -1.2283525466918945f, -0.16824668645858765f, -0.3854289650917053f, -0.28476548194885254f}};
  const std::map<std::string, const Rows*> binary = {
      {"fm", &matrix}, {"dm", &matrix}, {"kaldiio", &matrix}, {"fv", &vector}, {"dv", &vector}};
  int compared = 0;
  for (const auto& entry : entries) {
    const auto found = binary.find(entry.first);
    if (found != binary.end()) {
      EXPECT_EQ(entry.second, *found->second) << entry.first;
    }
    if (entry.first == "dm-text" || entry.first == "kaldiio-text") ExpectNear(entry.second, matrix, 1e-6);
    if (entry.first == "fv-text") ExpectNear(entry.second, vector, 1e-6);
    if (entry.first == "empty" || entry.first == "empty-text") {
      EXPECT_EQ(entry.second, Rows()) << entry.first;
    }
    ++compared;
  }
  EXPECT_EQ(compared, 10);
  auto from_file = KaldiArchiveReader::Open(Write("mixed", content));
  ASSERT_TRUE(from_file.ok());
  EXPECT_TRUE(ReadAll(from_file->get()) == entries);
}

TEST(KaldiArchiveTest, ThreadsReadAtTheSameTime) {
  const std::string path = Write("threads", "rec " + FloatMatrix(12, 5, kSixty));
  std::vector<std::thread> threads;
  std::vector<int> right(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const int row = (t * 5 + i) % 12;
        const auto matrix = ReadKaldiMatrix(absl::StrCat(path, ":4[", row, ":", row, "]"));
        right[t] += matrix.ok() && matrix->view()(0, 4) == static_cast<float>(row * 5 + 4);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 200));
}

}  // namespace
}  // namespace earshot
