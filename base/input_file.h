// A regular file that is open for reading at any position.
#ifndef EARSHOT_BASE_INPUT_FILE_H_
#define EARSHOT_BASE_INPUT_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace earshot {

class InputFile {
 public:
  // Anything but a regular file (a directory, a pipe, a device) is an error that names the path. Never blocks on a
  // FIFO.
  static absl::StatusOr<std::unique_ptr<InputFile>> Open(const std::string& path);

  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  int64_t size() const { return size_; }  // bytes, when it was opened

  // Exactly `bytes` bytes from `position` on, which lie within size(). An error names the path. Thread-safe.
  absl::Status Read(int64_t position, int64_t bytes, char* out) const;

 private:
  InputFile(std::string path, int fd, int64_t size);

  std::string path_;
  int fd_;
  int64_t size_;
};

}  // namespace earshot

#endif  // EARSHOT_BASE_INPUT_FILE_H_
