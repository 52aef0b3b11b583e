// The output symbols of a recogniser: words or characters, and their ids.
#ifndef EARSHOT_DATA_TOKENS_H_
#define EARSHOT_DATA_TOKENS_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace earshot {

enum class TokenUnit {
  kWord,       // separated by spaces in a text
  kCharacter,  // Unicode code points of UTF-8; the space between words is a token like any other
};

// Bytes of one token at most.
constexpr size_t kMaxTokenBytes = 255;

class TokenTable {
 public:
  // `tokens` get ids in their order, from 1 when `with_blank` (id 0 is CTC's blank), else from 0 (classes).
  // InvalidArgument names the token that is empty, double, too long, not one word or not one code point.
  static absl::StatusOr<TokenTable> Create(TokenUnit unit, bool with_blank, std::vector<std::string> tokens);
  // The same for the tokens that occur in `texts`, sorted by their bytes.
  static absl::StatusOr<TokenTable> FromTexts(TokenUnit unit, bool with_blank, absl::Span<const std::string> texts);

  int num_classes() const { return static_cast<int>(tokens_.size()) + (with_blank_ ? 1 : 0); }
  // Without the blank, in the order of their ids.
  const std::vector<std::string>& tokens() const { return tokens_; }

  // The ids of a text; empty for an empty one. A token that is not in the table is NotFound, with `utterance_id`.
  absl::StatusOr<std::vector<int32_t>> Encode(absl::string_view text, absl::string_view utterance_id) const;
  // The same without the tokens that are not in the table: for texts that are only scored.
  std::vector<int32_t> EncodeKnown(absl::string_view text) const;
  // The text of ids in [0, num_classes()). A blank adds nothing.
  std::string Decode(absl::Span<const int32_t> ids) const;

 private:
  TokenTable() = default;

  TokenUnit unit_ = TokenUnit::kWord;
  bool with_blank_ = true;
  std::vector<std::string> tokens_;
  std::unordered_map<std::string, int32_t> ids_;
};

// Cuts a text into words or code points. A byte that is not UTF-8 is InvalidArgument with its offset.
absl::StatusOr<std::vector<std::string>> SplitIntoTokens(TokenUnit unit, absl::string_view text);

}  // namespace earshot

#endif  // EARSHOT_DATA_TOKENS_H_
