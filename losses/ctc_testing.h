// Runs CTC on one utterance of its own, for tests.
#ifndef EARSHOT_LOSSES_CTC_TESTING_H_
#define EARSHOT_LOSSES_CTC_TESTING_H_

#include <limits>
#include <vector>

#include "base/random.h"
#include "losses/ctc_utterance.h"

namespace earshot {

using CtcLabels = std::vector<int32_t>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct CtcResult {
  double loss;
  std::vector<double> gradient;  // [T, C]
};

template <typename T>
CtcResult RunCtc(const std::vector<double>& logits, int classes, const CtcLabels& labels, int blank = 0, T scale = 1) {
  const int frames = static_cast<int>(logits.size()) / classes;
  const std::vector<T> x(logits.begin(), logits.end());
  std::vector<T> dx(x.size(), 77);
  CtcWorkspace workspace;
  const Packing packing = Packing::CreateOrDie({frames});
  const double loss = CtcUtterance<T>(TensorView<const T, 2>(x.data(), {frames, classes}), packing, 0, labels, blank,
                                      scale, TensorView<T, 2>(dx.data(), {frames, classes}), &workspace);
  return {loss, std::vector<double>(dx.begin(), dx.end())};
}

inline std::vector<double> RandomLogits(int seed, int frames, int classes, float range) {
  RandomStream random(seed, RandomPurpose::kTest);
  std::vector<double> logits(frames * classes);
  for (double& x : logits) x = random.Uniform(-range, range);
  return logits;
}

}  // namespace earshot

#endif  // EARSHOT_LOSSES_CTC_TESTING_H_
