// Reads files and says what was in them, for differential.py: read_files FORMAT, paths on stdin, one a line. A line of
// output a path: "refused" and the message, or "ok" and for each array "NAME:SHAPE:VALUES" (of tensors: their bytes).
#include <cmath>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "asr/checkpoint/safetensors.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "base/tensor.h"
#include "data/audio_file.h"
#include "data/htk_file.h"
#include "data/kaldi_archive.h"
#include "data/npy.h"

namespace earshot {
namespace {

std::string Describe(absl::string_view name, const std::vector<int64_t>& shape, absl::Span<const float> values) {
  const auto print = [](std::string* out, float value) {
    absl::StrAppendFormat(out, "%.9g", std::isnan(value) ? std::abs(value) : value);  // no "-nan"
  };
  return absl::StrCat(" ", name, ":", absl::StrJoin(shape, "x"), ":", absl::StrJoin(values, ",", print));
}

std::string Describe(absl::string_view name, const Tensor<float, 2>& matrix) {
  return Describe(name, {matrix.dim(0), matrix.dim(1)}, matrix.span());
}

absl::StatusOr<std::string> ReadArchive(absl::string_view content, absl::string_view name) {
  KaldiArchiveReader reader(content, name);
  std::string key, all;
  Tensor<float, 2> matrix;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, reader.Next(&key, &matrix));
    if (!more) return all;
    all += Describe(key, matrix);
  }
}

absl::StatusOr<std::string> ReadTensors(absl::string_view content, absl::string_view name) {
  ASSIGN_OR_RETURN(const Safetensors file, ReadSafetensors(content, name));
  std::string all;
  for (const SafetensorsTensor& tensor : file.tensors) {
    absl::StrAppend(&all, " ", tensor.name, ":", absl::StrJoin(tensor.shape, "x"), ":",
                    absl::BytesToHexString(tensor.data));
  }
  return all;
}

absl::StatusOr<std::string> Read(absl::string_view format, absl::string_view content, absl::string_view name) {
  if (format == "ark") return ReadArchive(content, name);
  if (format == "safetensors") return ReadTensors(content, name);
  if (format == "npy") {
    ASSIGN_OR_RETURN(const auto matrix, DecodeNpy(content, name));
    return Describe("", matrix);
  }
  if (format == "htk") {
    ASSIGN_OR_RETURN(const HtkFeatures htk, DecodeHtk(content, name));
    return Describe("", htk.features);
  }
  if (format == "audio") {
    ASSIGN_OR_RETURN(const Audio audio, DecodeAudio(content, name));
    return Describe(absl::StrCat(audio.sample_rate), {static_cast<int64_t>(audio.waveform.size())}, audio.waveform);
  }
  return absl::InvalidArgumentError(absl::StrCat("format ", format, ", expected ark, audio, htk, npy or safetensors"));
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (std::string path; std::getline(std::cin, path);) {
    const absl::StatusOr<std::string> content = earshot::ReadFile(path, 1 << 24);
    const auto read = content.ok() ? earshot::Read(argv[1], *content, path) : content.status();
    if (read.ok()) {
      std::cout << "ok" << *read << "\n";
    } else {
      std::cout << "refused " << read.status().message() << "\n";
    }
  }
  return 0;
}
