// A text file to which whole lines are appended, and from which a resumed run takes back what it will write again.
#ifndef EARSHOT_BASE_LINE_LOG_H_
#define EARSHOT_BASE_LINE_LOG_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace earshot {

class LineLog {
 public:
  LineLog() = default;
  ~LineLog();
  LineLog(const LineLog&) = delete;
  LineLog& operator=(const LineLog&) = delete;

  // Opens or creates `path` for appending. Of what it holds, only the complete lines for which `keep` is true stay (a
  // line that a kill cut short never does); the file is replaced atomically when that changes it.
  absl::Status Open(const std::string& path, absl::FunctionRef<bool(absl::string_view line)> keep);

  // Appends `line` and a newline in one write. Errors name the path.
  absl::Status Append(absl::string_view line);

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace earshot

#endif  // EARSHOT_BASE_LINE_LOG_H_
