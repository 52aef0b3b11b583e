#include "losses/ctc_utterance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace earshot {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Result {
  double loss;
  std::vector<double> gradient;  // [T, C]
};

template <typename T>
Result RunCtc(const std::vector<double>& logits, int classes, const std::vector<int32_t>& labels, int blank = 0,
           T scale = 1) {
  const int frames = static_cast<int>(logits.size()) / classes;
  const std::vector<T> x(logits.begin(), logits.end());
  std::vector<T> dx(x.size(), 77);
  CtcWorkspace workspace;
  const Packing packing = Packing::CreateOrDie({frames});
  const double loss = CtcUtterance<T>(TensorView<const T, 2>(x.data(), {frames, classes}), packing, 0, labels, blank,
                                      scale, TensorView<T, 2>(dx.data(), {frames, classes}), &workspace);
  return {loss, std::vector<double>(dx.begin(), dx.end())};
}

// With uniform probabilities every path has the same one, C^-T, and there are binomial(T + L - r, 2L) of them, r being
// the number of equal neighbours.
TEST(CtcUtteranceTest, UniformProbabilities) {
  struct Case {
    std::vector<int32_t> labels;
    int frames;
    double loss;
  };
  const std::vector<Case> cases = {
      {{1, 1}, 2, kInfinity},       {{1, 1}, 3, 3.295836866},        {{1, 2}, 1, kInfinity},
      {{1, 2}, 2, 2.19722457734},   {{1, 1, 1}, 4, kInfinity},       {{1, 1, 1}, 5, 5.49306144334},
      {{2, 2, 1, 1}, 5, kInfinity}, {{2, 2, 1, 1}, 6, 6.59167373201},
  };
  for (const Case& c : cases) {
    const Result r = RunCtc<double>(std::vector<double>(c.frames * 3, 0.25), 3, c.labels);
    if (c.loss == kInfinity) {
      EXPECT_EQ(r.loss, kInfinity);
      EXPECT_EQ(r.gradient, std::vector<double>(c.frames * 3, 0.0));
    } else {
      EXPECT_NEAR(r.loss, c.loss, 1e-9);
    }
  }
}

TEST(CtcUtteranceTest, EmptyTarget) {
  const std::vector<double> logits = {-1.0387, -0.8948, -0.5947, -1.6998, 0.8608, 1.3865,
                                      -1.6595, 0.8709,  -1.5854, -1.1451, 1.1508, -0.918};
  const std::vector<double> gradient = {-0.730727, 0.310948, 0.419778,  -0.972098, 0.361154, 0.610944,
                                        -0.931673, 0.85809,  0.0735826, -0.917954, 0.814991, 0.102964};
  const Result r = RunCtc<double>(logits, 3, {});
  EXPECT_NEAR(r.loss, 10.075004, 1e-6);
  for (size_t i = 0; i < gradient.size(); ++i) EXPECT_NEAR(r.gradient[i], gradient[i], 1e-6) << i;
}

}  // namespace
}  // namespace earshot
