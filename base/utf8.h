// UTF-8 in the files that users bring: what of it can be shown, and what only looks as if nothing were there.
#ifndef EARSHOT_BASE_UTF8_H_
#define EARSHOT_BASE_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace earshot {

// Bytes of the code point that starts with `text`'s first byte, 0 when these bytes are not UTF-8 (RFC 3629: no
// overlong forms, no surrogates, nothing above U+10FFFF).
size_t CodePointBytes(absl::string_view text);

// Where `text` has its first character that nobody sees or that is not one: bytes that are not UTF-8, control
// characters but for tab and line feed, byte order marks, line and paragraph separators, bidirectional overrides.
// npos: nowhere. With `spaces`, any white space of Unicode beyond the space itself and tab counts too (U+00A0 between
// two words makes them one, and nothing shows it).
size_t FindUnprintable(absl::string_view text, bool spaces);

// "U+00A0", or "byte 0xff" where `text` does not start with UTF-8: for error messages.
std::string CodePointName(absl::string_view text);

}  // namespace earshot

#endif  // EARSHOT_BASE_UTF8_H_
