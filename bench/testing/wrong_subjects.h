// Subjects that are wrong, or slow, in known ways: what verification and planning must notice.
#ifndef EARSHOT_BENCH_TESTING_WRONG_SUBJECTS_H_
#define EARSHOT_BENCH_TESTING_WRONG_SUBJECTS_H_

#include <memory>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "bench/subject.h"
#include "lstm/registry.h"

namespace earshot {

// A registry row that exists; a CHECK failure otherwise.
const LstmImplementation* ImplementationOrDie(absl::string_view name);

// The trainer's step whose gradients [begin, end) come out multiplied by a factor.
class ScaledGradientSubject : public TrainerSubject {
 public:
  ScaledGradientSubject(ThreadPool* pool, float factor, int64_t begin, int64_t end)
      : TrainerSubject(ImplementationOrDie("blas"), pool), factor_(factor), begin_(begin), end_(end) {}
  std::string name() const override { return "scaled_gradient"; }
  absl::Span<const float> gradients() override;

 private:
  const float factor_;
  const int64_t begin_, end_;
  std::vector<float> scaled_;
};

// The trainer's step that waits so long a frame, and writes its name into a log at every step.
class SlowSubject : public TrainerSubject {
 public:
  SlowSubject(std::string name, ThreadPool* pool, double seconds_per_frame, std::vector<std::string>* log)
      : TrainerSubject(ImplementationOrDie("blas"), pool),
        name_(std::move(name)),
        seconds_per_frame_(seconds_per_frame),
        log_(log) {}
  std::string name() const override { return name_; }
  absl::Status Load(const BenchConfig& config, absl::Span<const float> params) override;
  absl::StatusOr<double> Step(const Batch& batch) override;

 private:
  const std::string name_;
  const double seconds_per_frame_;
  std::vector<std::string>* const log_;
};

}  // namespace earshot

#endif  // EARSHOT_BENCH_TESTING_WRONG_SUBJECTS_H_
