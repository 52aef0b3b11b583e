#include "base/input_file.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"

namespace earshot {

InputFile::InputFile(std::string path, int fd, int64_t size) : path_(std::move(path)), fd_(fd), size_(size) {}

InputFile::~InputFile() { close(fd_); }

absl::StatusOr<std::unique_ptr<InputFile>> InputFile::Open(const std::string& path) {
  int64_t size = 0;
  ASSIGN_OR_RETURN(const int fd, OpenRegularFile(path, &size));
  return std::unique_ptr<InputFile>(new InputFile(path, fd, size));
}

absl::Status InputFile::Read(int64_t position, int64_t bytes, char* out) const {
  CHECK_GE(position, 0);
  CHECK_LE(bytes, size_ - position);
  while (bytes > 0) {
    const ssize_t n = TEMP_FAILURE_RETRY(pread(fd_, out, bytes, position));
    if (n < 0) return ErrnoStatus(errno, path_, "read");
    if (n == 0) return ByteError(path_, position, absl::StrCat("a file of ", size_, " bytes"), "its end");  // cut since
    position += n;
    out += n;
    bytes -= n;
  }
  return absl::OkStatus();
}

}  // namespace earshot
