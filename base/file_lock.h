// A lock between processes, for a directory that one of them at a time may use.
#ifndef EARSHOT_BASE_FILE_LOCK_H_
#define EARSHOT_BASE_FILE_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace earshot {

// An exclusive flock on a file that holds the owner's process id. The kernel gives it back when the process ends,
// however it ends; the file stays.
class FileLock {
 public:
  // Creates `path` where needed. FailedPrecondition, naming the process, when another one holds the lock; never waits.
  static absl::StatusOr<std::unique_ptr<FileLock>> Acquire(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  const int fd_;
};

}  // namespace earshot

#endif  // EARSHOT_BASE_FILE_LOCK_H_
