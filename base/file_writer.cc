#include "base/file_writer.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/check.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

constexpr size_t kBufferBytes = 1 << 18;

}  // namespace

FileWriter::FileWriter(const std::string& path, const std::string& temporary, int fd)
    : path_(path), temporary_(temporary), fd_(fd) {}

FileWriter::~FileWriter() {
  if (fd_ < 0) return;
  close(fd_);
  TEMP_FAILURE_RETRY(unlink(temporary_.c_str()));
}

absl::StatusOr<std::unique_ptr<FileWriter>> FileWriter::Create(const std::string& path) {
  const absl::Status replaceable = CheckReplaceable(path);
  if (!replaceable.ok()) return replaceable;
  const std::string temporary = TemporaryPath(path);
  ASSIGN_OR_RETURN(const int fd, CreateTemporary(temporary));
  return std::unique_ptr<FileWriter>(new FileWriter(path, temporary, fd));
}

absl::Status FileWriter::Append(absl::string_view data) {
  CHECK_GE(fd_, 0);
  size_ += static_cast<int64_t>(data.size());
  if (buffer_.size() + data.size() >= kBufferBytes && status_.ok()) {
    status_ = Flush();
    if (status_.ok() && data.size() >= kBufferBytes) {
      status_ = WriteAll(fd_, data, temporary_);
      return status_;
    }
  }
  if (status_.ok()) buffer_.append(data.data(), data.size());
  return status_;
}

absl::Status FileWriter::Flush() {
  const absl::Status status = WriteAll(fd_, buffer_, temporary_);
  buffer_.clear();
  return status;
}

absl::Status FileWriter::Close() {
  CHECK_GE(fd_, 0);
  if (status_.ok()) status_ = Flush();
  const absl::Status closed = SyncAndClose(std::exchange(fd_, -1), temporary_);
  if (status_.ok()) status_ = closed;
  if (status_.ok()) return status_ = PublishFile(temporary_, path_);
  TEMP_FAILURE_RETRY(unlink(temporary_.c_str()));
  return status_;
}

}  // namespace earshot
