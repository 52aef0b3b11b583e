#include "data/corpus.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "data/an4.h"
#include "data/kaldi_corpus.h"
#include "data/manifest_corpus.h"

namespace earshot {

absl::StatusOr<Corpus> OpenCorpus(const std::string& path, const CorpusOptions& options) {
  if (!path.empty()) return OpenSources(ListCorpus(path, options));
  return options.without_path == CorpusOptions::Default::kSpokenDigits
             ? OpenSpokenDigits(options.spoken_digits, options.max_digits)
             : OpenSpokenSentences(options.spoken_sentences);
}

absl::StatusOr<CorpusSources> ListCorpus(const std::string& path, const CorpusOptions& options) {
  if (LooksLikeAn4(path)) return ListAn4(path);
  if (LooksLikeKaldiCorpus(path)) {
    KaldiOptions kaldi;
    kaldi.allow_commands = options.allow_commands;
    return ListKaldi(path, kaldi);
  }
  if (LooksLikeFsdd(path)) return ListFsdd(path, options.fsdd);
  if (LooksLikeManifests(path)) {
    ManifestOptions manifests;
    manifests.allow_commands = options.allow_commands;
    return ListManifests(path, manifests);
  }
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": ", IsDirectory(path) ? "not a corpus of a known kind" : "no such folder",
                   "; expected FSDD (files {digit}_{speaker}_{take}.wav in it or in recordings/), AN4 "
                   "(etc/an4_train.fileids), Kaldi data directories (train/wav.scp or train/feats.scp, and the same "
                   "for test and dev) or manifests of NeMo, Lhotse or TSV with the word train in their names"));
}

bool LooksLikeCorpus(const std::string& path) {
  return LooksLikeAn4(path) || LooksLikeKaldiCorpus(path) || LooksLikeFsdd(path) || LooksLikeManifests(path);
}

}  // namespace earshot
