#include "bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "bench/bench_config.h"
#include "bench/plan.h"
#include "bench/stats.h"

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

StepSample Extrapolate(const StepSample& sample, double ratio) {
  StepSample full = sample;
  const double fixed = sample.fixed_seconds();
  full.seconds = fixed + (sample.seconds - fixed) * ratio;
  for (int i = 0; i < kNumPhases; ++i) {
    if (!DependsOnParametersOnly(static_cast<Phase>(i))) full.phases[i] *= ratio;
  }
  return full;
}

absl::Status Measurement::Load(const BenchConfig& config, absl::Span<const float> params) {
  samples_.clear();
  losses_.clear();
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

absl::Status Measurement::WarmUp(const Batch& batch, int max_steps) {
  constexpr double kShare = 0.05;
  double spent = 0;
  for (int i = 0; i < kMaxWarmUpSteps && (i == 0 || spent < kShare * share_seconds_); ++i) {
    RETURN_IF_ERROR(Step(batch));
    spent += last().seconds;
  }
  planned_steps_ = StepsThatFit(last().seconds, share_seconds_ - spent, max_steps);
  samples_.clear();
  return absl::OkStatus();
}

std::vector<double> Measurement::Extrapolated(int64_t valid_frames) const {
  const double ratio = static_cast<double>(valid_frames) / static_cast<double>(ValidFrames(config_.batch()));
  std::vector<double> seconds;
  for (const StepSample& sample : samples_) seconds.push_back(Extrapolate(sample, ratio).seconds);
  return seconds;
}

double Measurement::MedianSeconds(int64_t valid_frames) const {
  return samples_.empty() ? 0 : Summarize(Extrapolated(valid_frames)).median;
}

void Measurement::FillRow(double peak_gflops, BenchRow* row) const {
  CHECK(!samples_.empty());
  const int frames = static_cast<int>(ValidFrames(config_.batch()));
  const double ratio = static_cast<double>(row->valid_frames()) / frames;
  if (frames < row->valid_frames()) row->set_scaled_frames(frames);
  const std::vector<double> seconds = Extrapolated(row->valid_frames());
  for (const StepSample& sample : samples_) row->add_step_seconds(sample.seconds);
  for (double loss : losses_) row->add_losses(loss);
  const Summary summary = Summarize(seconds);
  row->set_median_seconds(summary.median);
  row->set_p10_seconds(summary.p10);
  row->set_p90_seconds(summary.p90);
  row->set_n(summary.n);
  if (!note_.empty()) row->set_note(note_);
  row->set_share_of_peak(row->useful_gflop() / summary.median / peak_gflops);
  if (!has_phases_) return;
  const StepSample middle = Extrapolate(samples_[MedianIndex(seconds)], ratio);
  for (int i = 0; i < kNumPhases; ++i) {
    (*row->mutable_phases())[PhaseName(static_cast<Phase>(i))] = middle.phases[i];
  }
  row->set_remainder_seconds(middle.seconds - std::accumulate(middle.phases.begin(), middle.phases.end(), 0.0));
}

void Measurement::FillPeer(const Measurement* beside, BenchRow* row) const {
  constexpr double kShare = 0.02, kSeconds = 1e-3;
  PeerRecord* record = row->mutable_peer();
  int disagreements = 0;
  double gap = 0;
  for (const StepSample& sample : samples_) {
    const double difference = std::abs(sample.outside_seconds - sample.seconds);
    if (difference > kShare * sample.outside_seconds + kSeconds) ++disagreements;
    gap = std::max(gap, difference);
  }
  record->set_clock_disagreements(disagreements);
  record->set_clock_gap_seconds(gap);
  if (beside == nullptr || beside->samples_.empty()) return;
  record->set_beside(beside->subject_->name());
  for (const StepSample& sample : beside->samples_) record->add_beside_step_seconds(sample.seconds);
  // Both on the frames that were measured: nothing is extrapolated.
  const int64_t frames = ValidFrames(config_.batch());
  const size_t steps = std::min(samples_.size(), beside->samples_.size());
  if (row->verified() && steps >= kMinTimedSteps)
    record->set_times_slower(MedianSeconds(frames) / beside->MedianSeconds(frames));
}

}  // namespace earshot
