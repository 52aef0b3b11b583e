#include "data/kaldi_encode.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace earshot {
namespace {

template <typename T>
void Append(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// Rows or columns; a matrix without elements is 0 x 0.
int32_t Dimension(TensorView<const float, 2> matrix, int axis) {
  return matrix.empty() ? 0 : static_cast<int32_t>(matrix.dim(axis));
}

}  // namespace

absl::Status AppendKaldiBinary(TensorView<const float, 2> matrix, KaldiCompression compression, std::string* out) {
  if (compression == KaldiCompression::kNone) {
    out->append("\0BFM ", 5);
    for (int axis : {0, 1}) {
      out->push_back('\4');
      Append(Dimension(matrix, axis), out);
    }
    out->append(reinterpret_cast<const char*>(matrix.data()), matrix.size() * sizeof(float));
    return absl::OkStatus();
  }
  for (float value : matrix.span()) {
    if (!std::isfinite(value)) return absl::InvalidArgumentError("a matrix with NaN or infinity cannot be compressed");
  }
  if (compression == KaldiCompression::kAutomatic) {
    compression = matrix.dim(0) > 8 ? KaldiCompression::kSpeechFeature : KaldiCompression::kTwoByteAuto;
  }
  const bool columns = compression == KaldiCompression::kSpeechFeature || matrix.empty();
  const bool two_bytes =
      compression == KaldiCompression::kTwoByteAuto || compression == KaldiCompression::kTwoByteSignedInteger;
  const KaldiScale scale = matrix.empty() ? KaldiScale() : ChooseKaldiScale(matrix, compression);
  if (!std::isfinite(scale.range)) return absl::InvalidArgumentError("the range of the elements is beyond float");
  absl::StrAppend(out, absl::string_view("\0B", 2), columns ? "CM " : two_bytes ? "CM2 " : "CM3 ");
  Append(scale.min_value, out);
  Append(scale.range, out);
  for (int axis : {0, 1}) Append(Dimension(matrix, axis), out);
  if (columns) {
    std::vector<float> scratch(matrix.dim(0));
    std::string bytes;
    for (int64_t j = 0; j < matrix.dim(1); ++j) {
      CompressKaldiColumn(scale, matrix, j, absl::MakeSpan(scratch), out, &bytes);
    }
    out->append(bytes);
  } else {
    for (int64_t i = 0; i < matrix.dim(0); ++i) CompressKaldiRow(scale, two_bytes ? 2 : 1, matrix.row(i), out);
  }
  return absl::OkStatus();
}

void AppendKaldiText(TensorView<const float, 2> matrix, std::string* out) {
  absl::StrAppend(out, " [");
  for (int64_t i = 0; i < Dimension(matrix, 0); ++i) {
    absl::StrAppend(out, "\n  ");
    for (float value : matrix.row(i)) absl::StrAppendFormat(out, "%.7g ", value);
  }
  absl::StrAppend(out, matrix.empty() ? " ]\n" : "]\n");
}

}  // namespace earshot
