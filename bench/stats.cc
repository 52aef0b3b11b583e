#include "bench/stats.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"

namespace earshot {

double Quantile(absl::Span<const double> samples, double p) {
  CHECK(!samples.empty());
  CHECK(p >= 0 && p <= 1) << p;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const double position = p * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Summary Summarize(absl::Span<const double> samples) {
  return {Quantile(samples, 0.5), Quantile(samples, 0.1), Quantile(samples, 0.9), static_cast<int>(samples.size())};
}

int MedianIndex(absl::Span<const double> samples) {
  const double median = Quantile(samples, 0.5);
  const auto nearer = [median](double a, double b) { return std::abs(a - median) < std::abs(b - median); };
  return static_cast<int>(std::min_element(samples.begin(), samples.end(), nearer) - samples.begin());
}

}  // namespace earshot
