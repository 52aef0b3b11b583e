// //bench:time_to_accuracy: trains the same recipe with several LSTM implementations and seeds, and says how long each
// takes to a stated error, and whether they converge alike.
#include <gflags/gflags.h>
#include <signal.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "asr/train_config.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/program.h"
#include "base/program_path.h"
#include "base/random.h"
#include "base/status_macros.h"
#include "base/stop_signal.h"
#include "base/thread_pool.h"
#include "bench/bench.pb.h"
#include "bench/flag_list.h"
#include "bench/machine.h"
#include "bench/report_json.h"
#include "bench/training_curve.h"
#include "bench/training_run.h"
#include "data/subprocess.h"
#include "lstm/registry.h"

DEFINE_string(lstm, "simd,onednn,blas,fused_cell,basic", "LSTM implementations, separated by commas");
DEFINE_int32(seeds, 5, "runs of each, with the seeds 1, 2, ...");
DEFINE_double(target, 5, "error rate on the dev set that a run has to reach, in percent");
DEFINE_string(recipe, "digits", "recipe of //asr:train");
DEFINE_string(data, "", "corpus of //asr:train; empty: what espeak-ng speaks");
DEFINE_string(set, "",
              "textproto merged over the recipe; may be repeated. None: 'train_frames: 2500000', a minute or so");
DEFINE_string(out, "time_to_accuracy",
              "folder of the runs; what is finished there is not trained again, what was begun is resumed");
DEFINE_string(json, "", "file for the report as JSON (BenchReport of bench/bench.proto); empty: none");

