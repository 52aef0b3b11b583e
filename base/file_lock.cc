#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/file.h"

namespace earshot {

absl::StatusOr<std::unique_ptr<FileLock>> FileLock::Acquire(const std::string& path) {
  const int fd = TEMP_FAILURE_RETRY(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (fd < 0) return ErrnoStatus(errno, path, "open");
  std::unique_ptr<FileLock> lock(new FileLock(fd));
  if (TEMP_FAILURE_RETRY(flock(fd, LOCK_EX | LOCK_NB)) != 0) {
    if (errno != EWOULDBLOCK) return ErrnoStatus(errno, path, "lock");
    char owner[32];
    const ssize_t n = TEMP_FAILURE_RETRY(pread(fd, owner, sizeof(owner), 0));
    const absl::string_view pid = absl::StripSuffix(absl::string_view(owner, n > 0 ? n : 0), "\n");
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": held by another process", pid.empty() ? "" : " with the id ", pid));
  }
  const std::string pid = absl::StrCat(getpid(), "\n");
  if (TEMP_FAILURE_RETRY(ftruncate(fd, 0)) != 0) return ErrnoStatus(errno, path, "truncate");
  if (TEMP_FAILURE_RETRY(pwrite(fd, pid.data(), pid.size(), 0)) < 0) return ErrnoStatus(errno, path, "write");
  return lock;
}

FileLock::~FileLock() { close(fd_); }

}  // namespace earshot
