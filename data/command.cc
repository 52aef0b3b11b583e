#include "data/command.h"

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/subprocess.h"

namespace earshot {

std::string CommandName(const std::string& command) { return absl::StrCat("command ", Quoted(command)); }

absl::StatusOr<std::string> RunCommand(const std::string& command, int64_t max_bytes) {
  SubprocessOptions options;
  options.timeout_seconds = kCommandSeconds;
  options.max_output_bytes = max_bytes;
  options.directory = UserPath(".");
  absl::StatusOr<std::string> output = RunProgram({"/bin/sh", "-c", command}, options);
  RETURN_IF_ERROR(Annotate(output.status(), CommandName(command)));
  return output;
}

}  // namespace earshot
