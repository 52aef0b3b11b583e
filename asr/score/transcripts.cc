#include "asr/score/transcripts.h"

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/check.h"
#include "base/read_error.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

constexpr absl::string_view kByteOrderMark = "\xef\xbb\xbf";

bool IsComment(absl::string_view line) { return absl::StartsWith(line, ";;"); }

// The next line, without white space at its ends.
absl::string_view TakeLine(absl::string_view* rest) {
  const size_t end = rest->find('\n');
  const absl::string_view line = rest->substr(0, end);
  rest->remove_prefix(end == absl::string_view::npos ? rest->size() : end + 1);
  return absl::StripAsciiWhitespace(line);
}

// Cuts "WORDS (ID)" in two. False for another line.
bool SplitTrnLine(absl::string_view line, absl::string_view* words, absl::string_view* id) {
  if (!absl::ConsumeSuffix(&line, ")")) return false;
  const size_t open = line.rfind('(');
  if (open == absl::string_view::npos || (open > 0 && !absl::ascii_isspace(line[open - 1]))) return false;
  *words = line.substr(0, open);
  *id = line.substr(open + 1);
  return !id->empty() && id->find_first_of(" \t") == absl::string_view::npos;
}

// Most lines end in a word in parentheses, and in another one each: "(laughs)" and "(noise)" at many ends are no ids.
bool LooksLikeTrn(absl::string_view content) {
  size_t trn = 0, other = 0;
  absl::flat_hash_set<absl::string_view> ids;
  absl::string_view words, id;
  while (!content.empty()) {
    const absl::string_view line = TakeLine(&content);
    if (line.empty() || IsComment(line)) continue;
    if (SplitTrnLine(line, &words, &id)) {
      ++trn;
      ids.insert(id);
    } else {
      ++other;
    }
  }
  return trn > other && 2 * ids.size() >= trn;
}

// The same lines as "ID WORDS", comments empty.
absl::StatusOr<std::string> TrnToText(absl::string_view content, absl::string_view name) {
  std::string text;
  text.reserve(content.size() + 1);
  for (int64_t number = 1; !content.empty(); ++number) {
    const absl::string_view line = TakeLine(&content);
    absl::string_view words, id;
    if (!line.empty() && !IsComment(line)) {
      if (!SplitTrnLine(line, &words, &id)) {
        return LineError(name, number, "words and \"(id)\" at the end", Quoted(line));
      }
      absl::StrAppend(&text, id, " ", words);
    }
    text.push_back('\n');
  }
  return text;
}

}  // namespace

absl::StatusOr<Transcripts> Transcripts::Parse(absl::string_view content, absl::string_view name) {
  absl::ConsumePrefix(&content, kByteOrderMark);
  const bool trn = LooksLikeTrn(content);
  auto text = std::make_unique<std::string>();
  if (trn) {
    ASSIGN_OR_RETURN(*text, TrnToText(content, name));
  } else {
    text->assign(content.data(), content.size());
  }
  KaldiTextOptions options;
  options.values_may_be_empty = true;
  options.values_are_words = true;
  std::vector<std::string> unusual;  // all of it is fine here
  ASSIGN_OR_RETURN(KaldiTextFile table, KaldiTextFile::Parse(*text, name, options, &unusual));
  return Transcripts(std::move(text), trn, std::move(table));
}

std::map<std::string, std::string> Transcripts::texts() const {
  std::map<std::string, std::string> texts;
  for (int64_t i = 0; i < table_.size(); ++i) {
    texts.emplace_hint(texts.end(), std::string(table_.id(i)), std::string(table_.value(i)));
  }
  return texts;
}

absl::Status Transcripts::Error(absl::string_view id, absl::string_view expected, absl::string_view found) const {
  const int64_t i = table_.Find(id);
  CHECK(i >= 0) << id;
  return table_.Error(i, expected, found);
}

}  // namespace earshot
