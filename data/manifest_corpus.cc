#include "data/manifest_corpus.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/json.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/unique_ids.h"

namespace earshot {
namespace {

constexpr char kParts[][6] = {"train", "dev", "test"};

// The parts that a file name has words of; usually none or one.
std::vector<std::string> PartsOf(const std::string& name) {
  std::vector<std::string> parts;
  std::vector<std::string> words = absl::StrSplit(absl::AsciiStrToLower(name), absl::ByAnyChar("-_."));
  for (std::string& word : words) {
    if (word == "valid" || word == "validation" || word == "val") word = "dev";
    const bool is_part = std::find(std::begin(kParts), std::end(kParts), word) != std::end(kParts);
    if (is_part && std::find(parts.begin(), parts.end(), word) == parts.end()) parts.push_back(word);
  }
  return parts;
}

struct Candidates {
  std::map<std::string, std::vector<std::string>> of_part;  // file names
  std::vector<std::string> of_several;                      // names with the words of several parts
};

// The manifests of a folder; of each of Lhotse's pairs the supervisions.
absl::StatusOr<Candidates> FindManifests(const std::string& folder) {
  Candidates candidates;
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListFiles(folder));
  for (const std::string& name : names) {
    const std::vector<std::string> parts = PartsOf(name);
    if (parts.empty()) continue;
    const std::string path = absl::StrCat(folder, "/", name);
    const absl::StatusOr<ManifestKind> kind = RecognizeManifestFile(path);
    if (!kind.ok()) continue;
    if (*kind == ManifestKind::kLhotseRecordings && !LhotsePartner(path, *kind).empty()) continue;
    if (parts.size() == 1) {
      candidates.of_part[parts[0]].push_back(name);
    } else {
      candidates.of_several.push_back(name);
    }
  }
  return candidates;
}

absl::Status FolderError(const std::string& folder, absl::string_view expected, absl::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat(folder, ": expected ", expected, ", found ", found));
}

std::string QuotedNames(const std::vector<std::string>& names) {
  return absl::StrJoin(names, ", ", [](std::string* out, const std::string& name) { out->append(Quoted(name)); });
}

absl::Status CheckCandidates(const std::string& folder, const Candidates& candidates) {
  if (!candidates.of_several.empty()) {
    return FolderError(folder, "manifests whose names have the word of one part", QuotedNames(candidates.of_several));
  }
  for (const auto& [part, names] : candidates.of_part) {
    if (names.size() > 1) {
      return FolderError(folder, absl::StrCat("one manifest with the word ", part, " in its name"), QuotedNames(names));
    }
  }
  for (const char* part : {"train", "test"}) {
    if (candidates.of_part.count(part) > 0) continue;
    std::vector<std::string> others;
    for (const auto& [other, names] : candidates.of_part) others.push_back(names[0]);
    return FolderError(folder, absl::StrCat("a manifest with the word ", part, " in its name"),
                       others.empty() ? "none" : absl::StrCat("only ", QuotedNames(others)));
  }
  return absl::OkStatus();
}

// Ids and audio of the parts so far.
class PartsApart {
 public:
  explicit PartsApart(const std::string& folder) : folder_(folder) {}

  // `made`: some ids come from file names, and may be changed.
  absl::Status Add(bool made, std::vector<UtteranceSource>* sources) {
    std::vector<std::string> audio;
    for (UtteranceSource& source : *sources) {
      // To the last bit: segments of a long recording may begin close to each other.
      audio.push_back(absl::StrCat(source.audio, "\n", JsonExactNumber(source.begin_seconds), " ", source.channel));
      if (audio_.contains(audio.back())) {
        return FolderError(folder_, "the audio of each utterance in one part",
                           absl::StrCat("that of ", Quoted(source.id), ", ", Quoted(source.audio), ", in two"));
      }
      if (ids_.Add(source.id)) continue;
      if (!made) return FolderError(folder_, "each utterance in one part", absl::StrCat(Quoted(source.id), " in two"));
      source.id = ids_.Make(std::string(source.id));
      ids_.Add(source.id);
    }
    audio_.insert(audio.begin(), audio.end());
    return absl::OkStatus();
  }

 private:
  const std::string& folder_;
  UniqueIds ids_;
  absl::flat_hash_set<std::string> audio_;
};

}  // namespace

absl::StatusOr<CorpusSources> ListManifests(const std::string& folder, const ManifestOptions& options) {
  ASSIGN_OR_RETURN(const Candidates candidates, FindManifests(folder));
  RETURN_IF_ERROR(CheckCandidates(folder, candidates));
  CorpusSources corpus;
  PartsApart apart(folder);
  for (const char* part : kParts) {
    const auto found = candidates.of_part.find(part);
    if (found == candidates.of_part.end()) continue;
    ASSIGN_OR_RETURN(Manifest manifest, ReadManifest(absl::StrCat(folder, "/", found->second[0]), options));
    if (corpus.kind.empty()) corpus.kind = manifest.kind;
    if (manifest.kind != corpus.kind) {
      return FolderError(folder, absl::StrCat("manifests of one kind, ", corpus.kind, " as for train"),
                         absl::StrCat(Quoted(found->second[0]), " of ", manifest.kind));
    }
    std::vector<UtteranceSource>& sources = part == kParts[0]   ? corpus.train
                                            : part == kParts[1] ? corpus.dev
                                                                : corpus.test;
    sources = std::move(manifest.utterances);
    RETURN_IF_ERROR(apart.Add(manifest.made_ids, &sources));
    corpus.warnings.insert(corpus.warnings.end(), manifest.warnings.begin(), manifest.warnings.end());
  }
  for (auto* sources : {&corpus.train, &corpus.dev, &corpus.test}) SortSources(sources);
  if (corpus.dev.empty()) RETURN_IF_ERROR(HoldOutDev(folder, &corpus));
  return corpus;
}

bool LooksLikeManifests(const std::string& folder) {
  if (!IsDirectory(folder)) return false;
  const absl::StatusOr<Candidates> candidates = FindManifests(folder);
  return candidates.ok() && (candidates->of_part.count("train") > 0 || !candidates->of_several.empty());
}

}  // namespace earshot
