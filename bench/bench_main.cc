// The program behind //bench:NAME: times the training step of one benchmark configuration, which each target embeds.
#include <gflags/gflags.h>

#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "base/thread_pool.h"
#include "bench/bench.pb.h"
#include "bench/report.h"
#include "bench/runner.h"

DEFINE_string(lstm, "", "LSTM implementations to time, separated by commas; empty: all that are available here");
DEFINE_double(max_seconds, 0, "time for the whole run; 0: as the configuration says");
DEFINE_string(json, "", "file for the report as JSON (BenchReport of bench/bench.proto); empty: none");
DEFINE_int32(threads, 0, "threads that compute; 0: all that this process may use");

namespace earshot {

// Generated from the target's textproto (bench.bzl).
extern const char kBenchConfigText[];
extern const char kBenchConfigName[];

namespace {

constexpr int kFailure = 1, kUsage = 2;

// Sets the flags from "--name=value" and "--name value". gflags' own parser would leave the program with 1.
absl::Status ParseFlags(const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!absl::StartsWith(arguments[i], "-")) {
      return absl::InvalidArgumentError(absl::StrCat("argument \"", arguments[i], "\", expected flags only"));
    }
    const std::string flag = arguments[i].substr(absl::StartsWith(arguments[i], "--") ? 2 : 1);
    std::pair<std::string, std::string> parts = absl::StrSplit(flag, absl::MaxSplits('=', 1));
    if (!absl::StrContains(flag, "=") && i + 1 < arguments.size()) parts.second = arguments[++i];
    if (gflags::SetCommandLineOption(parts.first.c_str(), parts.second.c_str()).empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("flag --", parts.first, "=\"", parts.second, "\" has no meaning; --help lists the flags"));
    }
  }
  const std::pair<const char*, double> limits[] = {{"threads", static_cast<double>(FLAGS_threads)},
                                                   {"max_seconds", FLAGS_max_seconds}};
  for (const auto& flag : limits) {
    if (flag.second >= 0) continue;  // NaN is not
    return absl::InvalidArgumentError(absl::StrCat("--", flag.first, "=", flag.second, ", expected 0 or more"));
  }
  return absl::OkStatus();
}

absl::StatusOr<BenchReport> Run() {
  BenchConfig config;
  RETURN_IF_ERROR(ParseTextproto(kBenchConfigText, kBenchConfigName, &config));
  if (FLAGS_max_seconds > 0) config.set_max_seconds(FLAGS_max_seconds);
  ThreadPool pool(FLAGS_threads > 0 ? FLAGS_threads : AvailableCpus());
  const std::vector<std::string> names = absl::StrSplit(FLAGS_lstm, ',', absl::SkipEmpty());
  ASSIGN_OR_RETURN(const std::vector<std::unique_ptr<Subject>> subjects, TrainerSubjects(names, &pool));
  ASSIGN_OR_RETURN(const BenchReport report, RunBench(config, subjects, &pool, &std::cerr));
  if (!FLAGS_json.empty()) {
    ASSIGN_OR_RETURN(const std::string json, ReportJson(report));
    RETURN_IF_ERROR(WriteFileAtomically(UserPath(FLAGS_json), {json}));
  }
  std::cout << ReportTable(report) << std::flush;
  return report;
}

int Main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  for (const std::string& argument : arguments) {
    if (argument != "--help" && argument != "-help") continue;
    gflags::SetUsageMessage(absl::StrCat("times training steps: ", kBenchConfigName));
    gflags::ShowUsageWithFlagsRestrict(argv[0], "bench_main");
    return 0;
  }
  const absl::Status usage = ParseFlags(arguments);
  if (!usage.ok()) {
    std::cerr << "error: " << usage.message() << std::endl;
    return kUsage;
  }
  const absl::StatusOr<BenchReport> report = Run();
  if (!report.ok()) {
    std::cerr << "error: " << report.status().message() << std::endl;
    return kFailure;
  }
  for (const BenchRow& row : report->rows()) {
    if (row.verified()) continue;
    std::cerr << "error: " << row.implementation() << " disagrees with the reference: " << row.problem() << std::endl;
    return kFailure;
  }
  return 0;
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) { return earshot::Main(argc, argv); }
