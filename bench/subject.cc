#include "bench/subject.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "asr/model.h"
#include "base/status_macros.h"

namespace earshot {

TrainerSubject::TrainerSubject(const LstmImplementation* implementation, ThreadPool* pool)
    : implementation_(implementation), pool_(pool) {}

absl::Status TrainerSubject::Load(const BenchConfig& config, absl::Span<const float> params) {
  step_.reset();
  TrainConfig train = config.train();
  train.mutable_model()->mutable_lstm()->set_implementation(std::string(implementation_->name));
  ASSIGN_OR_RETURN(step_, TrainStep::Create(train, config.batch().input_size(), config.batch().classes(), pool_));
  const absl::Span<float> own = step_->model().params();
  if (own.size() != params.size()) {
    return absl::InternalError(absl::StrCat(own.size(), " parameters, expected ", params.size()));
  }
  std::copy(params.begin(), params.end(), own.begin());
  learning_rate_ = train.optimizer().learning_rate();
  steps_ = 0;
  return absl::OkStatus();
}

absl::StatusOr<double> TrainerSubject::Step(const Batch& batch) {
  ASSIGN_OR_RETURN(const StepStats stats, step_->Run(batch, learning_rate_, steps_++));
  if (!stats.skipped.empty()) return absl::InternalError(absl::StrCat("step ", steps_ - 1, ": ", stats.skipped));
  if (!stats.impossible.empty()) {
    return absl::InternalError(absl::StrCat("utterance ", stats.impossible[0], " has too few frames for its labels"));
  }
  return stats.loss_sum / stats.count;
}

absl::StatusOr<std::vector<float>> TrainerSubject::Losses(const Batch& batch) {
  std::vector<float> losses;
  TensorView<float, 2> logits;
  RETURN_IF_ERROR(step_->Evaluate(batch, &losses, &logits));
  return losses;
}

absl::StatusOr<std::vector<std::unique_ptr<Subject>>> TrainerSubjects(const std::vector<std::string>& names,
                                                                      ThreadPool* pool) {
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const LstmImplementation* implementation, FindAvailableLstmImplementation(name));
    subjects.push_back(std::make_unique<TrainerSubject>(implementation, pool));
  }
  for (const LstmImplementation& implementation : LstmImplementations()) {
    if (!names.empty() || !implementation.available().ok()) continue;
    subjects.push_back(std::make_unique<TrainerSubject>(&implementation, pool));
  }
  return subjects;
}

absl::StatusOr<std::vector<float>> CanonicalParameters(const BenchConfig& config, ThreadPool* pool) {
  if (config.measured() == BenchConfig::LOSS) return std::vector<float>();
  ModelConfig network = config.train().model();
  network.mutable_lstm()->set_implementation(std::string(LstmImplementations()[0].name));
  ASSIGN_OR_RETURN(std::unique_ptr<Model> model,
                   Model::Create(network, config.batch().input_size(), config.batch().classes(), pool, nullptr));
  model->Initialize(config.seed());
  return std::vector<float>(model->params().begin(), model->params().end());
}

}  // namespace earshot
