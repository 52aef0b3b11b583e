// Whole tables of matrices, named as Kaldi's programs name them.
//
//   to read    ark:FILE          an archive (binary and text entries; no ",t" is needed)
//              scp:FILE          what an scp file points at; the scp is read once, an archive that consecutive entries
//                                share is opened once
//              scp,p:FILE        the same, permissive: entries that cannot be read are skipped and counted
//   to write   ark:FILE          binary
//              ark,t:FILE        text
//              ark,scp:ARK,SCP   and an scp that points into the archive; ark,t,scp: in text
//
// Kaldi's other options (s, cs, o, bg, b, nf, ...) are accepted and change nothing. Commands and "-" are refused.
#ifndef EARSHOT_DATA_KALDI_TABLE_H_
#define EARSHOT_DATA_KALDI_TABLE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/file_writer.h"
#include "base/tensor.h"
#include "data/kaldi_archive.h"
#include "data/kaldi_compression.h"
#include "data/kaldi_scp.h"

namespace earshot {

// Whether `text` is one of these, perhaps with mistakes, and no path: "ark" or "scp", and options, in front of a colon.
bool LooksLikeKaldiTable(absl::string_view text);

class KaldiTableReader {
 public:
  static absl::StatusOr<std::unique_ptr<KaldiTableReader>> Open(const std::string& rspecifier);

  // The next entry; false at the end. `matrix` keeps its memory where that is large enough. Errors of an scp entry
  // start with "SCP: key "KEY": ".
  absl::StatusOr<bool> Next(std::string* key, Tensor<float, 2>* matrix);

  int64_t skipped() const { return skipped_; }                        // entries, of a permissive scp
  const absl::Status& last_skipped() const { return last_skipped_; }  // why the last of them was

 private:
  KaldiTableReader() = default;

  std::unique_ptr<KaldiArchiveReader> archive_;  // of "ark:"; null for "scp:"
  std::string scp_;
  std::vector<ScpEntry> entries_;
  size_t next_ = 0;
  KaldiLocationReader reader_;
  bool permissive_ = false;
  int64_t skipped_ = 0;
  absl::Status last_skipped_;
};

class KaldiTableWriter {
 public:
  // Files appear under their names in Close, whole: the archive, then the scp. Without Close there are none. The scp
  // names the archive as `wspecifier` does. Text is never compressed.
  static absl::StatusOr<std::unique_ptr<KaldiTableWriter>> Open(const std::string& wspecifier,
                                                                KaldiCompression compression = KaldiCompression::kNone);

  // `key` is an id (IdProblem in data/kaldi_text.h); that keys differ is up to the caller.
  absl::Status Write(absl::string_view key, TensorView<const float, 2> matrix);
  const std::string& last_location() const { return last_location_; }  // of the last matrix, as an scp has it
  absl::Status Close();

 private:
  KaldiTableWriter() = default;

  std::unique_ptr<FileWriter> ark_, scp_;  // scp_ is null without one
  bool text_ = false;
  KaldiCompression compression_ = KaldiCompression::kNone;
  std::string entry_, last_location_;  // reused
};

}  // namespace earshot

#endif  // EARSHOT_DATA_KALDI_TABLE_H_
