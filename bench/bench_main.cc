// The program behind //bench:NAME: times the training step of one benchmark configuration, which each target embeds.
#include <gflags/gflags.h>

#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/program.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "base/thread_pool.h"
#include "bench/bench.pb.h"
#include "bench/peer_subject.h"
#include "bench/report.h"
#include "bench/runner.h"
#include "lstm/registry.h"

DEFINE_string(lstm, "", "LSTM implementations to time, separated by commas; empty: all that are available here");
DEFINE_double(max_seconds, 0, "time for the whole run; 0: as the configuration says");
DEFINE_string(json, "", "file for the report as JSON (BenchReport of bench/bench.proto); empty: none");
// A text whose default is "false" may also stand alone (base/program.h): "true" then.
DEFINE_string(peers, "false",
              "also time frameworks in the environment of bench/peers/setup.sh: --peers for all, or "
              "--peers=torch:lstm,jax:scan");
DEFINE_int32(threads, 0, "threads that compute; 0: all that this process may use");

namespace earshot {

// Generated from the target's textproto (bench.bzl).
extern const char kBenchConfigText[];
extern const char kBenchConfigName[];

namespace {

absl::Status CheckFlags() {
  if (!(FLAGS_max_seconds >= 0)) {  // NaN is not
    return absl::InvalidArgumentError(absl::StrCat("flag --max_seconds=", FLAGS_max_seconds, ", expected 0 or more"));
  }
  return CheckThreads(FLAGS_threads);
}

absl::Status WriteJson(const BenchReport& report, const std::string& path) {
  ASSIGN_OR_RETURN(const std::string json, ReportJson(report));
  return WriteFileAtomically(path, {json});
}

absl::Status AddPeers(int threads, std::vector<std::unique_ptr<Subject>>* subjects) {
  if (FLAGS_peers == "false") return absl::OkStatus();
  const std::vector<std::string> names =
      absl::StrSplit(FLAGS_peers == "true" ? "" : FLAGS_peers, ',', absl::SkipEmpty());
  ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Subject>> peers, PeerSubjects(names, threads));
  std::move(peers.begin(), peers.end(), std::back_inserter(*subjects));
  return absl::OkStatus();
}

absl::StatusOr<BenchReport> Run() {
  BenchConfig config;
  RETURN_IF_ERROR(ParseTextproto(kBenchConfigText, kBenchConfigName, &config));
  if (FLAGS_max_seconds > 0) config.set_max_seconds(FLAGS_max_seconds);
  ThreadPool pool(FLAGS_threads > 0 ? FLAGS_threads : AvailableCpus());
  const std::vector<std::string> names = absl::StrSplit(FLAGS_lstm, ',', absl::SkipEmpty());
  ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Subject>> subjects, TrainerSubjects(names, &pool));
  RETURN_IF_ERROR(AddPeers(pool.num_threads(), &subjects));
  ASSIGN_OR_RETURN(const BenchReport report, RunBench(config, subjects, &pool, &std::cerr));
  // A report that cannot be written in one place is still written to the other.
  const absl::Status written = FLAGS_json.empty() ? absl::OkStatus() : WriteJson(report, UserPath(FLAGS_json));
  std::cout << ReportTable(report) << std::flush;
  RETURN_IF_ERROR(written);
  if (!std::cout) return absl::DataLossError("cannot write the results to stdout");
  return report;
}

int Main(int argc, char** argv) {
  const std::string usage =
      absl::StrCat("times training steps: ", kBenchConfigName, "\nLSTM implementations: ", LstmImplementationNames(),
                   "\nPeers: ", PeerNames());
  const absl::optional<int> done = StartProgram(argc, argv, usage, "bench_main", /*arguments=*/nullptr);
  if (done.has_value()) return *done;
  const absl::Status flags = CheckFlags();
  if (!flags.ok()) return ReportError(kUsage, flags.message());
  const absl::StatusOr<BenchReport> report = Run();
  if (!report.ok()) return ReportError(kFailure, report.status().message());
  for (const BenchRow& row : report->rows()) {
    if (row.verified() || row.has_peer()) continue;  // a peer's error is not ours
    return ReportError(kFailure, absl::StrCat(row.implementation(), " disagrees with the reference: ", row.problem()));
  }
  return 0;
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) { return earshot::Main(argc, argv); }
