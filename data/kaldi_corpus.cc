#include "data/kaldi_corpus.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

using Sources = std::vector<UtteranceSource>;

absl::StatusOr<Sources> ReadPart(const std::string& folder, const KaldiOptions& options,
                                 std::vector<std::string>* warnings) {
  if (!IsRegularFile(absl::StrCat(folder, "/text"))) {
    return absl::NotFoundError(absl::StrCat(folder, "/text: no such file; it has the words of the utterances"));
  }
  ASSIGN_OR_RETURN(KaldiDirectory directory, ReadKaldiDirectory(folder, options));
  std::move(directory.warnings.begin(), directory.warnings.end(), std::back_inserter(*warnings));
  SortSources(&directory.utterances);
  return std::move(directory.utterances);
}

}  // namespace

absl::StatusOr<CorpusSources> ListKaldi(const std::string& folder, const KaldiOptions& options) {
  const auto inner = [&folder](const char* name) { return absl::StrCat(folder, "/", name); };
  CorpusSources corpus;
  corpus.kind = "kaldi";
  ASSIGN_OR_RETURN(corpus.train, ReadPart(inner("train"), options, &corpus.warnings));
  ASSIGN_OR_RETURN(corpus.test, ReadPart(inner("test"), options, &corpus.warnings));
  for (const char* name : {"dev", "valid", "validation", "train_dev"}) {
    if (!corpus.dev.empty() || !LooksLikeKaldiDirectory(inner(name))) continue;
    ASSIGN_OR_RETURN(corpus.dev, ReadPart(inner(name), options, &corpus.warnings));
  }
  if (corpus.dev.empty()) RETURN_IF_ERROR(HoldOutDev(folder, &corpus));
  RETURN_IF_ERROR(CheckPartsApart(folder, corpus));
  return corpus;
}

bool LooksLikeKaldiCorpus(const std::string& folder) { return LooksLikeKaldiDirectory(absl::StrCat(folder, "/train")); }

}  // namespace earshot
