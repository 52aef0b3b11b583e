// Welch's t-test: have two sets of samples with perhaps different variances the same mean?
#ifndef EARSHOT_BENCH_WELCH_H_
#define EARSHOT_BENCH_WELCH_H_

#include "absl/types/span.h"

namespace earshot {

struct WelchResult {
  double t = 0;        // (mean of a - mean of b) / sqrt(var_a / n_a + var_b / n_b)
  double degrees = 0;  // of freedom, by Welch and Satterthwaite
  double p = 1;        // two-sided
};

// Both at least two samples (Welch 1947). When neither varies: p = 1 where the means are equal, else p = 0 and t is
// infinite.
WelchResult WelchTest(absl::Span<const double> a, absl::Span<const double> b);

// The regularised incomplete beta function I_x(a, b), a, b > 0, 0 <= x <= 1: DLMF 8.17, continued fraction 8.17.22.
double IncompleteBeta(double a, double b, double x);

}  // namespace earshot

#endif  // EARSHOT_BENCH_WELCH_H_
