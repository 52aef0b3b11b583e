// The training loop: epochs of TrainStep, a dev set after each, checkpoints, early stopping, resume.
#ifndef EARSHOT_ASR_TRAINER_H_
#define EARSHOT_ASR_TRAINER_H_

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "asr/checkpoint/run_directory.h"
#include "asr/evaluate.h"
#include "asr/progress.h"
#include "asr/schedule.h"
#include "asr/train.pb.h"
#include "asr/train_state.pb.h"
#include "asr/train_step.h"
#include "asr/training_data.h"
#include "base/line_log.h"
#include "data/batcher.h"

namespace earshot {

// Steps in a row that may be left out for numbers that are not finite; one more ends the run.
constexpr int kMaxSkippedInRow = 2;

class Trainer {
 public:
  // The data, the directory, the pool and the progress outlive the trainer.
  static absl::StatusOr<std::unique_ptr<Trainer>> Create(const TrainConfig& config, const TrainingData* data,
                                                         RunDirectory* directory, ThreadPool* pool, Progress* progress);

  // Either of these once, before Run. `data_path`: TrainState.data of the checkpoints to come.
  absl::Status StartFresh(const std::string& data_path);
  absl::Status Resume(const Checkpoint& checkpoint, const std::string& data_path);

  // Trains to the end. `stop` is asked before each step; when it says true: saves a checkpoint and returns false.
  // Errors: labels without meaning, files that cannot be written, too many steps in a row that are not finite (a
  // checkpoint has the parameters of the last good one).
  absl::StatusOr<bool> Run(absl::FunctionRef<bool()> stop);

  // The test set with the parameters of the best epoch.
  absl::StatusOr<Evaluation> EvaluateBest();

  const TrainState& state() const { return state_; }
  // The last epoch is done, or patience is used up. With more of either than before, a resumed run goes on.
  bool finished() const;
  double train_seconds() const { return train_seconds_; }  // steps and dev sets, of all processes of this run
  int64_t num_parameters() { return step_->model().params().size(); }

 private:
  Trainer(const TrainConfig& config, const TrainingData* data, RunDirectory* directory, Progress* progress);
  absl::Status OpenMetrics();
  absl::Status RunStep();
  absl::Status HandleSkipped(const StepStats& stats);
  absl::Status FinishEpoch();
  absl::Status Save(bool best);
  absl::Status LogStep(const StepStats& stats, double learning_rate, double seconds);
  SchedulePosition Position() const;
  int64_t total_steps() const { return steps_before_.back(); }
  int64_t steps_in_epoch(int64_t epoch) const { return steps_before_[epoch + 1] - steps_before_[epoch]; }

  const TrainConfig config_;
  const TrainingData* const data_;
  RunDirectory* const directory_;
  Progress* const progress_;
  std::unique_ptr<TrainStep> step_;
  std::unique_ptr<Batcher> train_, dev_, test_;
  std::vector<int64_t> steps_before_;  // [epochs + 1] of the run, before each epoch
  TrainState state_;
  LineLog metrics_;
  Batch batch_;
  double train_seconds_ = 0;
  bool notes_shown_ = false;  // of the model, after the first epoch of this process
};

}  // namespace earshot

#endif  // EARSHOT_ASR_TRAINER_H_
