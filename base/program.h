// What every program does with gflags. For *_main.cc alone: flags have no business elsewhere.
#ifndef EARSHOT_BASE_PROGRAM_H_
#define EARSHOT_BASE_PROGRAM_H_

#include <gflags/gflags.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/command_line.h"
#include "base/status_macros.h"

DECLARE_bool(help);
DECLARE_bool(helpshort);

namespace earshot {

constexpr int kFailure = 1, kUsage = 2;  // exit codes
constexpr int kMaxThreads = 1024;        // of a flag --threads; as TrainConfig.threads

// Sets the flags and returns the other arguments. Every value of the flag `repeated`, of which gflags keeps only the
// last, is added to `values`. InvalidArgument where gflags' own parser would leave the program with 1.
inline absl::StatusOr<std::vector<std::string>> SetFlags(int argc, char** argv, absl::string_view repeated = "",
                                                         std::vector<std::string>* values = nullptr) {
  const auto is_switch = [](const std::string& name) {
    gflags::CommandLineFlagInfo info;
    if (!gflags::GetCommandLineFlagInfo(name.c_str(), &info)) return false;
    return info.type == "bool" || info.default_value == "false";  // the latter: a switch that may name what it turns on
  };
  const auto set = [&](const std::string& name, const std::string& value) {
    if (values != nullptr && name == repeated) values->push_back(value);
    return !gflags::SetCommandLineOption(name.c_str(), value.c_str()).empty();
  };
  ASSIGN_OR_RETURN(CommandLine line, ReadCommandLine(argc, argv, is_switch, set));
  return std::move(line.arguments);
}

// What every main begins with: standard streams, flags, and for --help `usage` and the flags of `main_name`.cc. A value
// is the exit code of a program that has nothing more to do. `arguments` may be null: none are expected then.
// `repeated` and `values` as of SetFlags.
inline absl::optional<int> StartProgram(int argc, char** argv, const std::string& usage, const char* main_name,
                                        std::vector<std::string>* arguments, absl::string_view repeated = "",
                                        std::vector<std::string>* values = nullptr) {
  const absl::Status streams = PrepareStandardStreams();
  if (!streams.ok()) return ReportError(kFailure, streams.message());
  absl::StatusOr<std::vector<std::string>> set = SetFlags(argc, argv, repeated, values);
  if (FLAGS_help || FLAGS_helpshort) {
    gflags::SetUsageMessage(usage);
    gflags::ShowUsageWithFlagsRestrict(argv[0], main_name);
    return 0;
  }
  if (!set.ok()) return ReportError(kUsage, set.status().message());
  if (arguments != nullptr) {
    *arguments = *std::move(set);
  } else if (!set->empty()) {
    return ReportError(kUsage, absl::StrCat("unexpected argument ", (*set)[0]));
  }
  return absl::nullopt;
}

// InvalidArgument for a flag --threads out of range.
inline absl::Status CheckThreads(int threads) {
  if (threads >= 0 && threads <= kMaxThreads) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("flag --threads=", threads, ", expected 0 to ", kMaxThreads));
}

}  // namespace earshot

#endif  // EARSHOT_BASE_PROGRAM_H_
