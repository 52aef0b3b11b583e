#include "asr/trainer.h"

#include <chrono>
#include <cmath>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "asr/schedule.h"
#include "asr/selection.h"
#include "asr/train_checkpoint.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The number behind "key": in a line of metrics.jsonl, which this file writes itself; -1 when there is none.
double NumberAfter(absl::string_view line, absl::string_view key) {
  const std::string quoted = absl::StrCat("\"", key, "\":");
  const size_t at = line.find(quoted);
  if (at == absl::string_view::npos) return -1;
  absl::string_view rest = line.substr(at + quoted.size());
  double value;
  return absl::SimpleAtod(rest.substr(0, rest.find_first_of(",}")), &value) ? value : -1;
}

}  // namespace

Trainer::Trainer(const TrainConfig& config, const TrainingData* data, RunDirectory* directory, Progress* progress)
    : config_(config), data_(data), directory_(directory), progress_(progress) {}

absl::StatusOr<std::unique_ptr<Trainer>> Trainer::Create(const TrainConfig& config, const TrainingData* data,
                                                         RunDirectory* directory, ThreadPool* pool,
                                                         Progress* progress) {
  std::unique_ptr<Trainer> trainer(new Trainer(config, data, directory, progress));
  ASSIGN_OR_RETURN(trainer->step_,
                   TrainStep::Create(config, data->train.store.dimensions(), data->tokens->num_classes(), pool));
  ASSIGN_OR_RETURN(trainer->train_, data->TrainBatcher(config));
  ASSIGN_OR_RETURN(trainer->dev_, data->EvaluationBatcher(config, data->dev));
  ASSIGN_OR_RETURN(trainer->test_, data->EvaluationBatcher(config, data->test));
  trainer->steps_before_ = {0};
  for (int64_t epoch = 0; epoch < config.epochs(); ++epoch) {
    trainer->steps_before_.push_back(trainer->total_steps() + trainer->train_->StepsInEpoch(epoch));
  }
  return trainer;
}

absl::Status Trainer::OpenMetrics() {
  const double last_step = state_.step(), last_epoch = state_.epoch();
  return metrics_.Open(directory_->path() + "/metrics.jsonl", [&](absl::string_view line) {
    // What follows the checkpoint is going to happen again.
    const bool epoch_end = absl::StrContains(line, "\"dev_loss\":");
    const bool keep =
        NumberAfter(line, "step") <= last_step && (!epoch_end || NumberAfter(line, "epoch") <= last_epoch);
    if (keep) train_seconds_ = std::max(train_seconds_, NumberAfter(line, "seconds"));
    return keep;
  });
}

absl::Status Trainer::StartFresh(const std::string& data_path) {
  state_.Clear();
  state_.set_format(kTrainStateFormat);
  state_.set_data(data_path);
  state_.set_step(-1);  // keeps no line of an older run
  step_->model().Initialize(config_.seed());
  RETURN_IF_ERROR(OpenMetrics());
  state_.set_step(0);
  return Save(false);  // killed in its first epoch, too, a run can be resumed
}

absl::Status Trainer::Resume(const Checkpoint& checkpoint, const std::string& data_path) {
  ASSIGN_OR_RETURN(state_, CheckpointState(checkpoint));
  state_.set_data(data_path);
  RETURN_IF_ERROR(RestoreTraining(checkpoint, step_.get()));
  if (state_.epoch() > config_.epochs()) {
    return absl::InvalidArgumentError(absl::StrCat("the checkpoint has ", state_.epoch(),
                                                   " epochs behind it, expected at most epochs = ", config_.epochs()));
  }
  if (state_.epoch() < config_.epochs() && state_.step_in_epoch() > steps_in_epoch(state_.epoch())) {
    return absl::InvalidArgumentError(absl::StrCat("the checkpoint is at step ", state_.step_in_epoch(),
                                                   " of its epoch, expected at most ", steps_in_epoch(state_.epoch()),
                                                   ": the corpus or the batches are not those of the run"));
  }
  RETURN_IF_ERROR(OpenMetrics());
  progress_->Print(absl::StrFormat("resuming at epoch %d, step %d", state_.epoch() + 1, state_.step()));
  return absl::OkStatus();
}

SchedulePosition Trainer::Position() const {
  SchedulePosition position;
  position.step = state_.step();
  position.total_steps = total_steps();
  position.epoch = static_cast<int>(state_.epoch());
  position.halvings = state_.halvings();
  return position;
}

bool Trainer::finished() const {
  return state_.epoch() >= config_.epochs() || PatienceUsedUp(state_, config_.patience());
}

absl::StatusOr<bool> Trainer::Run(absl::FunctionRef<bool()> stop) {
  while (!finished()) {
    if (stop()) {
      RETURN_IF_ERROR(Save(false));
      return false;
    }
    const Clock::time_point start = Clock::now();
    if (state_.step_in_epoch() < steps_in_epoch(state_.epoch())) {
      RETURN_IF_ERROR(RunStep());
      train_seconds_ += SecondsSince(start);
      const int every = config_.checkpoint_steps();
      if (every > 0 && state_.step() % every == 0) RETURN_IF_ERROR(Save(false));
    } else {
      RETURN_IF_ERROR(FinishEpoch());
    }
  }
  return true;
}

