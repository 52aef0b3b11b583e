#include "bench/stats.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/check.h"

namespace earshot {

double Quantile(absl::Span<const double> samples, double p) {
  CHECK(!samples.empty());
  CHECK(p >= 0 && p <= 1) << p;
  std::vector<double> parted(samples.begin(), samples.end());
  const double position = p * static_cast<double>(parted.size() - 1);
  const size_t whole = static_cast<size_t>(position);
  const auto below = parted.begin() + static_cast<std::ptrdiff_t>(whole);
  std::nth_element(parted.begin(), below, parted.end());
  const double above = below + 1 == parted.end() ? *below : *std::min_element(below + 1, parted.end());
  return *below + (position - static_cast<double>(whole)) * (above - *below);
}

Summary Summarize(absl::Span<const double> samples) {
  return {Quantile(samples, 0.5), Quantile(samples, 0.1), Quantile(samples, 0.9), static_cast<int>(samples.size())};
}

std::vector<double> BlockMedians(absl::Span<const std::vector<double>> blocks) {
  std::vector<double> medians;
  for (const std::vector<double>& block : blocks) medians.push_back(Quantile(block, 0.5));
  return medians;
}

}  // namespace earshot
