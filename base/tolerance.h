// The one tolerance of results in single precision: of the tests (base/testing/near.h) and of what is checked in use.
#ifndef EARSHOT_BASE_TOLERANCE_H_
#define EARSHOT_BASE_TOLERANCE_H_

#include <algorithm>
#include <cmath>
#include <limits>

namespace earshot {

// Calibrated once over the conformance suite (ten seeds, largest need seen: 2.00), then frozen: an implementation that
// needs more says so in its registry row, with the reason.
constexpr double kDefaultToleranceFactor = 3.0;

// factor * eps_float * sqrt(terms) * scale: how far an element may be from the truth. `terms` is the number of products
// that are summed into one element (their rounding errors add up like a random walk), `scale` the largest magnitude of
// the true elements.
inline double Tolerance(double terms, double factor, double scale) {
  return factor * std::numeric_limits<float>::epsilon() * std::sqrt(std::max(terms, 1.0)) * scale;
}

}  // namespace earshot

#endif  // EARSHOT_BASE_TOLERANCE_H_