absl::Status Trainer::RunStep() {
  const Clock::time_point start = Clock::now();
  RETURN_IF_ERROR(train_->Get(state_.epoch(), state_.step_in_epoch(), &batch_));
  const double learning_rate = LearningRate(config_.schedule(), config_.optimizer().learning_rate(), Position());
  ASSIGN_OR_RETURN(const StepStats stats, step_->Run(batch_, static_cast<float>(learning_rate), state_.step()));
  state_.set_step(state_.step() + 1);
  state_.set_step_in_epoch(state_.step_in_epoch() + 1);
  state_.set_updates(step_->optimizer().updates());
  if (!stats.impossible.empty()) {
    progress_->Warn(absl::StrCat("too few frames for their labels, left out: ", absl::StrJoin(stats.impossible, " ")));
  }
  if (!stats.skipped.empty()) {
    RETURN_IF_ERROR(HandleSkipped(stats));
  } else {
    state_.set_skipped_in_row(0);
    state_.set_loss_sum(state_.loss_sum() + stats.loss_sum);
    state_.set_loss_count(state_.loss_count() + stats.count);
  }
  if (state_.step() % config_.log_steps() == 0) RETURN_IF_ERROR(LogStep(stats, learning_rate, SecondsSince(start)));
  ProgressState shown;
  shown.epoch = state_.epoch();
  shown.epochs = config_.epochs();
  shown.step = state_.step_in_epoch();
  shown.steps = steps_in_epoch(state_.epoch());
  shown.done = static_cast<double>(state_.step()) / total_steps();
  shown.loss = state_.loss_sum() / std::max(state_.loss_count(), 1e-9);
  shown.frames = stats.frames;
  progress_->Update(shown);
  return absl::OkStatus();
}

absl::Status Trainer::HandleSkipped(const StepStats& stats) {
  state_.set_skipped_steps(state_.skipped_steps() + 1);
  progress_->Warn(absl::StrCat("step ", state_.step(), " not taken: ", stats.skipped));
  if (!stats.not_finite) return absl::OkStatus();
  state_.set_skipped_in_row(state_.skipped_in_row() + 1);
  if (state_.skipped_in_row() <= kMaxSkippedInRow) return absl::OkStatus();
  const absl::Status saved = Save(false);
  return absl::InternalError(
      absl::StrCat(state_.skipped_in_row(), " steps in a row could not be taken, the last one: ", stats.skipped, "; ",
                   saved.ok() ? absl::StrCat(directory_->last_path(), " has the parameters of the last good step")
                              : saved.message()));
}

absl::Status Trainer::LogStep(const StepStats& stats, double learning_rate, double seconds) {
  const double loss = stats.skipped.empty() ? stats.loss_sum / stats.count : std::numeric_limits<double>::quiet_NaN();
  return metrics_.Append(absl::StrFormat(
      R"({"step":%d,"epoch":%d,"loss":%s,"grad_norm":%s,"learning_rate":%s,"frames":%d,"frames_per_second":%.1f,)"
      R"("seconds":%.3f})",
      state_.step(), state_.epoch() + 1, JsonNumber(loss), JsonNumber(stats.grad_norm), JsonNumber(learning_rate),
      stats.frames, stats.frames / std::max(seconds, 1e-9), train_seconds_ + seconds));
}

absl::Status Trainer::FinishEpoch() {
  const Clock::time_point start = Clock::now();
  ASSIGN_OR_RETURN(const Evaluation dev, Evaluate(config_.loss(), *dev_, *data_->tokens, data_->dev, step_.get()));
  const double error = dev.errors.words().percent();
  const double train_loss = state_.loss_sum() / Denominator(config_.loss(), state_.loss_count());
  const bool better = UpdateSelection(config_.schedule(), error, dev.loss, &state_);
  train_seconds_ += SecondsSince(start);
  progress_->Print(absl::StrFormat("epoch %d/%d: train loss %.4f, dev loss %.4f, dev WER %.2f %%%s  (%s)",
                                   state_.epoch() + 1, config_.epochs(), train_loss, dev.loss, error,
                                   better ? ", best so far" : "", FormatDuration(train_seconds_)));
  if (!notes_shown_ && !step_->model().Notes().empty()) progress_->Print(step_->model().Notes());
  notes_shown_ = true;
  RETURN_IF_ERROR(metrics_.Append(absl::StrFormat(
      R"({"step":%d,"epoch":%d,"train_loss":%s,"dev_loss":%s,"dev_wer":%s,"seconds":%.3f})", state_.step(),
      state_.epoch() + 1, JsonNumber(train_loss), JsonNumber(dev.loss), JsonNumber(error), train_seconds_)));
  state_.set_epoch(state_.epoch() + 1);
  state_.set_step_in_epoch(0);
  state_.set_loss_sum(0);
  state_.set_loss_count(0);
  return Save(better);
}

absl::Status Trainer::Save(bool best) {
  const NormalizationStats* stats = data_->stats.has_value() ? &*data_->stats : nullptr;
  const Checkpoint checkpoint = MakeCheckpoint(config_, stats, step_.get(), state_);
  // The best one first: a kill between the two leaves a `last` from which this epoch's end is reached again.
  if (best) RETURN_IF_ERROR(directory_->SaveBest(checkpoint));
  return directory_->Save(checkpoint);
}

absl::StatusOr<Evaluation> Trainer::EvaluateBest() {
  ASSIGN_OR_RETURN(const Checkpoint best, LoadCheckpoint(directory_->best_path()));
  RETURN_IF_ERROR(Annotate(RestoreParameters(best, &step_->model()), directory_->best_path()));
  return Evaluate(config_.loss(), *test_, *data_->tokens, data_->test, step_.get());
}

}  // namespace earshot
