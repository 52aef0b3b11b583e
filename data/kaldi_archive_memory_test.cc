// What reading one matrix from a file takes: at most four times its bytes there and a mebibyte, whatever its format;
// and for a range of a large one, what the range has.
#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "base/testing/allocations.h"
#include "data/kaldi_archive.h"
#include "data/kaldi_encode.h"

namespace earshot {
namespace {

// Peak of the heap above what is held now, and the shape that was read.
int64_t PeakOfReading(const std::string& location, int64_t* rows) {
  const int64_t before = AllocatedBytes();
  ResetPeakAllocatedBytes();
  const auto matrix = ReadKaldiMatrix(location);
  EXPECT_TRUE(matrix.ok()) << matrix.status();
  *rows = matrix.ok() ? matrix->dim(0) : -1;
  return PeakAllocatedBytes() - before;
}

TEST(KaldiArchiveMemoryTest, FourTimesTheFileAtMost) {
  const std::string path = testing::TempDir() + "/kaldi_archive_memory";
  constexpr int64_t kRows = 6000, kCols = 500;
  constexpr int64_t kFloatBytes = 4 * kRows * kCols;
  for (int method = -1; method <= 7; ++method) {
    int64_t bytes, rows;
    {
      Tensor<float, 2> matrix({kRows, kCols});
      for (int64_t i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(i % 7);
      std::string object;
      if (method < 0) {
        AppendKaldiText(matrix.view(), &object);  // two bytes an element: the least that text has
      } else {
        ASSERT_TRUE(AppendKaldiBinary(matrix.view(), static_cast<KaldiCompression>(method), &object).ok());
      }
      ASSERT_TRUE(WriteFileAtomically(path, {object}).ok());
      bytes = static_cast<int64_t>(object.size());
    }
    const int64_t peak = PeakOfReading(path, &rows);
    EXPECT_EQ(rows, kRows);
    EXPECT_GE(peak, kFloatBytes);
    EXPECT_LE(peak, 4 * bytes + (1 << 20)) << "method " << method << ", file of " << bytes;
    if (method < 0) continue;
    EXPECT_LE(PeakOfReading(path + "[100:199,2:41]", &rows), 1 << 20) << "method " << method;
    EXPECT_EQ(rows, 100);
  }
}

}  // namespace
}  // namespace earshot
