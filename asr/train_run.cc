#include "asr/train_run.h"

#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "asr/checkpoint/run_directory.h"
#include "asr/evaluate.h"
#include "asr/progress.h"
#include "asr/train_checkpoint.h"
#include "asr/train_config.h"
#include "asr/trainer.h"
#include "asr/training_data.h"
#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "data/corpus.h"
#include "data/feature_config.h"
#include "lstm/registry.h"

namespace earshot {
namespace {

// The configuration and data path of this run: of the recipe, or of the checkpoint that is resumed, with the flags'
// changes over it.
struct Resolved {
  TrainConfig config;
  std::string data;  // absolute, or empty
};

absl::Status ApplyFlags(const TrainRunOptions& options, TrainConfig* config) {
  if (!options.lstm.empty()) config->mutable_model()->mutable_lstm()->set_implementation(options.lstm);
  if (options.seed >= 0) config->set_seed(options.seed);
  RETURN_IF_ERROR(ValidateTrainConfig(*config));
  // Reading the corpus takes its time, and making one even more.
  return Annotate(FindAvailableLstmImplementation(config->model().lstm().implementation()).status(),
                  "model.lstm.implementation");
}

absl::StatusOr<Resolved> ResolveFresh(const TrainRunOptions& options) {
  Resolved r;
  ASSIGN_OR_RETURN(r.config, LoadTrainConfig(options.recipe, options.sets));
  RETURN_IF_ERROR(ApplyFlags(options, &r.config));
  if (!options.data.empty()) r.data = UserPath(options.data);
  return r;
}

absl::StatusOr<Resolved> ResolveResumed(const TrainRunOptions& options, const Checkpoint& checkpoint) {
  Resolved r;
  ASSIGN_OR_RETURN(r.config, CheckpointConfig(checkpoint));
  for (const std::string& set : options.sets) RETURN_IF_ERROR(MergeTextproto(set, "--set", &r.config));
  RETURN_IF_ERROR(ApplyFlags(options, &r.config));
  ASSIGN_OR_RETURN(const TrainState state, CheckpointState(checkpoint));
  r.data = options.data.empty() ? state.data() : UserPath(options.data);
  return r;
}

std::string DefaultDirectory(const std::string& recipe) {
  const size_t slash = recipe.rfind('/');
  std::string name = slash == std::string::npos ? recipe : recipe.substr(slash + 1);
  const size_t dot = name.find('.');
  return UserPath(absl::StrCat("exp/", name.substr(0, dot)));
}

absl::StatusOr<Corpus> OpenRunCorpus(const Resolved& resolved, int num_threads, const TrainRunOptions& run) {
  const CorpusConfig& config = resolved.config.corpus();
  CorpusOptions options;
  options.without_path = config.synthetic() == CorpusConfig::SPOKEN_SENTENCES ? CorpusOptions::Default::kSpokenSentences
                                                                              : CorpusOptions::Default::kSpokenDigits;
  for (SpokenOptions* spoken : {&options.spoken_digits, &options.spoken_sentences}) {
    spoken->seed = config.corpus_seed();
    spoken->train = config.train_utterances();
    spoken->dev = config.dev_utterances();
    spoken->test = config.test_utterances();
    spoken->num_threads = num_threads;
    spoken->show_progress = !run.quiet;
  }
  options.max_digits = config.max_words();
  options.fsdd.test_speaker = config.held_out_speaker();
  options.allow_commands = run.allow_commands;
  return OpenCorpus(resolved.data, options);
}

absl::Status WriteResult(const std::string& path, const TrainConfig& config, Trainer* trainer, const ErrorRate& test) {
  const std::string json = absl::StrFormat(
      "{\"recipe\": %s, \"lstm\": %s, \"seed\": %d, \"parameters\": %d, \"train_seconds\": %.1f, \"epochs\": %d,\n"
      " \"test\": {\"utterances\": %d, \"words\": %d, \"wer\": %s, \"cer\": %s, \"sentence_error\": %s}}\n",
      JsonString(config.name()), JsonString(config.model().lstm().implementation()), config.seed(),
      trainer->num_parameters(), trainer->train_seconds(), trainer->state().epoch(), test.sentences(),
      test.words().reference, JsonNumber(test.words().percent()), JsonNumber(test.characters().percent()),
      JsonNumber(test.sentence_error()));
  return WriteFileAtomically(path, {json});
}

}  // namespace

absl::StatusOr<bool> RunTraining(const TrainRunOptions& options, const std::atomic<bool>& stop) {
  Progress progress(stderr, options.quiet);
  const auto report = [&](const std::string& line) { progress.Print(line); };
  const std::string path = options.out.empty() ? DefaultDirectory(options.recipe) : UserPath(options.out);

  Resolved resolved;
  RunDirectory::Newest newest;
  std::unique_ptr<RunDirectory> directory;
  if (!options.resume) {
    // Before anything is created: a mistake in a flag leaves nothing behind.
    ASSIGN_OR_RETURN(resolved, ResolveFresh(options));
  }
  ASSIGN_OR_RETURN(directory, RunDirectory::Open(path));
  if (options.resume) {
    absl::StatusOr<RunDirectory::Newest> found = directory->LoadNewest();
    if (absl::IsNotFound(found.status())) {
      return absl::NotFoundError(
          absl::StrCat(path, ": no run to go on with (no last.safetensors); start without --resume"));
    }
    RETURN_IF_ERROR(found.status());
    newest = *std::move(found);
    if (!newest.warning.empty()) progress.Warn(absl::StrCat("warning: ", newest.warning));
    const absl::StatusOr<Resolved> resumed = ResolveResumed(options, newest.checkpoint);
    RETURN_IF_ERROR(Annotate(resumed.status(), newest.path));
    resolved = *resumed;
  } else if (!options.overwrite) {
    const absl::Status found = directory->LoadNewest().status();
    if (found.ok() || absl::IsInvalidArgument(found)) {  // intact, or damaged
      return absl::FailedPreconditionError(absl::StrCat(
          path,
          ": holds a run already; --resume goes on with it, --out=DIR takes another place, --overwrite deletes it"));
    }
    if (!absl::IsNotFound(found)) return found;
  }

  TrainConfig& config = resolved.config;
  ThreadPool pool(config.threads() > 0 ? config.threads() : AvailableCpus());
  ASSIGN_OR_RETURN(const Corpus corpus, OpenRunCorpus(resolved, pool.num_threads(), options));
  for (const std::string& warning : corpus.warnings) progress.Warn(absl::StrCat("warning: ", warning));
  report(absl::StrCat("corpus: ", corpus.kind, resolved.data.empty() ? "" : " in ", resolved.data));
  absl::optional<NormalizationStats> stats;
  if (options.resume && config.features().normalization() == FeatureConfig::GLOBAL) {
    const absl::StatusOr<NormalizationStats> stored =
        CheckpointStats(newest.checkpoint, NumFeatures(config.features()));
    RETURN_IF_ERROR(Annotate(stored.status(), newest.path));
    stats = *stored;
  }
  ASSIGN_OR_RETURN(
      const std::unique_ptr<TrainingData> data,
      PrepareTrainingData(corpus, stats.has_value() ? &*stats : nullptr, pool.num_threads(), &config, report));
  ASSIGN_OR_RETURN(const std::unique_ptr<Trainer> trainer,
                   Trainer::Create(config, data.get(), directory.get(), &pool, &progress));
  // The files of an older run are replaced only now, when nothing can be wrong with the flags any more (Resume looks at
  // the checkpoint before it touches a file).
  if (options.overwrite) RETURN_IF_ERROR(directory->Clear());
  RETURN_IF_ERROR(options.resume ? Annotate(trainer->Resume(newest.checkpoint, resolved.data), newest.path)
                                 : trainer->StartFresh(resolved.data));
  const std::string result_path = absl::StrCat(path, "/result.json");
  if (!trainer->finished()) RETURN_IF_ERROR(RemoveFile(result_path));
  RETURN_IF_ERROR(WriteFileAtomically(absl::StrCat(path, "/config.textproto"), {PrintTextproto(config)}));
  report(absl::StrFormat("%d parameters, %s on %d threads, seed %d, run directory %s", trainer->num_parameters(),
                         config.model().lstm().implementation(), pool.num_threads(), config.seed(), path));
  ASSIGN_OR_RETURN(const bool finished, trainer->Run([&stop] { return stop.load(); }));
  if (!finished) return false;

  ASSIGN_OR_RETURN(const Evaluation test, trainer->EvaluateBest());
  const ErrorRate& errors = test.errors;
  RETURN_IF_ERROR(WriteResult(result_path, config, trainer.get(), errors));
  if (errors.words().errors() > 0) report(absl::StrCat("the worst of the test set:\n", errors.WorstAlignments(5)));
  std::printf("%s\n%s\n%s\n%s\n", errors.ScoredLine().c_str(), errors.CerLine().c_str(), errors.SerLine().c_str(),
              errors.WerLine().c_str());
  return true;
}

}  // namespace earshot
