// What every program does with its command line before its flags have a meaning.
#ifndef EARSHOT_BASE_COMMAND_LINE_H_
#define EARSHOT_BASE_COMMAND_LINE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace earshot {

struct CommandLine {
  // In their order: "--name=value", "--name value", or "--name" alone for a switch, whose value is then "true". One
  // dash is as good as two.
  std::vector<std::pair<std::string, std::string>> flags;
  std::vector<std::string> arguments;  // the others, "-" too, and all that follow "--"
};

// InvalidArgument when a flag that is no switch has no value.
absl::StatusOr<CommandLine> ParseCommandLine(int argc, char** argv,
                                             absl::FunctionRef<bool(const std::string& name)> is_switch);

// ParseCommandLine, then `set` for each flag. InvalidArgument for one that `set` refuses.
absl::StatusOr<CommandLine> ReadCommandLine(
    int argc, char** argv, absl::FunctionRef<bool(const std::string& name)> is_switch,
    absl::FunctionRef<bool(const std::string& name, const std::string& value)> set);

// Prints "error: MESSAGE" as one line on stderr, with a hint at --help for wrong usage (`code` 2), and returns `code`.
int ReportError(int code, absl::string_view message);

// Prints "warning: MESSAGE" as one line on stderr.
void ReportWarning(absl::string_view message);

// `text` as one line that no terminal obeys: control characters escaped (\n, \x1b), the rest of UTF-8 as it is.
std::string OneLine(absl::string_view text);

// Keeps files that are opened later from getting the number of a closed standard stream, or results would be written
// into them. FailedPrecondition when stdout is closed.
absl::Status PrepareStandardStreams();

}  // namespace earshot

#endif  // EARSHOT_BASE_COMMAND_LINE_H_
