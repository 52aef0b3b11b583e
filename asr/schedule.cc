#include "asr/schedule.h"

#include <algorithm>
#include <cmath>

namespace earshot {
namespace {

double OneCycle(const ScheduleConfig& config, const SchedulePosition& p) {
  const double done = std::min(1.0, static_cast<double>(p.step) / std::max<int64_t>(p.total_steps - 1, 1));
  const double warmup = config.warmup_fraction();
  if (done < warmup) return config.start_fraction() + (1 - config.start_fraction()) * done / warmup;
  const double cosine = 0.5 * (1 + std::cos(M_PI * (done - warmup) / (1 - warmup)));
  return config.final_fraction() + (1 - config.final_fraction()) * cosine;
}

}  // namespace

double LearningRate(const ScheduleConfig& config, double peak, const SchedulePosition& position) {
  switch (config.kind()) {
    case ScheduleConfig::CONSTANT:
      return peak;
    case ScheduleConfig::ONE_CYCLE:
      return peak * OneCycle(config, position);
    case ScheduleConfig::HALVE_ON_PLATEAU:
      return peak * std::pow(static_cast<double>(config.factor()), position.halvings);
    case ScheduleConfig::MILESTONES: {
      const auto passed = std::count_if(config.milestone().begin(), config.milestone().end(),
                                        [&](int epoch) { return epoch <= position.epoch; });
      return peak * std::pow(static_cast<double>(config.factor()), static_cast<double>(passed));
    }
  }
  return peak;
}

bool IsPlateau(const ScheduleConfig& config, double best, double error) {
  return !(error < best * (1 - config.min_improvement()));
}

}  // namespace earshot
