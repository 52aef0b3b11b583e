#include "data/an4.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "data/kaldi_text.h"
#include "data/limits.h"

namespace earshot {
namespace {

std::string ListPath(const std::string& folder, const char* part, const char* kind) {
  return absl::StrCat(folder, "/etc/an4_", part, ".", kind);
}

// The lines of a list without white space at their ends; empty lines at the end of the file are dropped.
std::vector<absl::string_view> Lines(absl::string_view content) {
  std::vector<absl::string_view> lines;
  for (const absl::string_view line : absl::StrSplit(content, '\n')) {
    lines.push_back(absl::StripAsciiWhitespace(line));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// "<s> GO ON </s> (an4-fash-b)" -> "GO ON" and "an4-fash-b". False for another line.
bool ParseTranscription(absl::string_view line, std::string* text, absl::string_view* id) {
  std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  if (words.empty() || words.back().size() < 3 || words.back().front() != '(' || words.back().back() != ')') {
    return false;
  }
  *id = words.back().substr(1, words.back().size() - 2);
  words.pop_back();
  words.erase(std::remove_if(words.begin(), words.end(),
                             [](absl::string_view word) { return word == "<s>" || word == "</s>" || word == "<sil>"; }),
              words.end());
  *text = absl::StrJoin(words, " ");
  return true;
}

absl::StatusOr<std::string> FindAudio(const std::string& folder, const std::string& file_id) {
  const std::string stem = absl::StrCat(folder, "/wav/", file_id);
  for (const char* extension : {".flac", ".wav", ".sph"}) {
    if (IsRegularFile(absl::StrCat(stem, extension))) return absl::StrCat(stem, extension);
  }
  return absl::NotFoundError(absl::StrCat(stem, ": no file with this name and .flac, .wav or .sph"));
}

absl::StatusOr<std::vector<UtteranceSource>> ReadPart(const std::string& folder, const char* part,
                                                      std::set<std::string>* seen) {
  const std::string ids_path = ListPath(folder, part, "fileids");
  const std::string text_path = ListPath(folder, part, "transcription");
  ASSIGN_OR_RETURN(const std::string fileids, ReadFile(ids_path, kMaxAn4ListBytes));
  ASSIGN_OR_RETURN(const std::string transcription, ReadFile(text_path, kMaxAn4ListBytes));
  ASSIGN_OR_RETURN(std::vector<UtteranceSource> entries, ParseAn4Lists(fileids, ids_path, transcription, text_path));
  const std::vector<absl::string_view> file_ids = Lines(fileids);
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!seen->insert(entries[i].id).second) {
      return LineError(text_path, i + 1, "an utterance in one place only",
                       absl::StrCat(Quoted(entries[i].id), " again"));
    }
    ASSIGN_OR_RETURN(entries[i].audio, FindAudio(folder, std::string(file_ids[i])));
  }
  SortSources(&entries);
  return entries;
}

}  // namespace

absl::StatusOr<std::vector<UtteranceSource>> ParseAn4Lists(absl::string_view fileids, absl::string_view fileids_name,
                                                           absl::string_view transcription,
                                                           absl::string_view transcription_name) {
  const std::vector<absl::string_view> ids = Lines(fileids), texts = Lines(transcription);
  if (ids.size() != texts.size()) {
    return LineError(transcription_name, std::min(ids.size(), texts.size()) + 1,
                     absl::StrCat("as many lines as ", fileids_name, ", ", ids.size()), absl::StrCat(texts.size()));
  }
  std::vector<UtteranceSource> entries(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::vector<absl::string_view> path = absl::StrSplit(ids[i], '/');
    const std::string problem = IdProblem(ids[i]);
    if (path.size() < 2 || !problem.empty()) {
      return LineError(fileids_name, i + 1, "FOLDER/SPEAKER/UTTERANCE", problem.empty() ? Quoted(ids[i]) : problem);
    }
    absl::string_view id;
    if (!ParseTranscription(texts[i], &entries[i].text, &id)) {
      return LineError(transcription_name, i + 1, "words and \"(utterance id)\" at the end", Quoted(texts[i]));
    }
    if (id != path.back()) {
      return LineError(transcription_name, i + 1,
                       absl::StrCat("the utterance ", Quoted(path.back()), " of the fileids"), Quoted(id));
    }
    const size_t bad = FindUnprintable(entries[i].text, true);
    if (bad != absl::string_view::npos) {
      return LineError(transcription_name, i + 1, "printable UTF-8 and plain spaces",
                       CodePointName(absl::string_view(entries[i].text).substr(bad)));
    }
    entries[i].id = std::string(id);
    entries[i].speaker = std::string(path[path.size() - 2]);
  }
  return entries;
}

absl::StatusOr<CorpusSources> ListAn4(const std::string& folder) {
  std::set<std::string> seen;  // an utterance is in one part only
  CorpusSources corpus;
  corpus.kind = "an4";
  ASSIGN_OR_RETURN(corpus.train, ReadPart(folder, "train", &seen));
  ASSIGN_OR_RETURN(corpus.test, ReadPart(folder, "test", &seen));
  if (corpus.train.size() <= kAn4DevUtterances || corpus.test.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(folder, ": ", corpus.train.size(), " training and ",
                                                   corpus.test.size(), " test utterances, expected more than ",
                                                   kAn4DevUtterances, " and at least 1"));
  }
  const auto held_out = corpus.train.begin() + kAn4DevUtterances;
  corpus.dev.assign(std::make_move_iterator(corpus.train.begin()), std::make_move_iterator(held_out));
  corpus.train.erase(corpus.train.begin(), held_out);
  return corpus;
}

bool LooksLikeAn4(const std::string& folder) { return IsRegularFile(ListPath(folder, "train", "fileids")); }

}  // namespace earshot
