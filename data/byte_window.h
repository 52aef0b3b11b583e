// Bytes one after the other, from memory or from a file of any size, with a look ahead: what readers of long files walk
// along, so that they are the same pure functions over both.
#ifndef EARSHOT_DATA_BYTE_WINDOW_H_
#define EARSHOT_DATA_BYTE_WINDOW_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/input_file.h"

namespace earshot {

class ByteWindow {
 public:
  // `content`, `name` and `file` outlive the window. Of a file, at least `chunk` bytes are read at a time.
  ByteWindow(absl::string_view content, absl::string_view name);
  ByteWindow(const InputFile* file, int64_t chunk);
  ByteWindow(const ByteWindow&) = delete;
  ByteWindow& operator=(const ByteWindow&) = delete;

  absl::string_view name() const { return name_; }
  int64_t position() const { return position_; }  // of the next byte
  int64_t remaining() const { return size_ - position_; }

  // What comes next: at least `bytes` bytes, or all that remain. Valid until the next call of anything.
  absl::StatusOr<absl::string_view> Peek(int64_t bytes);

  void Skip(int64_t bytes) { Seek(position_ + bytes); }
  void Seek(int64_t position);  // within the size

  // The next `bytes` bytes, no more than remain, are copied and skipped.
  absl::Status Read(int64_t bytes, char* out);

 private:
  const InputFile* file_ = nullptr;  // null: in memory
  absl::string_view name_;
  int64_t size_, chunk_ = 0;
  int64_t position_ = 0;
  absl::string_view window_;  // the bytes from window_begin_ on
  int64_t window_begin_ = 0;
  std::string buffer_;  // window_ of a file
};

// Skips white space.
absl::Status SkipSpace(ByteWindow* window);

}  // namespace earshot

#endif  // EARSHOT_DATA_BYTE_WINDOW_H_
