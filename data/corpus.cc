#include "data/corpus.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "data/an4.h"
#include "data/file_dataset.h"

namespace earshot {

absl::StatusOr<Corpus> OpenCorpus(const std::string& path, const CorpusOptions& options) {
  if (path.empty()) {
    return options.without_path == CorpusOptions::Default::kSpokenDigits
               ? OpenSpokenDigits(options.spoken_digits, options.max_digits)
               : OpenSpokenSentences(options.spoken_sentences);
  }
  if (IsDirectory(path)) {
    if (LooksLikeAn4(path)) return OpenAn4(path);
    if (LooksLikeFsdd(path)) return OpenFsdd(path, options.fsdd);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": ", IsDirectory(path) ? "not a corpus of a known kind" : "no such folder",
      "; expected FSDD (files {digit}_{speaker}_{take}.wav in it or in recordings/) or AN4 (etc/an4_train.fileids)"));
}

}  // namespace earshot
