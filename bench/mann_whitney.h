// The Mann-Whitney U test (Mann and Whitney 1947): do two sets of independent samples come from one distribution?
#ifndef EARSHOT_BENCH_MANN_WHITNEY_H_
#define EARSHOT_BENCH_MANN_WHITNEY_H_

#include "absl/types/span.h"

namespace earshot {

struct MannWhitneyResult {
  double u = 0;        // pairs (x of a, y of b) with x > y; those with x = y count half
  double p = 1;        // two-sided: twice the smaller tail, at most 1
  bool exact = false;  // p by counting, not by the normal approximation
};

// Both at least one sample. With up to kMaxExactSamples samples together p is that of the permutation test: all choices
// of a's ranks among the ranks at hand (midranks where samples are equal) are counted. With more, the normal
// approximation with corrections for ties and continuity (Lehmann, "Nonparametrics", 1975, sections 1.3 and 1.4).
MannWhitneyResult MannWhitney(absl::Span<const double> a, absl::Span<const double> b);

constexpr int kMaxExactSamples = 60;

// The smallest p that n and m samples can have, all of a on one side of all of b: 2 / (n + m over n), at most 1.
double SmallestPossibleP(int n, int m);

}  // namespace earshot

#endif  // EARSHOT_BENCH_MANN_WHITNEY_H_
