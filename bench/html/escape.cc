#include "bench/html/escape.h"

#include "absl/strings/ascii.h"
#include "base/utf8.h"

namespace earshot {
namespace {

constexpr char kReplacement[] = "\xEF\xBF\xBD";  // U+FFFD

// The reference that stands for an ASCII character, or nothing.
absl::string_view Reference(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

// U+FFFE and U+FFFF are UTF-8 but no characters of XML.
bool NoCharacter(absl::string_view code_point) { return code_point == "\xEF\xBF\xBE" || code_point == "\xEF\xBF\xBF"; }

}  // namespace

std::string Escape(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t bytes = CodePointBytes(text);
    const absl::string_view code_point = text.substr(0, bytes);
    if (bytes == 0 || FindUnprintable(code_point, /*spaces=*/false) == 0 || NoCharacter(code_point)) {
      out += kReplacement;
    } else if (!Reference(text[0]).empty()) {
      out.append(Reference(text[0]).data(), Reference(text[0]).size());
    } else {
      out.append(code_point.data(), bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

std::string Slug(absl::string_view text) {
  std::string out;
  for (char c : text) out += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return out.empty() ? "_" : out;
}

}  // namespace earshot
