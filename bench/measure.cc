#include "bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "bench/bench_config.h"
#include "bench/stats.h"
#include "bench/steady_state.h"

namespace earshot {
namespace {

bool DependsOnParametersOnly(Phase phase) { return phase == Phase::kClip || phase == Phase::kOptimizer; }

}  // namespace

double StepSample::fixed_seconds() const {
  double sum = 0;
  for (int i = 0; i < kNumPhases; ++i) {
    if (DependsOnParametersOnly(static_cast<Phase>(i))) sum += phases[i];
  }
  return sum;
}

double Extrapolate(double seconds, double fixed, double ratio) {
  const double stays = std::min(fixed, seconds);
  return stays + (seconds - stays) * ratio;
}

double FrameRatio(const BenchRow& row) {
  return row.scaled_frames() > 0 ? static_cast<double>(row.valid_frames()) / row.scaled_frames() : 1;
}

std::vector<double> SteadySeconds(const BlockSamples& block,
                                  const google::protobuf::RepeatedField<double>& step_seconds, int warm_up,
                                  double ratio) {
  std::vector<double> steady;
  for (int i = warm_up; i < step_seconds.size(); ++i) {
    steady.push_back(ratio == 1 ? step_seconds[i] : Extrapolate(step_seconds[i], block.fixed_seconds(), ratio));
  }
  return steady;
}

void TakePhases(BenchRow* row) {
  const double ratio = FrameRatio(*row);
  StepSample nearest;
  double distance = -1;
  for (BlockSamples& block : *row->mutable_blocks()) {
    if (block.step_phases_size() == block.step_seconds_size() * kNumPhases) {
      for (int i = block.warm_up(); i < block.step_seconds_size(); ++i) {
        StepSample step;
        step.seconds = block.step_seconds(i);
        std::copy_n(block.step_phases().begin() + i * kNumPhases, kNumPhases, step.phases.begin());
        const double away = std::abs(Extrapolate(step.seconds, step.fixed_seconds(), ratio) - row->median_seconds());
        if (distance >= 0 && away >= distance) continue;
        distance = away;
        nearest = step;
      }
    }
    block.clear_step_phases();
  }
  if (distance < 0) return;
  double sum = 0;
  for (int i = 0; i < kNumPhases; ++i) {
    const Phase phase = static_cast<Phase>(i);
    const double seconds = nearest.phases[i] * (DependsOnParametersOnly(phase) ? 1 : ratio);
    (*row->mutable_phases())[PhaseName(phase)] = seconds;
    sum += seconds;
  }
  row->set_remainder_seconds(Extrapolate(nearest.seconds, nearest.fixed_seconds(), ratio) - sum);
}

absl::Status Measurement::Load(const BenchConfig& config, absl::Span<const float> params) {
  samples_.clear();
  losses_.clear();
  config_ = config;
  return subject_->Load(config, params);
}

absl::Status Measurement::Step(const Batch& batch) {
  using Clock = std::chrono::steady_clock;
  has_phases_ = subject_->phases() != nullptr;
  if (has_phases_) subject_->phases()->Clear();
  const Clock::time_point start = Clock::now();
  ASSIGN_OR_RETURN(const double loss, subject_->Step(batch));
  StepSample sample;
  sample.outside_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  sample.seconds = subject_->step_seconds() > 0 ? subject_->step_seconds() : sample.outside_seconds;
  for (int i = 0; i < kNumPhases && has_phases_; ++i) {
    sample.phases[i] = subject_->phases()->seconds(static_cast<Phase>(i));
  }
  samples_.push_back(sample);
  losses_.push_back(loss);
  note_ = subject_->note();
  if (std::isfinite(loss)) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("loss of step ", losses_.size() - 1, " is ", loss));
}

void Measurement::FillRow(BenchRow* row) const {
  CHECK(!samples_.empty());
  const int frames = static_cast<int>(ValidFrames(config_.batch()));
  if (frames < row->valid_frames()) row->set_scaled_frames(frames);
  BlockSamples* block = row->add_blocks();
  block->set_max_frames(config_.batch().max_frames());
  std::vector<double> seconds;
  for (const StepSample& sample : samples_) seconds.push_back(sample.seconds);
  for (double s : seconds) block->add_step_seconds(s);
  for (double loss : losses_) block->add_losses(loss);
  const WarmUp warm_up = FindWarmUp(seconds);
  block->set_warm_up(warm_up.steps);
  if (warm_up.state != SteadyState::kTooFewSteps) block->set_steady(warm_up.state == SteadyState::kReached);
  if (!note_.empty()) row->set_note(note_);
  if (has_phases_) FillPhases(warm_up.steps, block);
  if (row->has_peer()) FillClocks(row->mutable_peer());
}

void Measurement::FillPhases(int warm_up, BlockSamples* block) const {
  std::vector<double> fixed;
  for (size_t i = warm_up; i < samples_.size(); ++i) fixed.push_back(samples_[i].fixed_seconds());
  block->set_fixed_seconds(Summarize(fixed).median);
  for (const StepSample& sample : samples_) {
    for (double seconds : sample.phases) block->add_step_phases(seconds);
  }
}

void Measurement::FillClocks(PeerRecord* record) const {
  constexpr double kShare = 0.02, kSeconds = 1e-3;
  int disagreements = 0;
  double gap = 0;
  for (size_t i = 1; i < samples_.size(); ++i) {  // the first call also hands over the batch, and a framework compiles
    const StepSample& sample = samples_[i];
    const double difference = std::abs(sample.outside_seconds - sample.seconds);
    if (difference > kShare * sample.outside_seconds + kSeconds) ++disagreements;
    gap = std::max(gap, difference);
  }
  record->set_clock_disagreements(disagreements);
  record->set_clock_gap_seconds(gap);
}

}  // namespace earshot
