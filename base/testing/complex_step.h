// Exact derivatives of real functions through one complex evaluation (Squire and Trapp, "Using complex variables to
// estimate derivatives of real functions", 1998): f'(x) = Im f(x + ih) / h, without cancellation, so h can be 1e-20.
// Needs denormals: call it with flush-to-zero off.
#ifndef EARSHOT_BASE_TESTING_COMPLEX_STEP_H_
#define EARSHOT_BASE_TESTING_COMPLEX_STEP_H_

#include <complex>
#include <vector>

namespace earshot {

constexpr double kComplexStep = 1e-20;

// The gradient of f: (const std::vector<std::complex<double>>&) -> std::complex<double> at the real point x.
template <typename F>
std::vector<double> ComplexStepGradient(F f, const std::vector<double>& x) {
  std::vector<std::complex<double>> z(x.begin(), x.end());
  std::vector<double> gradient(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    z[i] = {x[i], kComplexStep};
    gradient[i] = f(z).imag() / kComplexStep;
    z[i] = x[i];
  }
  return gradient;
}

}  // namespace earshot

#endif  // EARSHOT_BASE_TESTING_COMPLEX_STEP_H_
