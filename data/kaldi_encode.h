// Matrices as Kaldi writes them, byte for byte. The formats: data/kaldi_matrix.h.
#ifndef EARSHOT_DATA_KALDI_ENCODE_H_
#define EARSHOT_DATA_KALDI_ENCODE_H_

#include <string>

#include "absl/status/status.h"
#include "base/tensor.h"
#include "data/kaldi_compression.h"

namespace earshot {

// Appends `matrix` as Kaldi writes it. One without elements is written as 0 x 0. Compressing one with NaN or infinity
// is an error; `out` is then unchanged.
absl::Status AppendKaldiBinary(TensorView<const float, 2> matrix, KaldiCompression compression, std::string* out);
// The same as text, with Kaldi's 7 digits: reading it back is close, not the same bits.
void AppendKaldiText(TensorView<const float, 2> matrix, std::string* out);

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_ENCODE_H_
