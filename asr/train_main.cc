// //asr:train: trains a recogniser. See --help and README.md.
#include <gflags/gflags.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "asr/recipes/recipes.h"
#include "asr/train_run.h"
#include "base/command_line.h"
#include "base/program.h"
#include "base/stop_signal.h"
#include "lstm/registry.h"

DEFINE_string(recipe, "", "name of a built-in recipe, or path of a TrainConfig as .textproto");
DEFINE_string(
    data, "",
    "corpus: a folder of FSDD, AN4, Kaldi data directories or manifests (train, dev, test), recognised by its content. "
    "Empty: speech that espeak-ng makes, cached under $XDG_CACHE_HOME/earshot");
DEFINE_string(lstm, "", "LSTM implementation (bazel run //lstm:implementations lists them). Empty: the recipe's");
DEFINE_int64(seed, -1, "seed of everything random. -1: the recipe's");
DEFINE_string(set, "",
              "textproto merged over the recipe, e.g. --set='optimizer { learning_rate: 1e-3 }'. May be repeated");
DEFINE_string(out, "", "run directory. Empty: exp/<recipe>");
DEFINE_bool(resume, false, "go on from the run directory's newest checkpoint, with its configuration");
DEFINE_bool(overwrite, false, "start anew in a directory that holds a run, and delete that");
DEFINE_bool(allow_commands, false, "run the shell commands that a Kaldi folder or a manifest has in place of files");
DEFINE_bool(quiet, false, "no progress, results only");

int main(int argc, char** argv) {
  using earshot::kFailure;
  using earshot::kUsage;
  using earshot::ReportError;
  const std::string usage = absl::StrCat(
      "trains a speech recogniser and reports its error rate on the test set.\n"
      "  bazel run //asr:train -- --recipe=R [--data=D] [--lstm=I] [--seed=S] [--set=TEXTPROTO]... [--out=DIR] "
      "[--resume]\nrecipes: ",
      absl::StrJoin(earshot::RecipeNames(), ", "), "\nLSTM implementations: ", earshot::LstmImplementationNames(),
      "\nThe run directory receives config.textproto, metrics.jsonl, best/last/previous.safetensors and "
      "result.json.\nExit codes: 0 done, 1 failure, 2 usage, 75 stopped by a signal and resumable.");
  std::vector<std::string> sets;
  const absl::optional<int> done =
      earshot::StartProgram(argc, argv, usage, "train_main", /*arguments=*/nullptr, "set", &sets);
  if (done.has_value()) return *done;
  if (FLAGS_recipe.empty() && FLAGS_resume && FLAGS_out.empty())
    return ReportError(kUsage, "--resume needs --out=DIR or --recipe");
  if (FLAGS_recipe.empty() && !FLAGS_resume) {
    return ReportError(kUsage, absl::StrCat("--recipe is missing, expected one of ",
                                            absl::StrJoin(earshot::RecipeNames(), ", "), " or a path"));
  }
  if (FLAGS_seed < -1)
    return ReportError(kUsage, absl::StrCat("flag --seed=", FLAGS_seed, ", expected at least 0, or -1"));
  if (FLAGS_resume && FLAGS_overwrite) return ReportError(kUsage, "--resume and --overwrite exclude each other");

  // The first asks for a checkpoint and a clean end; after the second, 75 would promise a checkpoint.
  earshot::CatchStopSignals({SIGINT, SIGTERM, SIGUSR1});
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
  options.allow_commands = FLAGS_allow_commands;
  options.quiet = FLAGS_quiet;
  const absl::StatusOr<bool> finished = earshot::RunTraining(options, earshot::StopRequested());
  if (!finished.ok()) return ReportError(kFailure, finished.status().message());
  if (!*finished) {
    std::fprintf(stderr, "stopped; --resume goes on from here\n");
    return 75;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return ReportError(kFailure, "cannot write the results to stdout");
  return 0;
}
