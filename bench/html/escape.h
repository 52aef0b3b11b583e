// Texts of records in HTML and SVG: whatever a record calls a row, it stays text.
#ifndef EARSHOT_BENCH_HTML_ESCAPE_H_
#define EARSHOT_BENCH_HTML_ESCAPE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace earshot {

// `text` for an element's content or a quoted attribute: & < > " ' become references, and what XML has no place for
// (control characters, bytes that are not UTF-8), and what turns the direction of text, becomes U+FFFD. Line ends and
// tabs stay.
std::string Escape(absl::string_view text);

// `text` as an identifier or a file name: letters, digits and _; everything else becomes _. Never empty.
std::string Slug(absl::string_view text);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_ESCAPE_H_
