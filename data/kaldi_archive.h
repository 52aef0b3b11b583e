// Kaldi's archives ("ark": a key, a space and an object, again and again) and the single objects that scp files point
// at. The objects: data/kaldi_matrix.h; locations and ranges: data/kaldi_location.h.
#ifndef EARSHOT_DATA_KALDI_ARCHIVE_H_
#define EARSHOT_DATA_KALDI_ARCHIVE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/input_file.h"
#include "base/tensor.h"
#include "data/byte_window.h"
#include "data/kaldi_location.h"

namespace earshot {

// Reads an archive from its first entry to its last; binary and text entries may be mixed. Of a file, no more than an
// entry is held in memory. Errors: "PATH: byte N: expected X, found Y".
class KaldiArchiveReader {
 public:
  // `content` and `name` outlive the reader.
  KaldiArchiveReader(absl::string_view content, absl::string_view name) : window_(content, name) {}
  static absl::StatusOr<std::unique_ptr<KaldiArchiveReader>> Open(const std::string& path);

  // The next entry; false at the end. `matrix` keeps its memory where that is large enough.
  absl::StatusOr<bool> Next(std::string* key, Tensor<float, 2>* matrix);

 private:
  explicit KaldiArchiveReader(std::unique_ptr<InputFile> file);

  std::unique_ptr<InputFile> file_;
  ByteWindow window_;
};

// The matrix at a location of an scp file. Only the bytes that it needs are read: of a row range those rows, of a text
// matrix all of it. An offset that is not an object's first byte is an error. Without an offset the file holds this one
// object and nothing else. Thread-safe.
absl::StatusOr<Tensor<float, 2>> ReadKaldiMatrix(const std::string& location);

// The content of a file that holds one object and nothing else.
absl::StatusOr<Tensor<float, 2>> DecodeKaldiMatrix(absl::string_view content, absl::string_view name);

// Reads matrices of many locations; of consecutive ones in the same file, that file is opened once.
class KaldiLocationReader {
 public:
  // As ReadKaldiMatrix. `matrix` keeps its memory where that is large enough.
  absl::Status Read(const std::string& location, Tensor<float, 2>* matrix);

 private:
  std::unique_ptr<InputFile> file_;
};

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_ARCHIVE_H_
