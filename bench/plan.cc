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
    return kMinSteps * cost.Seconds(ValidFrames(WithMaxFrames(batch, frames))) <= seconds;
  };
  if (fits(batch.max_frames())) return batch.max_frames();
  int low = std::min(kFewestFrames, batch.max_frames()), high = batch.max_frames();  // high does not fit
  if (!fits(low)) return 0;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

std::vector<int> PlanFrames(const BenchConfig& config, absl::Span<const std::string> names,
                            absl::Span<const StepCost> costs, double seconds) {
  CHECK_EQ(names.size(), costs.size());
  const auto& full_length = config.full_length();
  std::vector<BenchBatch> batches;
  std::vector<double> needs;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool full = costs[i].Seconds(ValidFrames(config.batch())) <= kLongStepSeconds ||
                      std::find(full_length.begin(), full_length.end(), names[i]) != full_length.end();
    batches.push_back(full ? config.batch() : WithMaxFrames(config.batch(), kShortFrames));
    needs.push_back(kMinSteps * costs[i].Seconds(ValidFrames(batches.back())));
  }
  const std::vector<double> shares = ShareTime(needs, seconds);
  std::vector<int> frames;
  for (size_t i = 0; i < names.size(); ++i) frames.push_back(FramesThatFit(batches[i], costs[i], shares[i] + 1e-9));
  return frames;
}

std::vector<int> PlanSteps(absl::Span<const double> step_seconds, double seconds, int max_steps, bool in_turns) {
  const auto steps = [max_steps](double share, double step) {
    // Its whole need may come back as a little less than a whole number of steps.
    return std::clamp(static_cast<int>(std::min<double>(share / step + 1e-6, max_steps)), kMinSteps - 1, max_steps);
  };
  std::vector<double> needs;
  for (double step : step_seconds) needs.push_back(step * max_steps);
  const double sum = std::accumulate(step_seconds.begin(), step_seconds.end(), 0.0);
  if (in_turns) return std::vector<int>(needs.size(), steps(seconds, sum));
  const std::vector<double> shares = ShareTime(needs, seconds);
  std::vector<int> plan;
  for (size_t i = 0; i < needs.size(); ++i) plan.push_back(steps(shares[i], step_seconds[i]));
  return plan;
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
