// //asr:train: trains a recogniser. See --help and README.md.
#include <gflags/gflags.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "asr/recipes/recipes.h"
#include "asr/train_run.h"
#include "base/command_line.h"
#include "base/status_macros.h"

DECLARE_bool(help);
DECLARE_bool(helpshort);

DEFINE_string(recipe, "", "name of a built-in recipe, or path of a TrainConfig as .textproto");
DEFINE_string(
    data, "",
    "corpus: an FSDD or AN4 folder, recognised by its content. Empty: speech that espeak-ng makes, cached under "
    "$XDG_CACHE_HOME/earshot");
DEFINE_string(lstm, "", "LSTM implementation (bazel run //lstm:implementations lists them). Empty: the recipe's");
DEFINE_int64(seed, -1, "seed of everything random. -1: the recipe's");
DEFINE_string(set, "",
              "textproto merged over the recipe, e.g. --set='optimizer { learning_rate: 1e-3 }'. May be repeated");
DEFINE_string(out, "", "run directory. Empty: exp/<recipe>");
DEFINE_bool(resume, false, "go on from the run directory's newest checkpoint, with its configuration");
DEFINE_bool(overwrite, false, "start anew in a directory that holds a run, and delete that");
DEFINE_bool(quiet, false, "no progress, results only");

namespace {

std::atomic<bool> stop_requested{false};
std::atomic<int64_t> stop_milliseconds{0};  // when that was

int64_t Milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

// The first signal asks for a checkpoint and a clean end. One that comes more than a second later ends the process at
// once, and as that signal does: 75 would promise a checkpoint. (timeout(1) sends each signal twice in a row.)
void OnSignal(int signal) {
  const int64_t now = Milliseconds();
  if (!stop_requested.load()) {
    stop_milliseconds = now;
    stop_requested = true;
  } else if (now - stop_milliseconds > 1000) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
}

// gflags' own parser keeps only the last value of a repeated flag and leaves the program with 1. Every --set is added
// to `sets`.
absl::Status ParseFlags(int argc, char** argv, std::vector<std::string>* sets) {
  const auto is_switch = [](const std::string& name) {
    gflags::CommandLineFlagInfo info;
    return gflags::GetCommandLineFlagInfo(name.c_str(), &info) && info.type == "bool";
  };
  ASSIGN_OR_RETURN(const earshot::CommandLine line, earshot::ParseCommandLine(argc, argv, is_switch));
  for (const auto& flag : line.flags) {
    if (flag.first == "set") sets->push_back(flag.second);
    if (gflags::SetCommandLineOption(flag.first.c_str(), flag.second.c_str()).empty()) {
      return absl::InvalidArgumentError(absl::StrCat("flag --", flag.first, "=", flag.second, " has no meaning"));
    }
  }
  if (line.arguments.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("unexpected argument ", line.arguments[0]));
}

int Usage(absl::string_view message) {
  std::fprintf(stderr, "error: %s (--help explains the flags)\n", std::string(message).c_str());
  return 2;
}

int Failure(absl::string_view message) {
  std::fprintf(stderr, "error: %s\n", std::string(message).c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const absl::Status streams = earshot::PrepareStandardStreams();
  if (!streams.ok()) return Failure(streams.message());
  std::vector<std::string> sets;
  const absl::Status usage = ParseFlags(argc, argv, &sets);
  gflags::SetUsageMessage(absl::StrCat(
      "trains a speech recogniser and reports its error rate on the test set.\n"
      "  bazel run //asr:train -- --recipe=R [--data=D] [--lstm=I] [--seed=S] [--set=TEXTPROTO]... [--out=DIR] "
      "[--resume]\nrecipes: ",
      absl::StrJoin(earshot::RecipeNames(), ", "),
      "\nThe run directory receives config.textproto, metrics.jsonl, best/last/previous.safetensors and "
      "result.json.\nExit codes: 0 done, 1 failure, 2 usage, 75 stopped by a signal and resumable."));
  if (FLAGS_help || FLAGS_helpshort) {
    gflags::ShowUsageWithFlagsRestrict(argv[0], "train_main");
    return 0;
  }
  if (!usage.ok()) return Usage(usage.message());
  if (FLAGS_recipe.empty() && !(FLAGS_resume && !FLAGS_out.empty())) {
    return Usage(absl::StrCat("--recipe is missing, expected one of ", absl::StrJoin(earshot::RecipeNames(), ", "),
                              " or a path"));
  }
  if (FLAGS_seed < -1) return Usage(absl::StrCat("flag --seed=", FLAGS_seed, ", expected at least 0, or -1"));
  if (FLAGS_resume && FLAGS_overwrite) return Usage("--resume and --overwrite exclude each other");

  struct sigaction action = {};
  action.sa_handler = OnSignal;
  for (int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);  // a closed stdout is an error of that write

  earshot::TrainRunOptions options;
  options.recipe = FLAGS_recipe;
  options.data = FLAGS_data;
  options.lstm = FLAGS_lstm;
  options.seed = FLAGS_seed;
  options.sets = sets;
  options.out = FLAGS_out;
  options.resume = FLAGS_resume;
  options.overwrite = FLAGS_overwrite;
  options.quiet = FLAGS_quiet;
  const absl::StatusOr<bool> finished = earshot::RunTraining(options, stop_requested);
  if (!finished.ok()) return Failure(finished.status().message());
  if (!*finished) {
    std::fprintf(stderr, "stopped; --resume goes on from here\n");
    return 75;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) return Failure("cannot write the results to stdout");
  return 0;
}
