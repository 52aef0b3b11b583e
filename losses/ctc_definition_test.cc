// CTC against its definitions: the enumeration of every path, and complex-step derivatives of the recursion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <vector>

#include "base/testing/complex_step.h"
#include "base/testing/near.h"
#include "losses/ctc_testing.h"

namespace earshot {
namespace {

// Every path over T frames, gathered by what it spells: the definition, equation 3 of the paper.
struct Enumerated {
  double probability = 0;
  std::vector<double> occupancy;  // [T, C] probability of the paths that pass there
};

std::map<CtcLabels, Enumerated> Enumerate(const std::vector<double>& softmax, int frames, int classes) {
  std::map<CtcLabels, Enumerated> all;
  std::vector<int> path(frames, 0);
  while (true) {
    CtcLabels spelled;
    double probability = 1;
    for (int t = 0; t < frames; ++t) {
      probability *= softmax[t * classes + path[t]];
      if (path[t] != 0 && (t == 0 || path[t] != path[t - 1])) spelled.push_back(path[t]);
    }
    Enumerated& e = all[spelled];
    e.occupancy.resize(softmax.size());
    e.probability += probability;
    for (int t = 0; t < frames; ++t) e.occupancy[t * classes + path[t]] += probability;
    int t = 0;
    while (t < frames && ++path[t] == classes) path[t++] = 0;
    if (t == frames) return all;
  }
}

// All label sequences of at most `longest` labels.
std::vector<CtcLabels> AllTargets(int classes, int longest) {
  std::vector<CtcLabels> all = {{}};
  for (size_t i = 0; i < all.size(); ++i) {
    if (static_cast<int>(all[i].size()) == longest) break;
    for (int c = 1; c < classes; ++c) {
      CtcLabels longer = all[i];
      longer.push_back(c);
      all.push_back(longer);
    }
  }
  return all;
}

void CompareWithEnumeration(int frames, int classes) {
  // Values that float holds exactly, so that both precisions have the same problem.
  const std::vector<double> logits = RandomLogits(frames * 10 + classes, frames, classes, 2);
  std::vector<double> softmax(logits.size());
  for (int t = 0; t < frames; ++t) {
    double sum = 0;
    for (int c = 0; c < classes; ++c) sum += std::exp(logits[t * classes + c]);
    for (int c = 0; c < classes; ++c) softmax[t * classes + c] = std::exp(logits[t * classes + c]) / sum;
  }
  std::map<CtcLabels, Enumerated> all = Enumerate(softmax, frames, classes);
  int possible = 0;
  for (const CtcLabels& labels : AllTargets(classes, frames)) {
    const CtcResult in_double = RunCtc<double>(logits, classes, labels),
                    in_float = RunCtc<float>(logits, classes, labels);
    const auto found = all.find(labels);
    if (found == all.end()) {
      EXPECT_GT(CtcMinFrames(labels), frames);
      EXPECT_EQ(in_double.loss, kInfinity);
      EXPECT_EQ(in_float.gradient, std::vector<double>(logits.size(), 0.0));
      continue;
    }
    ++possible;
    const double loss = -std::log(found->second.probability);
    std::vector<double> gradient = softmax;
    for (size_t i = 0; i < gradient.size(); ++i) gradient[i] -= found->second.occupancy[i] / found->second.probability;
    ASSERT_NEAR(in_double.loss, loss, 1e-12 * std::max(1.0, loss));
    ASSERT_NEAR(in_float.loss, loss, 1e-5 * loss);
    ASSERT_TRUE(AllClose(in_double.gradient, gradient, 0, 1e-12));
    ASSERT_TRUE(AllClose(in_float.gradient, gradient, 0, 1e-6));
    for (int t = 0; t < frames; ++t) {
      double sum = 0;
      for (int c = 0; c < classes; ++c) sum += in_float.gradient[t * classes + c];
      ASSERT_NEAR(sum, 0, 1e-6);
    }
  }
  EXPECT_EQ(possible, static_cast<int>(all.size()));
}

TEST(CtcDefinitionTest, EqualsTheEnumerationOfAllPaths) {
  for (int frames = 1; frames <= 6; ++frames) {
    for (int classes = 2; classes <= 4; ++classes) CompareWithEnumeration(frames, classes);
  }
}

// Equations 5 to 8 as they stand, over probabilities, for any kind of number.
template <typename S>
S Definition(const std::vector<S>& logits, int classes, const CtcLabels& labels) {
  const int states = 2 * static_cast<int>(labels.size()) + 1, frames = static_cast<int>(logits.size()) / classes;
  std::vector<S> alpha(states, S(0)), before;
  for (int t = 0; t < frames; ++t) {
    S sum(0);
    for (int c = 0; c < classes; ++c) sum += std::exp(logits[t * classes + c]);
    before = alpha;
    for (int s = 0; s < states; ++s) {
      const int symbol = s % 2 == 0 ? 0 : labels[s / 2];
      S paths = t == 0 ? S(s < 2 ? 1 : 0) : before[s];
      if (t > 0 && s >= 1) paths += before[s - 1];
      if (t > 0 && s >= 3 && s % 2 == 1 && symbol != labels[s / 2 - 1]) paths += before[s - 2];
      alpha[s] = paths * std::exp(logits[t * classes + symbol]) / sum;
    }
  }
  return -std::log(states == 1 ? alpha[0] : alpha[states - 1] + alpha[states - 2]);
}

TEST(CtcDefinitionTest, GradientEqualsComplexStep) {
  const std::vector<CtcLabels> targets = {{}, {1}, {2, 2}, {1, 2, 3, 3, 1}, {4, 4, 4, 4}, {1, 2, 3, 4, 5, 6, 1}};
  for (const CtcLabels& labels : targets) {
    for (int frames : {7, 11, 20}) {
      const int classes = 7;
      const std::vector<double> logits = RandomLogits(frames, frames, classes, 3);
      const auto f = [&](const std::vector<std::complex<double>>& z) { return Definition(z, classes, labels); };
      const CtcResult r = RunCtc<double>(logits, classes, labels);
      EXPECT_NEAR(r.loss, Definition(logits, classes, labels), 1e-11);
      EXPECT_TRUE(AllClose(r.gradient, ComplexStepGradient(f, logits), 0, 1e-11));
    }
  }
}

}  // namespace
}  // namespace earshot
