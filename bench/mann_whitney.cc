#include "bench/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/check.h"

namespace earshot {
namespace {

struct Ranks {
  std::vector<int> doubled;  // twice the midranks of all samples, in ascending order; integers
  int sum_a = 0;             // of a's
  double ties = 0;           // sum of t^3 - t over groups of t equal samples
};

Ranks RankTogether(absl::Span<const double> a, absl::Span<const double> b) {
  struct Sample {
    double value;
    bool of_a;
  };
  std::vector<Sample> samples;
  for (double value : a) samples.push_back({value, true});
  for (double value : b) samples.push_back({value, false});
  std::sort(samples.begin(), samples.end(), [](const Sample& x, const Sample& y) { return x.value < y.value; });
  Ranks ranks;
  for (size_t first = 0, end; first < samples.size(); first = end) {
    for (end = first; end < samples.size() && samples[end].value == samples[first].value; ++end) {
    }
    const int doubled = static_cast<int>(first + 1 + end);  // ranks first + 1 to end
    for (size_t i = first; i < end; ++i) {
      ranks.doubled.push_back(doubled);
      if (samples[i].of_a) ranks.sum_a += doubled;
    }
    const double t = static_cast<double>(end - first);
    ranks.ties += t * t * t - t;
  }
  return ranks;
}

// Twice the smaller tail of the sum of n of these ranks, all choices being equally likely.
double ExactP(const Ranks& ranks, int n) {
  const int max_sum = std::accumulate(ranks.doubled.end() - n, ranks.doubled.end(), 0);
  // choices[k][s]: sets of k of the ranks seen so far with the sum s. Only sums of positive numbers: no cancellation.
  std::vector<std::vector<double>> choices(n + 1, std::vector<double>(max_sum + 1));
  choices[0][0] = 1;
  int seen = 0, seen_sum = 0;
  for (int rank : ranks.doubled) {
    seen_sum = std::min(seen_sum + rank, max_sum);
    for (int k = std::min(++seen, n); k >= 1; --k) {
      for (int s = rank; s <= seen_sum; ++s) choices[k][s] += choices[k - 1][s - rank];
    }
  }
  const auto begin = choices[n].begin(), end = choices[n].end();
  const double below = std::accumulate(begin, begin + ranks.sum_a + 1, 0.0);
  const double above = std::accumulate(begin + ranks.sum_a, end, 0.0);
  return std::min(1.0, 2 * std::min(below, above) / std::accumulate(begin, end, 0.0));
}

double NormalP(double u, double n, double m, double ties) {
  const double total = n + m;
  const double variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)));
  if (!(variance > 0)) return 1;  // all samples are equal
  const double distance = std::abs(u - n * m / 2) - 0.5;
  return std::min(1.0, std::erfc(distance / std::sqrt(2 * variance)));
}

}  // namespace

MannWhitneyResult MannWhitney(absl::Span<const double> a, absl::Span<const double> b) {
  CHECK(!a.empty() && !b.empty());
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  const Ranks ranks = RankTogether(a, b);
  MannWhitneyResult result;
  result.u = 0.5 * ranks.sum_a - 0.5 * n * (n + 1);
  result.exact = n + m <= kMaxExactSamples;
  result.p = result.exact ? ExactP(ranks, n) : NormalP(result.u, n, m, ranks.ties);
  return result;
}

double SmallestPossibleP(int n, int m) {
  double choices = 1;
  for (int i = 1; i <= n; ++i) choices *= static_cast<double>(m + i) / i;
  return std::min(1.0, 2 / choices);
}

}  // namespace earshot
