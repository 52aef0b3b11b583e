#include "data/tokens.h"

#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "base/utf8.h"

namespace earshot {
namespace {

absl::Status CheckToken(TokenUnit unit, const std::string& token) {
  const char* kind = unit == TokenUnit::kWord ? "one word" : "one character";
  if (token.size() > kMaxTokenBytes) {
    return absl::InvalidArgumentError(absl::StrCat("token \"", token.substr(0, 32), "...\" has ", token.size(),
                                                   " bytes, expected at most ", kMaxTokenBytes));
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> parts, SplitIntoTokens(unit, token));
  if (parts.size() != 1 || parts[0] != token) {
    return absl::InvalidArgumentError(absl::StrCat("token \"", token, "\" is not ", kind));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> SplitIntoTokens(TokenUnit unit, absl::string_view text) {
  std::vector<std::string> tokens;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = CodePointBytes(text.substr(at));
    if (bytes == 0) return absl::InvalidArgumentError(absl::StrCat("byte ", at, " of \"", text, "\" is not UTF-8"));
    if (unit == TokenUnit::kCharacter) tokens.emplace_back(text.substr(at, bytes));
    at += bytes;
  }
  if (unit == TokenUnit::kWord) tokens = absl::StrSplit(text, absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty());
  return tokens;
}

absl::StatusOr<TokenTable> TokenTable::Create(TokenUnit unit, bool with_blank, std::vector<std::string> tokens) {
  if (tokens.empty()) return absl::InvalidArgumentError("tokens: the list is empty, expected at least one");
  TokenTable table;
  table.unit_ = unit;
  table.with_blank_ = with_blank;
  int32_t id = with_blank ? 1 : 0;
  for (const std::string& token : tokens) {
    RETURN_IF_ERROR(Annotate(CheckToken(unit, token), "tokens"));
    if (!table.ids_.emplace(token, id++).second) {
      return absl::InvalidArgumentError(absl::StrCat("tokens: \"", token, "\" is there twice"));
    }
  }
  table.tokens_ = std::move(tokens);
  return table;
}

absl::StatusOr<TokenTable> TokenTable::FromTexts(TokenUnit unit, bool with_blank, absl::Span<const std::string> texts) {
  std::set<std::string> found;
  for (const std::string& text : texts) {
    ASSIGN_OR_RETURN(const std::vector<std::string> tokens, SplitIntoTokens(unit, text));
    found.insert(tokens.begin(), tokens.end());
  }
  return Create(unit, with_blank, std::vector<std::string>(found.begin(), found.end()));
}

absl::StatusOr<std::vector<int32_t>> TokenTable::Encode(absl::string_view text, absl::string_view utterance_id) const {
  auto tokens = SplitIntoTokens(unit_, text);
  if (!tokens.ok()) return Annotate(tokens.status(), absl::StrCat("utterance \"", utterance_id, "\""));
  std::vector<int32_t> ids;
  ids.reserve(tokens->size());
  for (const std::string& token : *tokens) {
    const auto found = ids_.find(token);
    if (found == ids_.end()) {
      return absl::NotFoundError(
          absl::StrCat("utterance \"", utterance_id, "\": \"", token, "\" is none of the ", tokens_.size(), " tokens"));
    }
    ids.push_back(found->second);
  }
  return ids;
}

std::vector<int32_t> TokenTable::EncodeKnown(absl::string_view text) const {
  std::vector<int32_t> ids;
  const auto tokens = SplitIntoTokens(unit_, text);
  if (!tokens.ok()) return ids;
  for (const std::string& token : *tokens) {
    const auto found = ids_.find(token);
    if (found != ids_.end()) ids.push_back(found->second);
  }
  return ids;
}

std::string TokenTable::Decode(absl::Span<const int32_t> ids) const {
  std::vector<absl::string_view> parts;
  for (const int32_t id : ids) {
    CHECK(id >= 0 && id < num_classes()) << "token id " << id;
    if (with_blank_ && id == 0) continue;
    parts.push_back(tokens_[id - (with_blank_ ? 1 : 0)]);
  }
  return absl::StrJoin(parts, unit_ == TokenUnit::kWord ? " " : "");
}

}  // namespace earshot
