#include "base/utf8.h"

#include <cstring>

#include "absl/strings/str_format.h"

namespace earshot {
namespace {

uint32_t Decode(absl::string_view text, size_t bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (bytes == 1) return byte(0);
  uint32_t code = byte(0) & (0x7f >> bytes);
  for (size_t i = 1; i < bytes; ++i) code = code << 6 | (byte(i) & 0x3f);
  return code;
}

bool IsSpace(uint32_t code) {
  return code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x202f || code == 0x205f ||
         code == 0x3000;
}

bool IsUnprintable(uint32_t code) {
  if (code < 0x20) return code != '\t' && code != '\n';
  return (code >= 0x7f && code < 0xa0) || code == 0xfeff || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

// How many of the first bytes are printable ASCII, eight at a time: nearly all of every list.
size_t PlainPrefix(absl::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    // The top bit of each byte: not ASCII; 0x7f, which the addition carries into it; below 0x20, which borrows.
    const uint64_t odd = word | (word + kOnes) | ((word - kOnes * 0x20) & ~word);
    if ((odd & kHigh) != 0) break;
  }
  return at;
}

}  // namespace

size_t CodePointBytes(absl::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0)) return 0;
    return continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) return 0;
    return continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

size_t FindUnprintable(absl::string_view text, bool spaces) {
  size_t at = 0;
  while (true) {
    at += PlainPrefix(text.substr(at));
    if (at == text.size()) return absl::string_view::npos;
    const size_t bytes = CodePointBytes(text.substr(at));
    if (bytes == 0) return at;
    const uint32_t code = Decode(text.substr(at), bytes);
    if (IsUnprintable(code) || (spaces && IsSpace(code))) return at;
    at += bytes;
  }
}

std::string CodePointName(absl::string_view text) {
  const size_t bytes = CodePointBytes(text);
  if (text.empty()) return "nothing";
  if (bytes == 0) return absl::StrFormat("byte 0x%02x", static_cast<unsigned char>(text[0]));
  return absl::StrFormat("U+%04X", Decode(text, bytes));
}

}  // namespace earshot
