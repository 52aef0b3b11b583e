// NumPy's .npy files (format versions 1 to 3, numpy/lib/format).
#ifndef EARSHOT_DATA_NPY_H_
#define EARSHOT_DATA_NPY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/tensor.h"

namespace earshot {

// Whether `content`, or the start of it, is that of an npy file.
bool LooksLikeNpy(absl::string_view content);

// The array of a file's content as a matrix of float [rows, columns]: one with two dimensions in C or Fortran order, or
// one with one dimension, which becomes a row. Elements: f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 in either byte order,
// rounded to float; all others ("|O" holds Python objects, f2, b1, c8, ...) are refused by name. The header has at most
// kMaxNpyHeaderBytes; nothing may follow the array. Errors: "NAME: byte N: expected X, found Y".
absl::StatusOr<Tensor<float, 2>> DecodeNpy(absl::string_view content, absl::string_view name);

// The same from a file.
absl::StatusOr<Tensor<float, 2>> ReadNpy(const std::string& path);

// A file's content with `matrix` as <f4, byte for byte as numpy.save writes it (version 1.0).
std::string EncodeNpy(TensorView<const float, 2> matrix);

}  // namespace earshot

#endif  // EARSHOT_DATA_NPY_H_
