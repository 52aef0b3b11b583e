// The timed steps of one subject.
#ifndef EARSHOT_BENCH_MEASURE_H_
#define EARSHOT_BENCH_MEASURE_H_

#include <array>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/phase_timer.h"
#include "bench/bench.pb.h"
#include "bench/subject.h"

namespace earshot {

struct StepSample {
  double seconds = 0;                          // by the subject's own clock where it has one
  double outside_seconds = 0;                  // by ours
  std::array<double, kNumPhases> phases = {};  // seconds
  // Of the phases whose time depends on the number of parameters, not of frames.
  double fixed_seconds() const;
};

// What a step of `sample` would have taken with `ratio` times the frames: all but the fixed phases grow with them.
StepSample Extrapolate(const StepSample& sample, double ratio);

class Measurement {
 public:
  explicit Measurement(Subject* subject) : subject_(subject) {}

  // The configuration that will be timed, perhaps with fewer frames than the full one, and the seconds for all its
  // steps.
  void SetPlan(const BenchConfig& config, double seconds) {
    config_ = config;
    share_seconds_ = seconds;
  }
  const BenchConfig& config() const { return config_; }

  // Forgets the samples and loads the subject.
  absl::Status Load(const BenchConfig& config, absl::Span<const float> params);
  void Unload() { subject_->Unload(); }

  // Untimed steps: one, or more (at most kMaxWarmUpSteps) where they are cheap. Then plans as many timed ones as the
  // rest of the share allows, at most max_steps.
  absl::Status WarmUp(const Batch& batch, int max_steps);
  int planned_steps() const { return planned_steps_; }

  // One timed step.
  absl::Status Step(const Batch& batch);
  const std::vector<StepSample>& samples() const { return samples_; }
  const StepSample& last() const { return samples_.back(); }
  const std::vector<double>& losses() const { return losses_; }  // since Load, warm-up included

  // Of a step of so many frames; 0 without samples.
  double MedianSeconds(int64_t valid_frames) const;

  // The measured part of a row whose valid_frames and useful_gflop are set.
  void FillRow(double peak_gflops, BenchRow* row) const;
  // The measured part of the record of a peer's row. `beside`: our own row that took turns with it; null: none did.
  void FillPeer(const Measurement* beside, BenchRow* row) const;

 private:
  std::vector<double> Extrapolated(int64_t valid_frames) const;  // seconds of the samples

  Subject* const subject_;
  BenchConfig config_;
  double share_seconds_ = 0;
  int planned_steps_ = 0;
  bool has_phases_ = false;
  std::vector<StepSample> samples_;
  std::string note_;            // of the subject, after its last step
  std::vector<double> losses_;
};

}  // namespace earshot

#endif  // EARSHOT_BENCH_MEASURE_H_
