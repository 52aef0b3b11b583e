#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

// A file descriptor that is closed at the end of its scope.
struct Descriptor {
  explicit Descriptor(int fd) : fd(fd) {}
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int fd;
};

std::string Directory(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string Basename(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

absl::Status WriteTemporary(const std::string& temporary, absl::Span<const absl::string_view> parts) {
  const int fd =
      TEMP_FAILURE_RETRY(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (fd < 0) return ErrnoStatus(errno, temporary, "create");
  absl::Status status;
  for (absl::string_view part : parts) {
    if (status.ok()) status = WriteAll(fd, part, temporary);
  }
  if (status.ok() && TEMP_FAILURE_RETRY(fsync(fd)) != 0) status = ErrnoStatus(errno, temporary, "fsync");
  // Linux closes the descriptor even when close reports EINTR, so it is not tried again.
  if (close(fd) != 0 && errno != EINTR && status.ok()) status = ErrnoStatus(errno, temporary, "close");
  return status;
}

absl::Status SyncDirectory(const std::string& directory) {
  Descriptor d(TEMP_FAILURE_RETRY(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  if (d.fd < 0) return ErrnoStatus(errno, directory, "open");
  if (TEMP_FAILURE_RETRY(fsync(d.fd)) != 0) return ErrnoStatus(errno, directory, "fsync");
  return absl::OkStatus();
}

}  // namespace

absl::Status ErrnoStatus(int error, absl::string_view path, absl::string_view what) {
  const std::string message = absl::StrCat(path, ": cannot ", what, ": ", std::strerror(error));
  if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(message);
  if (error == EACCES || error == EPERM || error == EROFS) return absl::PermissionDeniedError(message);
  if (error == ENOSPC || error == EDQUOT) return absl::ResourceExhaustedError(message);
  return absl::UnavailableError(message);
}

absl::StatusOr<std::string> ReadFile(const std::string& path, int64_t max_bytes) {
  Descriptor d(TEMP_FAILURE_RETRY(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)));
  if (d.fd < 0) return ErrnoStatus(errno, path, "open");
  struct stat info;
  if (fstat(d.fd, &info) != 0) return ErrnoStatus(errno, path, "stat");
  if (!S_ISREG(info.st_mode)) return absl::InvalidArgumentError(absl::StrCat(path, ": expected a regular file"));
  if (info.st_size > max_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": file of ", info.st_size, " bytes, expected at most ", max_bytes));
  }
  std::string content(info.st_size, '\0');
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t n = TEMP_FAILURE_RETRY(pread(d.fd, &content[done], content.size() - done, done));
    if (n < 0) return ErrnoStatus(errno, path, "read");
    if (n == 0) break;  // somebody truncated it meanwhile
    done += n;
  }
  content.resize(done);
  return content;
}

std::string TemporaryPath(const std::string& path) {
  return absl::StrCat(Directory(path), "/.", Basename(path), ".tmp.", getpid());
}

absl::Status WriteAll(int fd, absl::string_view data, const std::string& path) {
  while (!data.empty()) {
    const ssize_t n = TEMP_FAILURE_RETRY(write(fd, data.data(), data.size()));
    if (n < 0) return ErrnoStatus(errno, path, "write");
    data.remove_prefix(n);
  }
  return absl::OkStatus();
}

absl::Status CheckReplaceable(const std::string& path) {
  struct stat info;
  const bool replaceable = stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode);
  // /dev/stdout is a link to /proc/self/fd/1, which may be a regular file.
  char target[7] = "";
  const bool open_file = readlink(path.c_str(), target, 6) == 6 && absl::StartsWith(target, "/proc/");
  if (replaceable && !open_file) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": is a device, a pipe, a socket or an open file, expected a regular file"));
}

