#include "bench/training_run.h"

#include <google/protobuf/util/message_differencer.h>
#include <unistd.h>

#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "asr/checkpoint/run_directory.h"
#include "asr/train_checkpoint.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "data/augment.h"

namespace earshot {
namespace {

using google::protobuf::util::MessageDifferencer;

// The trainer lets the corpus decide these where the recipe does not, and records what it decided
// (asr/training_data.cc).
void TakeFromCorpus(const TrainConfig& recorded, TrainConfig* config) {
  if (config->tokens().token_size() == 0) *config->mutable_tokens()->mutable_token() = recorded.tokens().token();
  if (!config->has_epochs() && recorded.has_epochs()) config->set_epochs(recorded.epochs());
  if (config->features().precomputed_dims() == 0 && recorded.features().precomputed_dims() > 0) {
    config->mutable_features()->set_precomputed_dims(recorded.features().precomputed_dims());
    config->mutable_features()->set_delta_order(0);
  }
  DropUnfitAugment(config->features(), config->mutable_augment());
}

// "epochs: 20 -> 2", the first field that differs; empty: none does.
std::string FirstDifference(const TrainConfig& recorded, const TrainConfig& asked) {
  MessageDifferencer differencer;
  differencer.set_message_field_comparison(MessageDifferencer::EQUIVALENT);
  std::string text;
  differencer.ReportDifferencesToString(&text);
  if (differencer.Compare(recorded, asked)) return "";
  absl::string_view first = text;
  absl::ConsumePrefix(&first, "modified: ");  // else "added: " here, or "deleted: "
  return OneLine(first.substr(0, first.find('\n')));
}

absl::Status OtherRun(const TrainingRun& run, absl::string_view difference) {
  return absl::FailedPreconditionError(absl::StrCat(run.directory,
                                                    " holds a run of other settings (there -> asked for): ", difference,
                                                    "; take another --out, or remove that folder"));
}

}  // namespace

absl::StatusOr<RunState> CheckTrainingRun(const TrainingRun& run, TrainingSettings* settings) {
  if (!IsDirectory(run.directory)) return RunState::kNone;
  ASSIGN_OR_RETURN(const std::unique_ptr<RunDirectory> directory, RunDirectory::Open(run.directory));
  const bool finished = access((run.directory + "/result.json").c_str(), F_OK) == 0;
  const absl::StatusOr<RunDirectory::Newest> newest = directory->LoadNewest();
  if (absl::IsNotFound(newest.status()) && !finished) return RunState::kNone;
  if (absl::IsNotFound(newest.status())) {
    return absl::FailedPreconditionError(
        absl::StrCat(run.directory, ": a result.json but no last.safetensors, which says what was trained: remove it"));
  }
  RETURN_IF_ERROR(newest.status());
  const absl::StatusOr<TrainConfig> recorded = CheckpointConfig(newest->checkpoint);
  const absl::StatusOr<TrainState> state = CheckpointState(newest->checkpoint);
  RETURN_IF_ERROR(Annotate(recorded.status(), newest->path));
  RETURN_IF_ERROR(Annotate(state.status(), newest->path));

  if (state->data() != settings->data) {
    const auto name = [](const std::string& data) { return data.empty() ? "none" : OneLine(data); };
    return OtherRun(run, absl::StrCat("--data: ", name(state->data()), " -> ", name(settings->data)));
  }
  TrainingSettings asked = *settings;
  TakeFromCorpus(*recorded, &asked.config);
  asked.config.mutable_model()->mutable_lstm()->set_implementation(run.implementation);
  asked.config.set_seed(run.seed);
  const std::string difference = FirstDifference(*recorded, asked.config);
  if (!difference.empty()) return OtherRun(run, difference);
  TakeFromCorpus(*recorded, &settings->config);
  return finished ? RunState::kFinished : RunState::kBegun;
}

}  // namespace earshot
