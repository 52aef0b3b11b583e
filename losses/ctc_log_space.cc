#include "losses/ctc_log_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace earshot {
namespace {

constexpr double kLogZero = -std::numeric_limits<double>::infinity();

double LogAdd(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kLogZero ? a : a + std::log1p(std::exp(b - a));
}

// Whether a path may go from state s - 2 to the label state s: over the blank between two different labels.
bool MaySkip(absl::Span<const int32_t> labels, int s) {
  return s >= 3 && s % 2 == 1 && labels[s / 2] != labels[s / 2 - 1];
}

}  // namespace

double CtcLogSpace(absl::Span<const double> log_emissions, int frames, absl::Span<const int32_t> labels,
                   std::vector<double>* occupancies) {
  const int states = 2 * static_cast<int>(labels.size()) + 1;
  const auto emission = [&](int t, int s) { return log_emissions[static_cast<int64_t>(t) * states + s]; };
  // alpha [frames, states]: paths that end in s at t, with t's emission.
  std::vector<double>& alpha = *occupancies;
  const size_t size = static_cast<size_t>(frames) * states;
  alpha.assign(size + 2 * states, kLogZero);  // with beta's two rows behind it
  for (int s = 0; s < std::min(states, 2); ++s) alpha[s] = emission(0, s);
  for (int t = 1; t < frames; ++t) {
    double* now = &alpha[static_cast<size_t>(t) * states];
    const double* before = now - states;
    for (int s = 0; s < states; ++s) {
      double sum = before[s];
      if (s >= 1) sum = LogAdd(sum, before[s - 1]);
      if (MaySkip(labels, s)) sum = LogAdd(sum, before[s - 2]);
      now[s] = sum + emission(t, s);
    }
  }
  const double* last = &alpha[static_cast<size_t>(frames - 1) * states];
  const double log_total = states == 1 ? last[0] : LogAdd(last[states - 1], last[states - 2]);
  if (log_total == kLogZero) {
    alpha.assign(size, 0);
    return -log_total;
  }
  // beta [states]: how paths go on from s at t, without t's emission; alpha becomes the occupancy on the way.
  double* const beta = alpha.data() + size;
  double* const next = beta + states;
  for (int s = std::max(states - 2, 0); s < states; ++s) beta[s] = 0;
  for (int t = frames - 1; t >= 0; --t) {
    double* now = &alpha[static_cast<size_t>(t) * states];
    for (int s = 0; s < states; ++s) now[s] = std::exp(now[s] + beta[s] - log_total);
    if (t == 0) break;
    for (int s = 0; s < states; ++s) next[s] = beta[s] + emission(t, s);
    for (int s = 0; s < states; ++s) {
      beta[s] = next[s];
      if (s + 1 < states) beta[s] = LogAdd(beta[s], next[s + 1]);
      if (s + 2 < states && MaySkip(labels, s + 2)) beta[s] = LogAdd(beta[s], next[s + 2]);
    }
  }
  alpha.resize(size);
  return -log_total;
}

}  // namespace earshot
