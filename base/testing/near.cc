#include "base/testing/near.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace earshot {

testing::AssertionResult AllNear(absl::Span<const float> actual, absl::Span<const double> expected, double terms,
                                 double factor, double floor) {
  if (actual.size() != expected.size()) {
    return testing::AssertionFailure() << actual.size() << " elements, expected " << expected.size();
  }
  double scale = floor;
  for (double e : expected) scale = std::max(scale, std::abs(e));
  const double limit = Tolerance(terms, factor, scale);
  double worst = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    const double error = std::abs(actual[i] - expected[i]);
    if (!(error <= limit) || std::isinf(error)) {  // the first is also true for NaN
      return testing::AssertionFailure() << "element " << i << " is " << actual[i] << ", expected " << expected[i]
                                         << ": error " << error << " over the limit " << limit << " (scale " << scale
                                         << ", terms " << terms << ", factor " << factor << ")";
    }
    worst = std::max(worst, error);
  }
  return testing::AssertionSuccess() << "largest error " << worst << " of " << limit;
}

testing::AssertionResult AllClose(absl::Span<const double> actual, absl::Span<const double> expected, double relative,
                                  double absolute) {
  if (actual.size() != expected.size()) {
    return testing::AssertionFailure() << actual.size() << " elements, expected " << expected.size();
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    const double limit = absolute + relative * std::max(std::abs(actual[i]), std::abs(expected[i]));
    const double error = std::abs(actual[i] - expected[i]);
    if (!(error <= limit) || std::isinf(error)) {
      return testing::AssertionFailure() << "element " << i << " is " << actual[i] << ", expected " << expected[i]
                                         << ": error " << error << " over the limit " << limit;
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult SameBits(absl::Span<const float> actual, absl::Span<const float> expected) {
  if (actual.size() != expected.size()) {
    return testing::AssertionFailure() << actual.size() << " elements, expected " << expected.size();
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    if (std::memcmp(&actual[i], &expected[i], sizeof(float)) != 0) {
      return testing::AssertionFailure() << "element " << i << " is " << actual[i] << ", expected the bits of "
                                         << expected[i];
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace earshot
