// What every program does with gflags. For *_main.cc alone: flags have no business elsewhere.
#ifndef EARSHOT_BASE_PROGRAM_H_
#define EARSHOT_BASE_PROGRAM_H_

#include <gflags/gflags.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/command_line.h"
#include "base/status_macros.h"

namespace earshot {

constexpr int kFailure = 1, kUsage = 2;  // exit codes
constexpr int kMaxThreads = 1024;        // of a flag --threads; as TrainConfig.threads

// Sets the flags and returns the other arguments. Every value of the flag `repeated`, of which gflags keeps only the
// last, is added to `values`. InvalidArgument where gflags' own parser would leave the program with 1.
inline absl::StatusOr<std::vector<std::string>> SetFlags(int argc, char** argv, absl::string_view repeated = "",
                                                         std::vector<std::string>* values = nullptr) {
  const auto is_switch = [](const std::string& name) {
    gflags::CommandLineFlagInfo info;
    return gflags::GetCommandLineFlagInfo(name.c_str(), &info) && info.type == "bool";
  };
  const auto set = [&](const std::string& name, const std::string& value) {
    if (values != nullptr && name == repeated) values->push_back(value);
    return !gflags::SetCommandLineOption(name.c_str(), value.c_str()).empty();
  };
  ASSIGN_OR_RETURN(CommandLine line, ReadCommandLine(argc, argv, is_switch, set));
  return std::move(line.arguments);
}

}  // namespace earshot

#endif  // EARSHOT_BASE_PROGRAM_H_
