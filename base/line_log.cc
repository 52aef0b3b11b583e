#include "base/line_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 32;

}  // namespace

LineLog::~LineLog() {
  if (fd_ >= 0) close(fd_);
}

absl::Status LineLog::Open(const std::string& path, absl::FunctionRef<bool(absl::string_view)> keep) {
  path_ = path;
  const absl::StatusOr<std::string> content = ReadFile(path, kMaxBytes);
  if (content.ok()) {
    std::string kept;
    std::vector<absl::string_view> lines = absl::StrSplit(*content, '\n');
    lines.pop_back();  // what follows the last newline: nothing, or a line that was cut short
    for (absl::string_view line : lines) {
      if (keep(line)) absl::StrAppend(&kept, line, "\n");
    }
    if (kept != *content) RETURN_IF_ERROR(WriteFileAtomically(path, {kept}));
  } else if (!absl::IsNotFound(content.status())) {
    return content.status();
  }
  fd_ = TEMP_FAILURE_RETRY(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (fd_ < 0) return ErrnoStatus(errno, path, "open");
  return absl::OkStatus();
}

absl::Status LineLog::Append(absl::string_view line) {
  const std::string data = absl::StrCat(line, "\n");
  size_t done = 0;
  while (done < data.size()) {
    const ssize_t n = TEMP_FAILURE_RETRY(write(fd_, data.data() + done, data.size() - done));
    if (n < 0) {
      const absl::Status status = ErrnoStatus(errno, path_, "write");
      struct stat info;  // a full disk took the beginning: the next line must not continue it
      if (done > 0 && fstat(fd_, &info) == 0 && ftruncate(fd_, info.st_size - static_cast<off_t>(done)) != 0) {
        return absl::DataLossError(absl::StrCat(status.message(), ", and the cut line stays"));
      }
      return status;
    }
    done += n;
  }
  return absl::OkStatus();
}

}  // namespace earshot
