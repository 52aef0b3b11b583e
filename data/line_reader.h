// The lines of a text that users bring, plain or packed with gzip (seen by its content), one at a time.
#ifndef EARSHOT_DATA_LINE_READER_H_
#define EARSHOT_DATA_LINE_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/gunzip.h"

namespace earshot {

// Takes no memory for a plain text, and at most about twice the longest line for a packed one.
class LineReader {
 public:
  // Both must outlive the reader.
  LineReader(absl::string_view content, absl::string_view name);

  // False at the end. `line` is the next line that is not empty, without its end ("\n" or "\r\n"), without a byte order
  // mark at the start of the text; valid until the next call. Errors: a line of more than kMaxLineBytes; those of
  // data/gunzip.h; packed text that is all lines and no content (more than one line for two packed bytes).
  absl::StatusOr<bool> Next(absl::string_view* line);
  int64_t line_number() const { return number_; }  // of the line that Next gave, from 1
  std::string Place() const;                       // "NAME:LINE"
  // "NAME:LINE: expected X, found Y" for this line.
  absl::Status Error(absl::string_view expected, absl::string_view found) const;

  // One line each for what was odd: a byte order mark, Windows line ends, empty lines, and with `want_line_end` no line
  // end at the end of the file.
  void AppendWarnings(bool want_line_end, std::vector<std::string>* warnings) const;

 private:
  absl::StatusOr<bool> TakeLine(absl::string_view* line);
  absl::StatusOr<bool> TakeUnpackedLine(absl::string_view* line);

  absl::string_view rest_, name_;
  const int64_t packed_bytes_;
  std::unique_ptr<Gunzip> gunzip_;  // null: plain
  std::string buffer_;              // unpacked and not given yet: from taken_ on
  size_t taken_ = 0;
  bool unpacked_all_ = false;
  int64_t number_ = 0;
  bool byte_order_mark_ = false, no_line_end_ = false;
  int64_t first_windows_ = 0, first_empty_ = 0;  // lines
};

}  // namespace earshot

#endif  // EARSHOT_DATA_LINE_READER_H_
