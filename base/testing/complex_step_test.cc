#include "base/testing/complex_step.h"

#include <gtest/gtest.h>

#include <cmath>

namespace earshot {
namespace {

TEST(ComplexStepTest, DerivativesToTheLastDigits) {
  using Complex = std::complex<double>;
  const auto f = [](const std::vector<Complex>& z) { return std::exp(z[0]) * std::tanh(z[1]) / (1.0 + z[0] * z[0]); };
  const double x = 0.7, y = -1.3;
  const std::vector<double> gradient = ComplexStepGradient(f, {x, y});
  const double c = std::exp(x) / (1 + x * x);
  EXPECT_NEAR(gradient[0], c * std::tanh(y) * (1 - 2 * x / (1 + x * x)), 1e-15);
  EXPECT_NEAR(gradient[1], c * (1 - std::tanh(y) * std::tanh(y)), 1e-15);
}

}  // namespace
}  // namespace earshot
