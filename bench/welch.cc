#include "bench/welch.h"

#include <cmath>
#include <limits>

#include "base/check.h"

namespace earshot {
namespace {

struct Moments {
  double n = 0, mean = 0, variance_of_mean = 0;
};

Moments MomentsOf(absl::Span<const double> samples) {
  CHECK_GE(samples.size(), 2u);
  Moments moments;
  moments.n = static_cast<double>(samples.size());
  for (double x : samples) moments.mean += x / moments.n;
  double squares = 0;
  for (double x : samples) squares += (x - moments.mean) * (x - moments.mean);
  moments.variance_of_mean = squares / (moments.n - 1) / moments.n;
  return moments;
}

// DLMF 8.17.22, which converges fast for x < (a + 1) / (a + b + 2): x^a y^b / (a B(a, b)) over the continued fraction
// 1 + d1 / (1 + d2 / (1 + ...)), which is evaluated forwards (Lentz 1976). y is 1 - x.
double LowerTail(double a, double b, double x, double y) {
  constexpr double kTiny = 1e-300;   // stands for a zero that would be divided by
  constexpr int kMaxTerms = 100000;  // about sqrt(max(a, b)) are needed
  if (x == 0) return 0;
  double fraction = 1, c = 1, d = 0, factor = 0;
  for (int i = 1; i <= kMaxTerms && factor != 1; ++i) {
    const double m = i / 2;
    const double term = i % 2 == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                                   : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    c = 1 + term / c;
    d = 1 + term * d;
    if (c == 0) c = kTiny;
    if (d == 0) d = kTiny;
    d = 1 / d;
    factor = std::abs(c * d - 1) < std::numeric_limits<double>::epsilon() ? 1 : c * d;
    fraction *= factor;
  }
  const double log_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  return std::exp(a * std::log(x) + b * std::log(y) - log_beta) / (a * fraction);
}

// y = 1 - x, given besides because the difference may lose all its digits.
double IncompleteBeta(double a, double b, double x, double y) {
  return x < (a + 1) / (a + b + 2) ? LowerTail(a, b, x, y) : 1 - LowerTail(b, a, y, x);
}

}  // namespace

double IncompleteBeta(double a, double b, double x) {
  CHECK(a > 0 && b > 0 && x >= 0 && x <= 1) << a << " " << b << " " << x;
  return IncompleteBeta(a, b, x, 1 - x);
}

WelchResult WelchTest(absl::Span<const double> a, absl::Span<const double> b) {
  const Moments of_a = MomentsOf(a), of_b = MomentsOf(b);
  const double difference = of_a.mean - of_b.mean;
  const double variance = of_a.variance_of_mean + of_b.variance_of_mean;
  WelchResult result;
  if (variance == 0) {
    if (difference == 0) return result;
    result.t = std::copysign(std::numeric_limits<double>::infinity(), difference);
    result.p = 0;
    return result;
  }
  result.t = difference / std::sqrt(variance);
  result.degrees = variance * variance /
                   (of_a.variance_of_mean * of_a.variance_of_mean / (of_a.n - 1) +
                    of_b.variance_of_mean * of_b.variance_of_mean / (of_b.n - 1));
  // P(|T| > t) of Student's distribution: Abramowitz and Stegun 26.7.1, x = degrees / (degrees + t^2).
  const double t2 = result.t * result.t, sum = result.degrees + t2;
  result.p = IncompleteBeta(result.degrees / 2, 0.5, result.degrees / sum, t2 / sum);
  return result;
}

}  // namespace earshot
