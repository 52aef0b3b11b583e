// Order statistics of measured times.
#ifndef EARSHOT_BENCH_STATS_H_
#define EARSHOT_BENCH_STATS_H_

#include <vector>

#include "absl/types/span.h"

namespace earshot {

// The p-quantile, p in [0, 1], of at least one sample: linear between the two nearest order statistics (Hyndman and Fan
// 1996, definition 7; numpy's default).
double Quantile(absl::Span<const double> samples, double p);

struct Summary {
  double median = 0, p10 = 0, p90 = 0;
  int n = 0;
};
Summary Summarize(absl::Span<const double> samples);

// The median of each block of samples; none is empty.
std::vector<double> BlockMedians(absl::Span<const std::vector<double>> blocks);

}  // namespace earshot

#endif  // EARSHOT_BENCH_STATS_H_
