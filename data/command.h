// The commands that lists may name in place of files (Kaldi's "sph2pipe x.sph |"). Readers of lists let them through
// only where the user allows them.
#ifndef EARSHOT_DATA_COMMAND_H_
#define EARSHOT_DATA_COMMAND_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace earshot {

constexpr double kCommandSeconds = 120;  // it may take

// How errors name a command: "command \"sph2pipe x.sph\"".
std::string CommandName(const std::string& command);

// What `sh -c command` writes to its standard output, run in the directory of the user without input. It is killed,
// with all that it started, after kCommandSeconds or when it writes more than `max_bytes`. Errors name the command, and
// the exit status with the start of what it wrote to its standard error.
absl::StatusOr<std::string> RunCommand(const std::string& command, int64_t max_bytes);

}  // namespace earshot

#endif  // EARSHOT_DATA_COMMAND_H_
