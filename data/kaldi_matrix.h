// Kaldi's matrices and vectors of floats, as pure functions over bytes. Format: "I/O mechanisms" of Kaldi's
// documentation and its matrix/kaldi-matrix, matrix/compressed-matrix. Archives and files: data/kaldi_archive.h.
//
//   binary   "\0B", a token and a space, sizes each behind a byte 4 (compressed: minimum, range, sizes), the elements
//            FM DM  matrix of float, of double       CM CM2 CM3  compressed matrix (data/kaldi_compression.h)
//            FV DV  vector of float, of double
//   text     "[", numbers, rows ended by a new line (or ";"), "]"
//
// Everything becomes a matrix of float [rows, columns]: doubles are rounded, a vector is one row. "[ ]" is 0 x 0. NaN
// and infinity are read as they are. More than kMaxMatrixElements (data/limits.h) are refused. Vectors of
// integers (alignments) and everything else are refused by name.
#ifndef EARSHOT_DATA_KALDI_MATRIX_H_
#define EARSHOT_DATA_KALDI_MATRIX_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/tensor.h"
#include "data/kaldi_compression.h"

namespace earshot {

constexpr int64_t kMaxKaldiHeaderBytes = 22;  // of "\0BCM2 ", the longest

enum class KaldiFormat { kFloat, kDouble, kCm, kCm2, kCm3 };

// What stands before the elements of a binary object.
struct KaldiHeader {
  KaldiFormat format = KaldiFormat::kFloat;
  bool is_vector = false;
  int64_t rows = 0;  // 1 for a vector, also for an empty one
  int64_t cols = 0;
  KaldiScale scale;        // of a compressed matrix
  int64_t bytes = 0;       // of the header itself
  int64_t data_bytes = 0;  // of what follows it
};

// A rectangle of a matrix.
struct KaldiCrop {
  int64_t first_row = 0, rows = 0;
  int64_t first_col = 0, cols = 0;
};

// The header of the binary object that starts with content[0] == '\0'. `content` has kMaxKaldiHeaderBytes or all that
// there is; `available` is what there is from its first byte on, and the elements must lie within it. `name` and
// `position`, where `content` starts in the file, stand in the errors.
absl::StatusOr<KaldiHeader> ParseKaldiHeader(absl::string_view content, absl::string_view name, int64_t position,
                                             int64_t available);

// Bytes of one row of the elements. CM alone is stored by columns, behind kKaldiColumnHeaderBytes for each of them.
int64_t KaldiRowBytes(const KaldiHeader& header);

// Rows of any format but CM, one after the other, whole: out [rows, cols] gets their columns from `first_col` on.
void DecodeKaldiRows(const KaldiHeader& header, absl::string_view rows, int64_t first_col, TensorView<float, 2> out);

// The first character from `from` on that cannot stand between the brackets of a text matrix; text.size(): there is
// none.
int64_t FindKaldiTextEnd(absl::string_view text, int64_t from);

// What stands between the brackets, which starts at `position` of the file.
absl::StatusOr<Tensor<float, 2>> ParseKaldiText(absl::string_view text, absl::string_view name, int64_t position);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_MATRIX_H_