absl::Status PublishFile(const std::string& temporary, const std::string& path, const std::string& keep_old_as) {
  absl::Status status;
  if (!keep_old_as.empty() && TEMP_FAILURE_RETRY(rename(path.c_str(), keep_old_as.c_str())) != 0 && errno != ENOENT) {
    status = ErrnoStatus(errno, path, absl::StrCat("rename to ", keep_old_as));
  }
  if (status.ok() && TEMP_FAILURE_RETRY(rename(temporary.c_str(), path.c_str())) != 0) {
    status = ErrnoStatus(errno, path, absl::StrCat("rename ", temporary, " to it"));
  }
  if (!status.ok()) {
    TEMP_FAILURE_RETRY(unlink(temporary.c_str()));
    return status;
  }
  return SyncDirectory(Directory(path));
}

absl::StatusOr<std::string> ReadStandardInput(int64_t max_bytes) {
  std::string content;
  std::vector<char> buffer(1 << 16);
  for (;;) {
    const ssize_t n = TEMP_FAILURE_RETRY(read(STDIN_FILENO, buffer.data(), buffer.size()));
    if (n < 0) return ErrnoStatus(errno, "standard input", "read");
    if (n == 0) return content;
    content.append(buffer.data(), n);
    if (static_cast<int64_t>(content.size()) > max_bytes) {
      return absl::InvalidArgumentError(absl::StrCat("standard input: more than ", max_bytes, " bytes"));
    }
  }
}

absl::Status WriteFileAtomically(const std::string& path, absl::Span<const absl::string_view> parts,
                                 const std::string& keep_old_as) {
  const absl::Status replaceable = CheckReplaceable(path);
  if (!replaceable.ok()) return replaceable;
  const std::string temporary = TemporaryPath(path);
  const absl::Status status = WriteTemporary(temporary, parts);
  if (!status.ok()) {
    TEMP_FAILURE_RETRY(unlink(temporary.c_str()));
    return status;
  }
  return PublishFile(temporary, path, keep_old_as);
}

absl::Status RemoveFile(const std::string& path) {
  if (TEMP_FAILURE_RETRY(unlink(path.c_str())) != 0) {
    return errno == ENOENT ? absl::OkStatus() : ErrnoStatus(errno, path, "delete");
  }
  return SyncDirectory(Directory(path));
}

absl::Status RemoveStaleTemporaryFiles(const std::string& directory, bool locked) {
  DIR* dir;
  do {
    dir = opendir(directory.c_str());
  } while (dir == nullptr && errno == EINTR);
  if (dir == nullptr) return ErrnoStatus(errno, directory, "open");
  while (const dirent* entry = readdir(dir)) {
    const std::string name = entry->d_name;
    const size_t mark = name.rfind(".tmp.");
    int pid = 0;
    if (name[0] != '.' || mark == std::string::npos || !absl::SimpleAtoi(name.substr(mark + 5), &pid)) continue;
    const bool alive = !locked && (pid == getpid() || kill(pid, 0) == 0 || errno == EPERM);
    const std::string path = absl::StrCat(directory, "/", name);
    if (!alive) TEMP_FAILURE_RETRY(unlink(path.c_str()));
  }
  closedir(dir);
  return absl::OkStatus();
}

absl::Status MakeDirectories(const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string prefix = path.substr(0, slash);
    if (TEMP_FAILURE_RETRY(mkdir(prefix.c_str(), 0755)) != 0 && errno != EEXIST) {
      return ErrnoStatus(errno, prefix, "create directory");
    }
    if (slash == std::string::npos) break;
  }
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return ErrnoStatus(errno, path, "stat");
  if (!S_ISDIR(info.st_mode)) return absl::InvalidArgumentError(absl::StrCat(path, ": expected a directory"));
  return absl::OkStatus();
}

std::string UserPath(absl::string_view path) {
  const char* base = std::getenv("BUILD_WORKING_DIRECTORY");
  if (absl::StartsWith(path, "/") || base == nullptr) return std::string(path);
  return absl::StrCat(base, "/", path);
}

}  // namespace earshot
