// Copies a table of matrices, for tools/check_archives.py: copy_archive [--compression_method=N] RSPECIFIER WSPECIFIER.
#include <gflags/gflags.h>

#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "data/kaldi_table.h"

DEFINE_int32(compression_method, 0, "Kaldi's number of a method, 1 to 7; 0: not compressed");

namespace earshot {
namespace {

absl::Status Copy(const std::string& from, const std::string& to, int method) {
  if (method < 0 || method > 7) return absl::InvalidArgumentError("--compression_method: expected 0 to 7");
  ASSIGN_OR_RETURN(const auto reader, KaldiTableReader::Open(from));
  ASSIGN_OR_RETURN(const auto writer, KaldiTableWriter::Open(to, static_cast<KaldiCompression>(method)));
  std::string key;
  Tensor<float, 2> matrix;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, reader->Next(&key, &matrix));
    if (!more) break;
    RETURN_IF_ERROR(writer->Write(key, matrix.view()));
  }
  if (reader->skipped() > 0) std::cerr << "skipped " << reader->skipped() << std::endl;
  return writer->Close();
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) {
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  if (argc != 3) {
    std::cerr << "usage: copy_archive [--compression_method=N] RSPECIFIER WSPECIFIER" << std::endl;
    return 2;
  }
  const absl::Status status = earshot::Copy(argv[1], argv[2], FLAGS_compression_method);
  if (status.ok()) return 0;
  std::cerr << "error: " << status.message() << std::endl;
  return 1;
}
