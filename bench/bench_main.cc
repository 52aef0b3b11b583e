// The program behind //bench:NAME and //bench:all: times the training steps of the configurations that each target
// embeds, every block of measurements in a process of its own.
#include <gflags/gflags.h>
#include <google/protobuf/util/json_util.h>
#include <signal.h>
#include <sys/prctl.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/program.h"
#include "base/program_path.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "base/thread_pool.h"
#include "bench/bench.pb.h"
#include "bench/bench_config.h"
#include "bench/block.h"
#include "bench/block_runners.h"
#include "bench/embedded_configs.h"
#include "bench/flag_list.h"
#include "bench/html/report_files.h"
#include "bench/peer_subject.h"
#include "bench/report_json.h"
#include "bench/report_table.h"
#include "bench/run.h"
#include "lstm/registry.h"

DEFINE_string(lstm, "", "LSTM implementations to time, separated by commas; empty: all that are available here");
DEFINE_double(max_seconds, 0, "time for the whole run of a configuration; 0: as it says");
DEFINE_double(
    minutes, 0,
    "time for the whole run of all configurations, which share it in proportion to what they say; 0: the sum");
DEFINE_string(json, "", "file for the report as JSON (BenchReport of bench/bench.proto); empty: none");
DEFINE_string(out, "",
              "folder that receives NAME.json of every configuration and, after each, report.html, figures/*.svg and "
              "steps.csv of all; empty: none");
// A text whose default is "false" may also stand alone (base/program.h): "true" then.
DEFINE_string(peers, "false",
              "also time frameworks in the environment of bench/peers/setup.sh: --peers for all, or "
              "--peers=torch:lstm,jax:scan");
DEFINE_int32(threads, 0, "threads that compute; 0: as the configuration says");
DEFINE_int32(blocks, 0,
             "processes that each row is measured in, at most, as time allows; 0: as the configuration says");
DEFINE_string(config, "", "textproto of a BenchConfig in place of the target's own");
DEFINE_string(set, "", "textproto that is merged over the configuration; may be repeated");
DEFINE_string(block, "", "internal: measure the block that this file asks for, report it on stdout");

