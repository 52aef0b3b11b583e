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
namespace {

constexpr int64_t kBytesJudged = 12;  // HTK's header

}  // namespace

bool HasHtkExtension(absl::string_view path) {
  const std::string lower = absl::AsciiStrToLower(path);
  for (const char* extension : {".htk", ".fea", ".fbk", ".mfc", ".plp"}) {
    if (absl::EndsWith(lower, extension)) return true;
  }
  return false;
}

absl::StatusOr<Tensor<float, 2>> ReadFeatureFile(const std::string& location) {
  const absl::StatusOr<std::unique_ptr<InputFile>> file = InputFile::Open(location);  // not "x.ark:17"
  std::string head;
  if (file.ok()) {
    head.resize(std::min<int64_t>((*file)->size(), kBytesJudged));
    RETURN_IF_ERROR((*file)->Read(0, head.size(), &head[0]));
    if (LooksLikeNpy(head)) return ReadNpy(location);
  }
  if (HasHtkExtension(location) || (file.ok() && LooksLikeHtk(head, (*file)->size()))) {
    ASSIGN_OR_RETURN(HtkFeatures htk, ReadHtk(location));
    return std::move(htk.features);
  }
  return ReadKaldiMatrix(location);
}

}  // namespace earshot
