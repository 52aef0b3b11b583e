#include "data/convert.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/check.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "data/corpus.h"
#include "data/file_dataset.h"
#include "data/kaldi_dir.h"
#include "data/kaldi_writer.h"
#include "data/manifest.h"
#include "data/manifest_writer.h"

namespace earshot {
namespace {

constexpr const char* kKinds[] = {"kaldi", "nemo", "lhotse", "lhotse-cuts", "tsv"};

// A list to be written, and where to.
struct List {
  std::string path;
  std::vector<UtteranceSource> sources;
};

bool IsThere(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0;
}

// Where a part of a corpus goes.
std::string PartPath(const std::string& folder, const std::string& to, const char* part) {
  if (to == "kaldi") return absl::StrCat(folder, "/", part);
  if (to == "nemo") return absl::StrCat(folder, "/", part, ".jsonl");
  if (to == "tsv") return absl::StrCat(folder, "/", part, ".tsv");
  return absl::StrCat(folder, to == "lhotse" ? "/supervisions_" : "/cuts_", part, ".jsonl.gz");
}

ManifestKind KindToWrite(const std::string& to, const std::string& path) {
  if (to == "nemo") return ManifestKind::kNemo;
  if (to == "tsv") return ManifestKind::kTsv;
  if (to == "lhotse-cuts") return ManifestKind::kLhotseCuts;
  CHECK(to == "lhotse") << to;
  return LhotsePartnerName(path, ManifestKind::kLhotseRecordings).empty() ? ManifestKind::kLhotseSupervisions
                                                                          : ManifestKind::kLhotseRecordings;
}

absl::Status CheckAbsent(const std::string& path) {
  if (!IsThere(path)) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(path, ": is already there, expected a new name for the output"));
}

absl::Status CheckOutput(const std::string& to, const std::string& path) {
  RETURN_IF_ERROR(CheckAbsent(path));
  if (to != "lhotse") return absl::OkStatus();
  const std::string partner = LhotsePartnerName(path, KindToWrite(to, path));
  return partner.empty() ? absl::OkStatus() : CheckAbsent(partner);
}

absl::Status Write(const std::string& to, const List& list, std::vector<std::string>* warnings) {
  if (to == "kaldi") return WriteKaldiDirectory(list.path, list.sources);
  const size_t slash = list.path.rfind('/');
  if (slash != std::string::npos && slash > 0) RETURN_IF_ERROR(MakeDirectories(list.path.substr(0, slash)));
  return WriteManifest(KindToWrite(to, list.path), list.sources, list.path, warnings);
}

// Takes away a list that this run has written: what is there again by the next run is complete.
void Discard(const std::string& to, const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
  if (to == "lhotse") std::filesystem::remove(LhotsePartnerName(path, KindToWrite(to, path)), ignored);
}

// The lists of the input, with the paths that they get.
absl::StatusOr<std::vector<List>> ReadInput(const ConvertOptions& options, Conversion* conversion) {
  const std::string input = UserPath(options.input), output = UserPath(options.output);
  std::vector<List> lists;
  if (IsRegularFile(input)) {
    ManifestOptions manifest_options;
    manifest_options.allow_commands = options.allow_commands;
    ASSIGN_OR_RETURN(Manifest manifest, ReadManifest(input, manifest_options));
    conversion->from = manifest.kind;
    conversion->warnings = std::move(manifest.warnings);
    lists.push_back({output, std::move(manifest.utterances)});
    return lists;
  }
  if (LooksLikeKaldiDirectory(input) && !LooksLikeCorpus(input)) {
    KaldiOptions kaldi_options;
    kaldi_options.allow_commands = options.allow_commands;
    ASSIGN_OR_RETURN(KaldiDirectory directory, ReadKaldiDirectory(input, kaldi_options));
    conversion->from = "kaldi";
    conversion->warnings = std::move(directory.warnings);
    lists.push_back({output, std::move(directory.utterances)});
    return lists;
  }
  CorpusOptions corpus_options;
  corpus_options.allow_commands = options.allow_commands;
  ASSIGN_OR_RETURN(CorpusSources corpus, ListCorpus(input, corpus_options));
  conversion->from = corpus.kind;
  conversion->warnings = std::move(corpus.warnings);
  lists.push_back({PartPath(output, options.to, "train"), std::move(corpus.train)});
  lists.push_back({PartPath(output, options.to, "dev"), std::move(corpus.dev)});
  lists.push_back({PartPath(output, options.to, "test"), std::move(corpus.test)});
  return lists;
}

}  // namespace

absl::Span<const char* const> ListKinds() { return kKinds; }

absl::StatusOr<Conversion> Convert(const ConvertOptions& options) {
  if (std::find(std::begin(kKinds), std::end(kKinds), options.to) == std::end(kKinds)) {
    return absl::InvalidArgumentError(
        absl::StrCat("kind \"", options.to, "\", expected one of ", absl::StrJoin(kKinds, ", ")));
  }
  Conversion conversion;
  ASSIGN_OR_RETURN(const std::vector<List> lists, ReadInput(options, &conversion));
  for (const List& list : lists) RETURN_IF_ERROR(CheckOutput(options.to, list.path));
  for (const List& list : lists) {
    const absl::Status written = Write(options.to, list, &conversion.warnings);
    if (!written.ok()) {
      for (const ConvertedList& other : conversion.lists) Discard(options.to, other.path);
      return written;
    }
    conversion.lists.push_back({list.path, static_cast<int64_t>(list.sources.size())});
  }
  return conversion;
}

}  // namespace earshot
