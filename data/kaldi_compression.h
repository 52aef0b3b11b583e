// The arithmetic of Kaldi's compressed matrices (CM, CM2, CM3): integers of one or two bytes in place of floats. All
// sums and products are in Kaldi's own order and precision (its matrix/compressed-matrix), so that values read and
// bytes written are Kaldi's bit for bit; other readers of the format may differ in the last bit.
#ifndef EARSHOT_DATA_KALDI_COMPRESSION_H_
#define EARSHOT_DATA_KALDI_COMPRESSION_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/tensor.h"

namespace earshot {

// Kaldi's --compression-method, by its numbers.
enum class KaldiCompression {
  kNone = 0,
  kAutomatic = 1,               // kSpeechFeature with more than 8 rows, else kTwoByteAuto
  kSpeechFeature = 2,           // CM: one byte an element, scaled by the quartiles of its column
  kTwoByteAuto = 3,             // CM2: two bytes an element between the matrix's minimum and maximum
  kTwoByteSignedInteger = 4,    // CM2 for whole numbers -32768 to 32767; others are rounded and clipped
  kOneByteAuto = 5,             // CM3: one byte an element between minimum and maximum
  kOneByteUnsignedInteger = 6,  // CM3 for whole numbers 0 to 255
  kOneByteZeroOne = 7,          // CM3 for 0 to 1
};

// Element = min_value + range * integer / (2^bits - 1); of CM, that is what its percentiles are stored in.
struct KaldiScale {
  float min_value = 0;
  float range = 0;
};

constexpr int64_t kKaldiColumnHeaderBytes = 8;  // CM: percentiles 0, 25, 75, 100 of a column, two bytes each

// Minimum and range for the elements of `matrix` [R, C], which are finite and at least one.
KaldiScale ChooseKaldiScale(TensorView<const float, 2> matrix, KaldiCompression method);

// CM: `column_header` (8 bytes) and the column's own bytes, one a row, from some row on -> out(i, column) for all rows
// i of `out` [R, C].
void DecompressKaldiColumn(const KaldiScale& scale, absl::string_view column_header, const char* bytes, int64_t column,
                           TensorView<float, 2> out);
// The other way round: appends the 8 bytes to `headers` and R bytes to `bytes`. `scratch` [R] is overwritten.
void CompressKaldiColumn(const KaldiScale& scale, TensorView<const float, 2> matrix, int64_t column,
                         absl::Span<float> scratch, std::string* headers, std::string* bytes);

// CM2 (two bytes, little-endian) and CM3 (one byte): out.size() elements of a row.
void DecompressKaldiRow(const KaldiScale& scale, int bytes_an_element, const char* bytes, absl::Span<float> out);
void CompressKaldiRow(const KaldiScale& scale, int bytes_an_element, absl::Span<const float> row, std::string* bytes);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_COMPRESSION_H_
