// Text protobufs with a nesting limit: the only place that calls protobuf's text parser (its own default limit is so
// large that a nested file of some hundred kilobytes overflows the stack).
#ifndef EARSHOT_BASE_TEXTPROTO_H_
#define EARSHOT_BASE_TEXTPROTO_H_

#include <google/protobuf/message.h>

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace earshot {

constexpr int kTextprotoMaxDepth = 64;
constexpr int64_t kTextprotoMaxBytes = 1 << 20;

// Replaces `message` by what `text` says. Errors: "NAME:LINE:COLUMN: what is wrong", the first
// one, or "NAME: byte N: expected X, found Y" for a text that is too long.
absl::Status ParseTextproto(absl::string_view text, absl::string_view name, google::protobuf::Message* message);

// The same for a file.
absl::Status ReadTextproto(const std::string& path, google::protobuf::Message* message);

// Puts `text` over `message`: scalars replace, messages merge field by field, repeated fields are replaced as a whole.
absl::Status MergeTextproto(absl::string_view text, absl::string_view name, google::protobuf::Message* message);

// `message` as text, one field a line.
std::string PrintTextproto(const google::protobuf::Message& message);

}  // namespace earshot

#endif  // EARSHOT_BASE_TEXTPROTO_H_
