// Writing JSON by hand where a message would be too much.
#ifndef EARSHOT_BASE_JSON_H_
#define EARSHOT_BASE_JSON_H_

#include <charconv>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace earshot {

// `text` (UTF-8) in quotes, escaped.
inline std::string JsonString(absl::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&out, "\\u%04x", c);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// JSON has neither infinity nor NaN: null stands for both.
inline std::string JsonNumber(double value) { return std::isfinite(value) ? absl::StrFormat("%.9g", value) : "null"; }

// The shortest text that reads as the same number. `value` is finite.
inline std::string JsonExactNumber(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof(text), value).ptr);
}

}  // namespace earshot

#endif  // EARSHOT_BASE_JSON_H_
