// Features in a file, whichever of the known formats it has.
#ifndef EARSHOT_DATA_FEATURE_FILE_H_
#define EARSHOT_DATA_FEATURE_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/tensor.h"

namespace earshot {

// The matrix [frames, dimensions] at a location as lists give it: a .npy file or an HTK file (recognised by their first
// bytes, HTK's by its name too), else Kaldi's: "x.ark:123", "x.ark:123[0:9]" or a file with one matrix. HTK's columns stay in the
// file's order. Errors as in data/npy.h, data/htk_file.h and data/kaldi_archive.h. Thread-safe.
absl::StatusOr<Tensor<float, 2>> ReadFeatureFile(const std::string& location);

// Whether a file of this name is taken for HTK's: *.htk, *.fea, *.fbk, *.mfc, *.plp.
bool HasHtkExtension(absl::string_view path);

}  // namespace earshot

#endif  // EARSHOT_DATA_FEATURE_FILE_H_
