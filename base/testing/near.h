// The one tolerance of this project's numerical tests (CONTRIBUTING.md, Tests).
#ifndef EARSHOT_BASE_TESTING_NEAR_H_
#define EARSHOT_BASE_TESTING_NEAR_H_

#include <gtest/gtest.h>

#include "absl/types/span.h"
#include "base/tolerance.h"

namespace earshot {

// |actual - expected| <= Tolerance(terms, factor, max|expected|), element by element. The scale is at least `floor`: pass
// the size of the terms where the expected values may cancel to nearly zero. NaN and infinity always fail.
testing::AssertionResult AllNear(absl::Span<const float> actual, absl::Span<const double> expected, double terms,
                                 double factor = kDefaultToleranceFactor, double floor = 0);

// Relative error against the larger magnitude with an absolute floor, in double; NaN and infinity always fail.
testing::AssertionResult AllClose(absl::Span<const double> actual, absl::Span<const double> expected, double relative,
                                  double absolute);

// Bit for bit (so NaN equals the same NaN, and -0 differs from 0).
testing::AssertionResult SameBits(absl::Span<const float> actual, absl::Span<const float> expected);

}  // namespace earshot

#endif  // EARSHOT_BASE_TESTING_NEAR_H_
