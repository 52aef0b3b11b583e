// The timed steps of one subject in this process.
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

// A step that takes `seconds`, `fixed` of them whatever the number of frames, with `ratio` times the frames. (`fixed`
// may be the median of other steps; of a step that is shorter, nothing grows.)
double Extrapolate(double seconds, double fixed, double ratio);

// Frames of the row's full configuration over those that it was measured on.
double FrameRatio(const BenchRow& row);

// The steps after `warm_up` of those in `step_seconds`, which `block` holds (the row's own or those beside it), with
// `ratio` times the frames.
std::vector<double> SteadySeconds(const BlockSamples& block,
                                  const google::protobuf::RepeatedField<double>& step_seconds, int warm_up,
                                  double ratio);

// The row's phases become those of the steady step, of all blocks, whose time is nearest to the row's median. Its
// blocks' step_phases go: they have no place in a record.
void TakePhases(BenchRow* row);

class Measurement {
 public:
  explicit Measurement(Subject* subject) : subject_(subject) {}

  // Forgets the samples and loads the subject.
  absl::Status Load(const BenchConfig& config, absl::Span<const float> params);
  void Unload() { subject_->Unload(); }
  const BenchConfig& config() const { return config_; }  // as loaded: perhaps with fewer frames than the full one

  // One timed step.
  absl::Status Step(const Batch& batch);
  const std::vector<StepSample>& samples() const { return samples_; }  // since Load, the first step included
  const StepSample& last() const { return samples_.back(); }
  const std::vector<double>& losses() const { return losses_; }

  // What the steps say of `row`, whose frames of the full configuration are known: one block of raw samples, with the
  // phases of every step, the note, and the clocks of a peer.
  void FillRow(BenchRow* row) const;

 private:
  void FillPhases(int warm_up, BlockSamples* block) const;
  void FillClocks(PeerRecord* record) const;

  Subject* const subject_;
  BenchConfig config_;
  std::vector<StepSample> samples_;
  std::vector<double> losses_;
  std::string note_;
  bool has_phases_ = false;
};

}  // namespace earshot

#endif  // EARSHOT_BENCH_MEASURE_H_