namespace earshot {
namespace {

absl::Status CheckFlags() {
  if (!(FLAGS_max_seconds >= 0)) {  // NaN is not
    return absl::InvalidArgumentError(absl::StrCat("flag --max_seconds=", FLAGS_max_seconds, ", expected 0 or more"));
  }
  if (!(FLAGS_minutes >= 0)) {
    return absl::InvalidArgumentError(absl::StrCat("flag --minutes=", FLAGS_minutes, ", expected 0 or more"));
  }
  if (FLAGS_blocks < 0) {
    return absl::InvalidArgumentError(absl::StrCat("flag --blocks=", FLAGS_blocks, ", expected 0 or more"));
  }
  if (FLAGS_peers.empty()) return absl::InvalidArgumentError("flag --peers= names none");
  RETURN_IF_ERROR(CheckNames("lstm", FlagList(FLAGS_lstm)));
  RETURN_IF_ERROR(CheckNames("peers", FlagList(FLAGS_peers)));
  return CheckThreads(FLAGS_threads);
}

// Of the embedded configurations or the file, with the flags over them.
absl::StatusOr<std::vector<BenchConfig>> Configs(const std::vector<std::string>& changes) {
  double total = 0;
  std::vector<BenchConfig> configs(FLAGS_config.empty() ? EmbeddedConfigs().size() : 1);
  for (size_t i = 0; i < configs.size(); ++i) {
    if (FLAGS_config.empty()) {
      const EmbeddedConfig& embedded = EmbeddedConfigs()[i];
      RETURN_IF_ERROR(ParseTextproto(embedded.text, embedded.name, &configs[i]));
    } else {
      RETURN_IF_ERROR(ReadTextproto(UserPath(FLAGS_config), &configs[i]));
    }
    const BenchConfig original = configs[i];
    for (const std::string& change : changes) RETURN_IF_ERROR(MergeTextproto(change, "--set", &configs[i]));
    DescribeChange(original, absl::StrJoin(changes, " "), &configs[i]);
    if (FLAGS_max_seconds > 0) configs[i].set_max_seconds(FLAGS_max_seconds);
    total += configs[i].max_seconds();
    if (FLAGS_blocks > 0) configs[i].set_blocks(FLAGS_blocks);
    if (FLAGS_threads > 0) configs[i].set_threads(FLAGS_threads);
  }
  for (BenchConfig& config : configs) {
    if (FLAGS_minutes > 0) config.set_max_seconds(config.max_seconds() * FLAGS_minutes * 60 / total);
  }
  return configs;
}

int Threads(const BenchConfig& config) { return config.threads() > 0 ? config.threads() : AvailableCpus(); }

// What is named, or all that this configuration can have.
absl::StatusOr<BenchRows> Rows(const BenchConfig& config) {
  BenchRows rows;
  const bool loss = config.measured() == BenchConfig::LOSS;
  ThreadPool pool(1);
  const auto named = [](const std::string& flag, const google::protobuf::RepeatedPtrField<std::string>& configured) {
    return flag.empty() ? std::vector<std::string>(configured.begin(), configured.end()) : FlagList(flag);
  };
  ASSIGN_OR_RETURN(const auto own, TrainerSubjects(named(FLAGS_lstm, config.row()), &pool));  // checks the names
  for (const auto& subject : own) rows.own.push_back(subject->name());
  if (loss) rows.own = {"loss"};
  if (FLAGS_peers == "false") return rows;
  const std::string asked = FLAGS_peers == "true" ? "" : FLAGS_peers;
  ASSIGN_OR_RETURN(const auto peers, PeerSubjects(named(asked, config.peer()), 1));
  std::vector<std::string> unfit;
  for (const auto& peer : peers) {
    // Frameworks have no part in published errors.
    const bool fits = absl::EndsWith(peer->name(), ":loss") == loss && !config.batch().misaligned_lengths();
    (fits ? rows.peers : unfit).push_back(peer->name());
  }
  if (!asked.empty() && !unfit.empty() && EmbeddedConfigs().size() == 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("flag --peers names ", absl::StrJoin(unfit, ", "), ": ", config.name(),
                     config.batch().misaligned_lengths() ? " has an error that no framework computes"
                     : loss                              ? " times a loss alone, expected rows that end in :loss"
                            : " times training steps, expected rows that do not end in :loss"));
  }
  return rows;
}

absl::Status WriteJson(const BenchReport& report, const std::string& path) {
  ASSIGN_OR_RETURN(const std::string json, ReportJson(report));
  return WriteFileAtomically(path, {json});
}

struct CommandLineArguments {
  std::vector<std::string> all, changes;  // the latter: every --set
};

// In the folder of --out.
absl::Status WriteOut(const BenchReport& report, std::vector<NamedReport>* reports) {
  if (FLAGS_out.empty()) return absl::OkStatus();
  const std::string folder = UserPath(FLAGS_out), name = report.config().name() + ".json";
  RETURN_IF_ERROR(WriteJson(report, absl::StrCat(folder, "/", name)));
  reports->push_back({name, report});
  return WriteReportFiles(*reports, {folder + "/report.html", folder + "/figures", folder + "/steps.csv"}).status();
}

absl::Status RunConfig(const BenchConfig& config, const CommandLineArguments& arguments,
                       std::vector<NamedReport>* reports, std::vector<std::string>* wrong) {
  ASSIGN_OR_RETURN(const BenchRows rows, Rows(config));
  ASSIGN_OR_RETURN(BenchReport report, RunBench(config, rows, ProcessRunner(ProgramPath()), &std::cerr));
  *report.mutable_flags() = {arguments.all.begin(), arguments.all.end()};
  // A report that cannot be written in one place is still written to the others.
  absl::Status written = FLAGS_json.empty() ? absl::OkStatus() : WriteJson(report, UserPath(FLAGS_json));
  written.Update(WriteOut(report, reports));
  std::cout << ReportTable(report) << std::endl;
  RETURN_IF_ERROR(written);
  if (!std::cout) return absl::DataLossError("cannot write the results to stdout");
  for (const BenchRow& row : report.rows()) {
    if (row.verified() || row.has_peer()) continue;  // a peer's error is not ours
    wrong->push_back(absl::StrCat(config.name(), ": ", row.implementation(), ": ", row.problem()));
  }
  return absl::OkStatus();
}

absl::Status RunAll(const CommandLineArguments& arguments, std::vector<std::string>* wrong) {
  ASSIGN_OR_RETURN(const std::vector<BenchConfig> configs, Configs(arguments.changes));
  if (configs.size() > 1 && !FLAGS_json.empty()) {
    return absl::InvalidArgumentError("flag --json is for one configuration; --out takes a folder");
  }
  // Before the first hour is spent.
  for (const BenchConfig& config : configs) RETURN_IF_ERROR(Annotate(ValidateBenchConfig(config), config.name()));
  if (!FLAGS_out.empty()) RETURN_IF_ERROR(MakeDirectories(UserPath(FLAGS_out)));
  std::vector<NamedReport> reports;
  for (const BenchConfig& config : configs) RETURN_IF_ERROR(RunConfig(config, arguments, &reports, wrong));
  return absl::OkStatus();
}

// The other side of ProcessRunner. It ends when the program that asked ends.
absl::Status AnswerBlock(const std::string& path) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  ASSIGN_OR_RETURN(const std::string json, ReadFile(path, int64_t{1} << 24));
  BlockRequest request;
  const auto status = google::protobuf::util::JsonStringToMessage(json, &request);
  if (!status.ok()) return absl::InvalidArgumentError(absl::StrCat(path, ": ", status.ToString()));
  ThreadPool pool(Threads(request.config()));
  ASSIGN_OR_RETURN(const auto subjects, SubjectsOf(request, &pool));
  ASSIGN_OR_RETURN(const BenchReport report, RunBlock(request, subjects, &pool, &std::cerr));
  ASSIGN_OR_RETURN(const std::string answer, ReportJson(report));
  std::cout << answer << std::flush;
  return std::cout ? absl::OkStatus() : absl::DataLossError("cannot write the block's report to stdout");
}

int Main(int argc, char** argv) {
  const std::string usage =
      absl::StrCat("times training steps: ", EmbeddedConfigNames(),
                   "\nLSTM implementations: ", LstmImplementationNames(), "\nPeers: ", PeerNames());
  CommandLineArguments arguments;
  arguments.all.assign(argv + 1, argv + argc);
  const absl::optional<int> done =
      StartProgram(argc, argv, usage, "bench_main", /*arguments=*/nullptr, "set", &arguments.changes);
  if (done.has_value()) return *done;
  const absl::Status flags = CheckFlags();
  if (!flags.ok()) return ReportError(kUsage, flags.message());
  std::vector<std::string> wrong;
  const absl::Status status = FLAGS_block.empty() ? RunAll(arguments, &wrong) : AnswerBlock(FLAGS_block);
  if (!status.ok()) return ReportError(kFailure, status.message());
  if (wrong.empty()) return 0;
  return ReportError(kFailure, absl::StrCat("disagrees with the reference: ", wrong.front()));
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) { return earshot::Main(argc, argv); }
