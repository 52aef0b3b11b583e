#include "data/feature_file.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "base/input_file.h"
#include "base/status_macros.h"
#include "data/htk_file.h"
#include "data/kaldi_archive.h"
#include "data/npy.h"

namespace earshot {

bool HasHtkExtension(absl::string_view path) {
  const std::string lower = absl::AsciiStrToLower(path);
  for (const char* extension : {".htk", ".fea", ".fbk", ".mfc", ".plp"}) {
    if (absl::EndsWith(lower, extension)) return true;
  }
  return false;
}

absl::StatusOr<Tensor<float, 2>> ReadFeatureFile(const std::string& location) {
  if (HasHtkExtension(location)) {
    ASSIGN_OR_RETURN(HtkFeatures htk, ReadHtk(location));
    return std::move(htk.features);
  }
  const absl::StatusOr<std::unique_ptr<InputFile>> file = InputFile::Open(location);
  char start[6] = {};
  if (file.ok()) RETURN_IF_ERROR((*file)->Read(0, std::min<int64_t>((*file)->size(), sizeof(start)), start));
  if (LooksLikeNpy(absl::string_view(start, sizeof(start)))) return ReadNpy(location);
  return ReadKaldiMatrix(location);
}

}  // namespace earshot
