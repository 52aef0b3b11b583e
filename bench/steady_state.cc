#include "bench/steady_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/check.h"
#include "bench/mann_whitney.h"
#include "bench/stats.h"

namespace earshot {
namespace {

std::vector<double> Winsorised(absl::Span<const double> x) {
  constexpr double kDeviations = 3, kNormal = 1.4826;
  const absl::Span<const double> second_half = x.subspan(x.size() / 2);
  const double median = Quantile(second_half, 0.5);
  std::vector<double> distances;
  for (double value : second_half) distances.push_back(std::abs(value - median));
  const double reach = kDeviations * kNormal * Quantile(distances, 0.5);
  std::vector<double> clipped(x.begin(), x.end());
  if (reach == 0) return clipped;
  for (double& value : clipped) value = std::min(std::max(value, median - reach), median + reach);
  return clipped;
}

// The squared standard error of the mean of x, but for a constant.
double MarginalStandardError(absl::Span<const double> x) {
  const double n = static_cast<double>(x.size());
  double sum = 0, squares = 0;
  for (double value : x) sum += value;
  for (double value : x) squares += (value - sum / n) * (value - sum / n);
  return squares / (n * n);
}

bool Drifts(absl::Span<const double> x) {
  constexpr double kAlpha = 0.01, kShare = 0.02;
  const absl::Span<const double> early = x.first(x.size() / 2), late = x.subspan(x.size() / 2);
  const double before = Quantile(early, 0.5), after = Quantile(late, 0.5);
  return std::abs(after - before) > kShare * std::abs(before) && MannWhitney(early, late).p < kAlpha;
}

}  // namespace

WarmUp FindWarmUp(absl::Span<const double> step_times) {
  CHECK(!step_times.empty());
  const int n = static_cast<int>(step_times.size());
  WarmUp warm_up;
  if (n == 1) return warm_up;
  const std::vector<double> clipped = Winsorised(step_times);
  double least = std::numeric_limits<double>::infinity();
  for (int d = 1; d <= std::max(1, std::min(n / 2, n - kMinSteadySteps)); ++d) {
    const double error = MarginalStandardError(absl::MakeConstSpan(clipped).subspan(d));
    if (error >= least) continue;
    least = error;
    warm_up.steps = d;
  }
  if (n - warm_up.steps < kMinSteadySteps) return warm_up;
  warm_up.state = Drifts(step_times.subspan(warm_up.steps)) ? SteadyState::kNotReached : SteadyState::kReached;
  return warm_up;
}

}  // namespace earshot
