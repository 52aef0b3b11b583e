#include "bench/plan.h"

#include <algorithm>
#include <numeric>

#include "asr/model.h"
#include "base/check.h"
#include "bench/bench_config.h"
#include "lstm/lstm_params.h"

namespace earshot {

StepCost CostFromStep(double seconds, double fixed_seconds, int64_t frames) {
  const double fixed = std::min(fixed_seconds, seconds);
  return {fixed, (seconds - fixed) / static_cast<double>(frames)};
}

std::vector<double> ShareTime(absl::Span<const double> needs, double total) {
  std::vector<size_t> order(needs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return needs[a] < needs[b]; });
  std::vector<double> shares(needs.size());
  double left = std::max(0.0, total);
  for (size_t i = 0; i < order.size(); ++i) {  // the modest ones first
    shares[order[i]] = std::min(needs[order[i]], left / static_cast<double>(order.size() - i));
    left -= shares[order[i]];
  }
  return shares;
}

int FramesThatFit(const BenchBatch& batch, const StepCost& cost, double seconds) {
  const auto fits = [&](int frames) {
    return (1 + kMinTimedSteps) * cost.Seconds(ValidFrames(WithMaxFrames(batch, frames))) <= seconds;
  };
  if (fits(batch.max_frames())) return batch.max_frames();
  int low = 1, high = batch.max_frames();  // high does not fit
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

std::vector<RowPlan> PlanRows(const BenchConfig& config, absl::Span<const StepCost> own,
                              absl::Span<const StepCost> peers, double seconds) {
  const int64_t frames = ValidFrames(config.batch());
  const auto faster = [&](const StepCost& a, const StepCost& b) { return a.Seconds(frames) < b.Seconds(frames); };
  const StepCost fastest = own.empty() ? StepCost() : *std::min_element(own.begin(), own.end(), faster);
  std::vector<StepCost> turns(own.begin(), own.end());
  for (const StepCost& peer : peers) turns.push_back(peer + fastest);
  // Twice what the costs say, and no less than a second: short steps are noisy.
  std::vector<double> needs;
  for (const StepCost& turn : turns) {
    needs.push_back(std::max(1.0, 2 * (kMaxWarmUpSteps + config.max_steps()) * turn.Seconds(frames)));
  }
  const std::vector<double> shares = ShareTime(needs, seconds);
  std::vector<RowPlan> plans;
  for (size_t i = 0; i < turns.size(); ++i) {
    RowPlan plan;
    plan.batch = WithMaxFrames(config.batch(), FramesThatFit(config.batch(), turns[i], shares[i]));
    if (i >= own.size()) plan.beside_seconds = shares[i] * fastest.Seconds(frames) / turns[i].Seconds(frames);
    plan.seconds = shares[i] - plan.beside_seconds;
    plans.push_back(plan);
  }
  return plans;
}

int StepsThatFit(double step_seconds, double seconds, int max_steps) {
  return std::clamp(static_cast<int>(std::min<double>(seconds / step_seconds, max_steps)), kMinTimedSteps, max_steps);
}

bool TakesPart(int round, int rounds, int steps) {
  CHECK_LE(steps, rounds);
  const auto done = [&](int64_t r) { return r * steps / rounds; };
  return done(round + 1) > done(round);
}

int64_t EstimatedBytes(const BenchConfig& config) {
  // Of a level, for each of its outputs: four gates and their gradients, cell state, output, mask and the gradients of
  // the level's output and input, with some room.
  constexpr int64_t kFloatsPerOutput = 16, kCopiesOfParameters = 6;
  int64_t outputs = 0, parameters = 0;
  for (const LstmLevelConfig& level : LstmLevels(config.train().model().lstm(), config.batch().input_size())) {
    outputs += level.directions * level.hidden_size;
    parameters += LstmParamsSize(level);
  }
  const int64_t floats = ValidFrames(config.batch()) * outputs * kFloatsPerOutput + parameters * kCopiesOfParameters;
  return floats * static_cast<int64_t>(sizeof(float));
}

}  // namespace earshot
