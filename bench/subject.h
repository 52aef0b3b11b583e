// What a benchmark times: something that takes training steps on a batch from given parameters. The trainer's own step
// with one LSTM implementation is the main kind.
#ifndef EARSHOT_BENCH_SUBJECT_H_
#define EARSHOT_BENCH_SUBJECT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "asr/train_step.h"
#include "base/phase_timer.h"
#include "base/thread_pool.h"
#include "bench/bench.pb.h"
#include "data/batch.h"
#include "lstm/registry.h"

namespace earshot {

class Subject {
 public:
  virtual ~Subject() = default;

  virtual std::string name() const = 0;
  // Of the comparison with the reference (see verify.h).
  virtual double tolerance_factor() const = 0;

  // Builds the configuration's network with these parameters, in the order of asr/model.h, and a fresh optimizer.
  virtual absl::Status Load(const BenchConfig& config, absl::Span<const float> params) = 0;
  // Frees what Load and the steps took.
  virtual void Unload() = 0;

  // The rest needs a loaded subject.
  // One update; returns the loss before it, over the count of the configured reduction. The result and the new
  // parameters are on the host's side of the clock when this returns.
  virtual absl::StatusOr<double> Step(const Batch& batch) = 0;
  // The loss of every utterance, without an update.
  virtual absl::StatusOr<std::vector<float>> Losses(const Batch& batch) = 0;
  // Of the last step, in the order of the parameters.
  virtual absl::Span<const float> gradients() = 0;
  // Seconds a phase, added up since they were last cleared; null when there are none.
  virtual PhaseTimer* phases() = 0;
  // Seconds of the last step by a clock of the subject's own; 0: it has none, and the caller's counts.
  virtual double step_seconds() const { return 0; }
  // Of a framework: resident memory of its process at the peak of the steps since Load (bench/peer.proto); 0: not
  // known.
  virtual int64_t memory_bytes() const { return 0; }
  // What it chose for this machine (Model::Notes); empty: nothing.
  virtual std::string note() const { return ""; }
  // Of a framework (bench/peer_subject.h), what is known of it by then; null for our own.
  virtual const PeerRecord* peer() const { return nullptr; }
};

// The trainer's own step.
class TrainerSubject : public Subject {
 public:
  // Both outlive the subject.
  TrainerSubject(const LstmImplementation* implementation, ThreadPool* pool);

  std::string name() const override { return std::string(implementation_->name); }
  double tolerance_factor() const override { return implementation_->tolerance_factor; }
  absl::Status Load(const BenchConfig& config, absl::Span<const float> params) override;
  void Unload() override { step_.reset(); }
  std::string note() const override { return step_->model().Notes(); }
  absl::StatusOr<double> Step(const Batch& batch) override;
  absl::StatusOr<std::vector<float>> Losses(const Batch& batch) override;
  absl::Span<const float> gradients() override { return step_->model().grads(); }
  PhaseTimer* phases() override { return &step_->phases(); }

 private:
  const LstmImplementation* const implementation_;
  ThreadPool* const pool_;
  std::unique_ptr<TrainStep> step_;
  float learning_rate_ = 0;
  uint64_t steps_ = 0;
};

// The trainer's step with each of the named LSTM implementations; no names: all that are available here. NotFound or
// Unavailable for a name that is not. The pool outlives the subjects.
absl::StatusOr<std::vector<std::unique_ptr<Subject>>> TrainerSubjects(const std::vector<std::string>& names,
                                                                      ThreadPool* pool);

// The parameters that every subject starts from, drawn from the configuration's seed. None of the loss alone.
absl::StatusOr<std::vector<float>> CanonicalParameters(const BenchConfig& config, ThreadPool* pool);

}  // namespace earshot

#endif  // EARSHOT_BENCH_SUBJECT_H_
