#include "base/file_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/check.h"
#include "base/file.h"

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
  const int fd =
      TEMP_FAILURE_RETRY(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (fd < 0) return ErrnoStatus(errno, temporary, "create");
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

absl::Status FileWriter::CloseDescriptor() {
  absl::Status status;
  if (TEMP_FAILURE_RETRY(fsync(fd_)) != 0) status = ErrnoStatus(errno, temporary_, "fsync");
  // Linux closes the descriptor even when close reports EINTR, so it is not tried again.
  if (close(fd_) != 0 && errno != EINTR && status.ok()) status = ErrnoStatus(errno, temporary_, "close");
  fd_ = -1;
  return status;
}

absl::Status FileWriter::Close() {
  CHECK_GE(fd_, 0);
  if (status_.ok()) status_ = Flush();
  const absl::Status closed = CloseDescriptor();
  if (status_.ok()) status_ = closed;
  if (status_.ok()) return status_ = PublishFile(temporary_, path_);
  TEMP_FAILURE_RETRY(unlink(temporary_.c_str()));
  return status_;
}

}  // namespace earshot
