#include "base/read_error.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

constexpr size_t kMaxQuoted = 60;

}  // namespace

absl::Status ByteError(absl::string_view name, int64_t byte, absl::string_view expected, absl::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat(name, ": byte ", byte, ": expected ", expected, ", found ", found));
}

absl::Status LineError(absl::string_view name, int64_t line, absl::string_view expected, absl::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat(name, ":", line, ": expected ", expected, ", found ", found));
}

std::string Quoted(absl::string_view text) {
  return absl::StrCat("\"", absl::CHexEscape(text.substr(0, kMaxQuoted)), text.size() > kMaxQuoted ? "\"..." : "\"");
}

}  // namespace earshot
