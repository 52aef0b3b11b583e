#include "data/an4.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "data/file_dataset.h"

namespace earshot {
namespace {

constexpr int64_t kMaxListBytes = 64 << 20;

std::string ListPath(const std::string& folder, const char* part, const char* kind) {
  return absl::StrCat(folder, "/etc/an4_", part, ".", kind);
}

// The lines of a file without white space at their ends; empty lines at the end of the file are dropped.
absl::StatusOr<std::vector<std::string>> ReadLines(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string content, ReadFile(path, kMaxListBytes));
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(content, '\n')) {
    lines.emplace_back(absl::StripAsciiWhitespace(line));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// "<s> GO ON </s> (an4-fash-b)" -> "GO ON" and "an4-fash-b".
absl::Status ParseTranscription(absl::string_view line, std::string* text, std::string* id) {
  std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  if (words.empty() || words.back().size() < 3 || words.back().front() != '(' || words.back().back() != ')') {
    return absl::InvalidArgumentError(
        absl::StrCat("expected words and \"(utterance id)\" at the end, found \"", line, "\""));
  }
  *id = std::string(words.back().substr(1, words.back().size() - 2));
  words.pop_back();
  words.erase(std::remove_if(words.begin(), words.end(),
                             [](absl::string_view word) { return word == "<s>" || word == "</s>" || word == "<sil>"; }),
              words.end());
  *text = absl::StrJoin(words, " ");
  return absl::OkStatus();
}

absl::StatusOr<std::string> FindAudio(const std::string& folder, const std::string& file_id) {
  const std::string stem = absl::StrCat(folder, "/wav/", file_id);
  for (const char* extension : {".flac", ".wav", ".sph"}) {
    if (IsRegularFile(absl::StrCat(stem, extension))) return absl::StrCat(stem, extension);
  }
  return absl::NotFoundError(absl::StrCat(stem, ": no file with this name and .flac, .wav or .sph"));
}

absl::StatusOr<UtteranceSource> MakeEntry(const std::string& folder, const std::string& file_id,
                                          const std::string& transcription, const std::string& where) {
  const std::vector<std::string> path = absl::StrSplit(file_id, '/');
  UtteranceSource entry;
  std::string id;
  RETURN_IF_ERROR(Annotate(ParseTranscription(transcription, &entry.text, &id), where));
  if (path.size() < 2 || std::count(path.begin(), path.end(), "..") > 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": file id \"", file_id, "\", expected FOLDER/SPEAKER/UTTERANCE"));
  }
  if (path.back() != id) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": is of utterance \"", id, "\", but this line of the fileids is \"", file_id, "\""));
  }
  entry.speaker = path[path.size() - 2];
  entry.id = id;
  ASSIGN_OR_RETURN(entry.audio, FindAudio(folder, file_id));
  return entry;
}

absl::StatusOr<std::vector<UtteranceSource>> ReadPart(const std::string& folder, const char* part,
                                                      std::set<std::string>* seen) {
  const std::string ids_path = ListPath(folder, part, "fileids");
  const std::string text_path = ListPath(folder, part, "transcription");
  ASSIGN_OR_RETURN(const std::vector<std::string> ids, ReadLines(ids_path));
  ASSIGN_OR_RETURN(const std::vector<std::string> texts, ReadLines(text_path));
  if (ids.size() != texts.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(text_path, ": ", texts.size(), " lines, but ", ids_path, " has ", ids.size()));
  }
  std::vector<UtteranceSource> entries;
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string where = absl::StrCat(text_path, ":", i + 1);
    ASSIGN_OR_RETURN(UtteranceSource entry, MakeEntry(folder, ids[i], texts[i], where));
    if (!seen->insert(entry.id).second) {
      return absl::InvalidArgumentError(absl::StrCat(where, ": utterance \"", entry.id, "\" is there twice"));
    }
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(), [](const UtteranceSource& a, const UtteranceSource& b) {
    return std::tie(a.speaker, a.id) < std::tie(b.speaker, b.id);
  });
  return entries;
}

}  // namespace

absl::StatusOr<Corpus> OpenAn4(const std::string& folder) {
  std::set<std::string> seen;  // an utterance is in one part only
  ASSIGN_OR_RETURN(std::vector<UtteranceSource> train, ReadPart(folder, "train", &seen));
  ASSIGN_OR_RETURN(std::vector<UtteranceSource> test, ReadPart(folder, "test", &seen));
  if (train.size() <= kAn4DevUtterances || test.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(folder, ": ", train.size(), " training and ", test.size(),
                                                   " test utterances, expected more than ", kAn4DevUtterances,
                                                   " and at least 1"));
  }
  std::vector<UtteranceSource> dev(std::make_move_iterator(train.begin()),
                                   std::make_move_iterator(train.begin() + kAn4DevUtterances));
  train.erase(train.begin(), train.begin() + kAn4DevUtterances);
  Corpus corpus;
  corpus.kind = "an4";
  corpus.train = std::make_unique<FileDataset>(std::move(train));
  corpus.dev = std::make_unique<FileDataset>(std::move(dev));
  corpus.test = std::make_unique<FileDataset>(std::move(test));
  return corpus;
}

bool LooksLikeAn4(const std::string& folder) { return IsRegularFile(ListPath(folder, "train", "fileids")); }

}  // namespace earshot
