// Where this program is, and what Bazel put beside it.
#ifndef EARSHOT_BASE_PROGRAM_PATH_H_
#define EARSHOT_BASE_PROGRAM_PATH_H_

#include <string>

#include "absl/strings/string_view.h"

namespace earshot {

// The running program's file, symbolic links resolved.
std::string ProgramPath();

// A `data` file of this program's target, by its path from the workspace's root ("asr/train"), in the program's
// runfiles or those of the test that runs it. Whether it is there is not checked.
std::string RunfilePath(absl::string_view path);

}  // namespace earshot

#endif  // EARSHOT_BASE_PROGRAM_PATH_H_