namespace earshot {
namespace {

constexpr char kDefaultSet[] = "train_frames: 2500000";

// Seed by seed, the implementations in another random order each time, so that a disturbance hits all alike.
absl::StatusOr<std::vector<TrainingRun>> Plan() {
  std::vector<std::string> names = FlagList(FLAGS_lstm);
  for (const std::string& name : names) RETURN_IF_ERROR(FindAvailableLstmImplementation(name).status());
  std::vector<TrainingRun> runs;
  for (int seed = 1; seed <= FLAGS_seeds; ++seed) {
    RandomStream(seed, RandomPurpose::kBench).Shuffle(&names);
    for (const std::string& name : names) {
      runs.push_back({name, static_cast<uint64_t>(seed), absl::StrCat(UserPath(FLAGS_out), "/", name, "-", seed)});
    }
  }
  return runs;
}

absl::Status Train(const TrainingRun& run, RunState state, const std::vector<std::string>& sets) {
  std::vector<std::string> arguments = {RunfilePath("asr/train"), "--quiet", absl::StrCat("--out=", run.directory)};
  if (state == RunState::kBegun) {
    arguments.push_back("--resume");
  } else {
    for (const std::string& argument :
         {absl::StrCat("--recipe=", FLAGS_recipe), absl::StrCat("--lstm=", run.implementation),
          absl::StrCat("--seed=", run.seed)}) {
      arguments.push_back(argument);
    }
    if (!FLAGS_data.empty()) arguments.push_back(absl::StrCat("--data=", UserPath(FLAGS_data)));
    for (const std::string& set : sets) arguments.push_back(absl::StrCat("--set=", set));
  }
  SubprocessOptions options;
  options.timeout_seconds = 24 * 3600;
  options.stop = &StopRequested();
  options.stops_cleanly = true;
  const absl::Status status = RunProgram(arguments, options).status();
  if (status.ok()) return status;
  // What it wrote after its program's long path and "exited with 1: error: "; or how it ended, if it said nothing.
  absl::string_view message = status.message();
  absl::ConsumePrefix(&message, arguments[0] + ": ");
  const size_t error = message.find("error: ");
  if (error != absl::string_view::npos) message.remove_prefix(error + 7);
  return absl::Status(status.code(), absl::StrCat(run.implementation, ", seed ", run.seed, ": ", message));
}

// "training of digits { train_frames: 2500000 } on /corpus to 5 % dev WER": tells records of two recipes apart.
std::string Describe(const std::vector<std::string>& sets) {
  return absl::StrCat("training of ", FLAGS_recipe, " { ", OneLine(absl::StrJoin(sets, " ")), " }",
                      FLAGS_data.empty() ? "" : absl::StrCat(" on ", UserPath(FLAGS_data)), " to ", FLAGS_target,
                      " % dev WER");
}

absl::StatusOr<BenchReport> Run(const std::vector<std::string>& sets) {
  ASSIGN_OR_RETURN(std::vector<TrainingRun> runs, Plan());
  TrainingSettings settings;
  ASSIGN_OR_RETURN(settings.config, LoadTrainConfig(FLAGS_recipe, sets));
  if (!FLAGS_data.empty()) settings.data = UserPath(FLAGS_data);
  RETURN_IF_ERROR(MakeDirectories(UserPath(FLAGS_out)));
  // All of them before the first minute is spent.
  for (const TrainingRun& run : runs) RETURN_IF_ERROR(CheckTrainingRun(run, &settings).status());
  BenchReport report;
  report.mutable_config()->set_name("time_to_accuracy");
  report.mutable_config()->set_summary(Describe(sets));
  report.set_target_error(FLAGS_target);
  MachineRecorder recorder(AvailableCpus());
  for (const TrainingRun& run : runs) {
    ASSIGN_OR_RETURN(const RunState state, CheckTrainingRun(run, &settings));
    if (state != RunState::kFinished) {
      if (StopRequested()) return absl::CancelledError("stopped between two runs");
      RETURN_IF_ERROR(Train(run, state, sets));
      RETURN_IF_ERROR(CheckTrainingRun(run, &settings).status());  // the corpus may have changed since the first
    }
    ASSIGN_OR_RETURN(const TrainingCurve curve, ReadTrainingCurve(run.directory, FLAGS_target));
    if (curve.implementation() != run.implementation || curve.seed() != run.seed) {
      return absl::FailedPreconditionError(absl::StrCat(run.directory, "/result.json is of ", curve.implementation(),
                                                        " with seed ", curve.seed(), ", expected ", run.implementation,
                                                        " and ", run.seed, ": remove that folder"));
    }
    std::cerr << run.implementation << ", seed " << run.seed << ": test WER " << curve.test_error() << " %, "
              << curve.epoch(curve.epoch_size() - 1).seconds() << " s" << std::endl;
    *report.add_curves() = curve;
  }
  *report.mutable_machine() = recorder.Finish();
  // With what the corpus decided; each curve names its implementation and seed.
  settings.config.mutable_model()->mutable_lstm()->clear_implementation();
  settings.config.clear_seed();
  *report.mutable_config()->mutable_train() = settings.config;
  // Rows in the order of the flag.
  const std::vector<std::string> names = FlagList(FLAGS_lstm);
  const auto place = [&](const TrainingCurve& c) {
    return std::find(names.begin(), names.end(), c.implementation()) - names.begin();
  };
  std::stable_sort(report.mutable_curves()->begin(), report.mutable_curves()->end(),
                   [&](const TrainingCurve& a, const TrainingCurve& b) { return place(a) < place(b); });
  return report;
}

int Main(int argc, char** argv) {
  const std::string usage = absl::StrCat(
      "trains a recipe with several LSTM implementations and seeds: seconds to a stated error, curves, and whether "
      "they converge alike\nexit codes: 0 done, 1 failure, 2 usage, 75 stopped by a signal: the same command goes on\n"
      "LSTM implementations: ",
      LstmImplementationNames());
  const std::vector<std::string> flags(argv + 1, argv + argc);
  std::vector<std::string> sets;
  const absl::optional<int> done =
      StartProgram(argc, argv, usage, "time_to_accuracy_main", /*arguments=*/nullptr, "set", &sets);
  if (done.has_value()) return *done;
  if (FLAGS_seeds < 1) return ReportError(kUsage, absl::StrCat("flag --seeds=", FLAGS_seeds, ", expected 1 or more"));
  if (!(FLAGS_target >= 0)) {
    return ReportError(kUsage, absl::StrCat("flag --target=", FLAGS_target, ", expected 0 or more"));
  }
  if (FlagList(FLAGS_lstm).empty()) return ReportError(kUsage, "flag --lstm= names none");
  const absl::Status names = CheckNames("lstm", FlagList(FLAGS_lstm));
  if (!names.ok()) return ReportError(kUsage, names.message());
  if (sets.empty()) sets = {kDefaultSet};
  CatchStopSignals({SIGINT, SIGTERM});
  absl::StatusOr<BenchReport> report = Run(sets);
  if (absl::IsCancelled(report.status())) {
    std::cerr << "stopped; the same command goes on from here" << std::endl;
    return kStopped;
  }
  if (!report.ok()) return ReportError(kFailure, report.status().message());
  *report->mutable_flags() = {flags.begin(), flags.end()};
  std::cout << TrainingCurvesTable(*report) << std::flush;
  if (!std::cout) return ReportError(kFailure, "cannot write the results to stdout");
  if (FLAGS_json.empty()) return 0;
  const absl::StatusOr<std::string> json = ReportJson(*report);
  const absl::Status written = json.ok() ? WriteFileAtomically(UserPath(FLAGS_json), {*json}) : json.status();
  return written.ok() ? 0 : ReportError(kFailure, written.message());
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) { return earshot::Main(argc, argv); }
