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
#include "base/input_file.h"
#include "data/gunzip.h"

namespace earshot {

// Takes no memory for a plain text in memory, and else at most about twice the longest line (and a packed file itself).
class LineReader {
 public:
  // Of a text, which must outlive the reader, as must `name`.
  LineReader(absl::string_view content, absl::string_view name);
  // The same of a text that is never packed, with lines of at most `max_line_bytes`; lines are parts of `content`.
  LineReader(absl::string_view content, absl::string_view name, int64_t max_line_bytes);
  // Of a regular file of at most kMaxListBytes, read piece by piece.
  static absl::StatusOr<std::unique_ptr<LineReader>> Open(const std::string& path);
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // False at the end. `line` is the next line that is not empty, without its end ("\n" or "\r\n"), without a byte order
  // mark at the start of the text; valid until the next call. Errors: a line of more than kMaxLineBytes; those of
  // data/gunzip.h; packed text that is all lines and no content (more than one line for two packed bytes).
  absl::StatusOr<bool> Next(absl::string_view* line);
  int64_t line_number() const { return number_; }  // of the line that Next gave, from 1
  absl::string_view name() const { return name_; }
  std::string Place() const;  // "NAME:LINE"
  // "NAME:LINE: expected X, found Y" for this line.
  absl::Status Error(absl::string_view expected, absl::string_view found) const;

  // One line each for what was odd: a byte order mark, Windows line ends, empty lines, and with `want_line_end` no line
  // end at the end of the file.
  void AppendWarnings(bool want_line_end, std::vector<std::string>* warnings) const;

 private:
  absl::StatusOr<bool> TakeLine(absl::string_view* line);
  absl::StatusOr<bool> TakeBufferedLine(absl::string_view* line);
  absl::StatusOr<int64_t> ReadPiece(char* out, int64_t capacity);

  absl::string_view rest_, name_;  // rest_: of a plain text in memory
  int64_t max_line_bytes_;
  std::unique_ptr<InputFile> file_;  // of a plain file; read up to position_
  int64_t position_ = 0;
  std::string packed_;              // of a packed file
  std::unique_ptr<Gunzip> gunzip_;  // of a packed file or text
  int64_t packed_bytes_ = 0;
  std::string buffer_;  // read and not given yet: from taken_ on
  size_t taken_ = 0;
  bool read_all_ = false;
  int64_t number_ = 0;
  bool byte_order_mark_ = false, no_line_end_ = false;
  int64_t first_windows_ = 0, first_empty_ = 0;  // lines
};

}  // namespace earshot

#endif  // EARSHOT_DATA_LINE_READER_H_
