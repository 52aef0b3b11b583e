// Hand-computed values and the ends of the range of numbers.
#include "losses/ctc_utterance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/testing/near.h"
#include "losses/ctc_log_space.h"
#include "losses/ctc_testing.h"

namespace earshot {
namespace {

// With uniform probabilities every path has the same one, C^-T, and there are binomial(T + L - r, 2L) of them, r being
// the number of equal neighbours.
double UniformLoss(int frames, int classes, int labels, int equal_neighbours) {
  const double n = frames + labels - equal_neighbours, k = 2.0 * labels;
  return frames * std::log(classes) - (std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1));
}

TEST(CtcUtteranceTest, UniformProbabilities) {
  struct Case {
    CtcLabels labels;
    int frames;
    double loss;
  };
  const std::vector<Case> cases = {
      {{1, 1}, 2, kInfinity},       {{1, 1}, 3, 3.295836866},         {{1, 2}, 1, kInfinity},
      {{1, 2}, 2, 2.19722457734},   {{1, 1, 1}, 4, kInfinity},        {{1, 1, 1}, 5, 5.49306144334},
      {{2, 2, 1, 1}, 5, kInfinity}, {{2, 2, 1, 1}, 6, 6.59167373201},
  };
  for (const Case& c : cases) {
    const CtcResult r = RunCtc<double>(std::vector<double>(c.frames * 3, 0.25), 3, c.labels);
    if (c.loss == kInfinity) {
      EXPECT_EQ(r.loss, kInfinity);
      EXPECT_EQ(r.gradient, std::vector<double>(c.frames * 3, 0.0));
    } else {
      EXPECT_NEAR(r.loss, c.loss, 1e-9);
    }
    EXPECT_EQ(CtcMinFrames(c.labels), c.frames + (c.loss == kInfinity ? 1 : 0));
  }
}

TEST(CtcUtteranceTest, LongUniformUtterances) {
  struct Case {
    int frames, classes, labels, period;
    double loss;  // counted with exact integers
  };
  for (const Case& c : {Case{1000, 59, 100, 58, 3559.45239491}, Case{3000, 11, 40, 10, 6826.83857438},
                        Case{2000, 3, 200, 1, 1200.00002942}}) {
    CtcLabels labels;
    for (int i = 0; i < c.labels; ++i) labels.push_back(1 + i % c.period);
    const std::vector<double> logits(c.frames * c.classes, 0.0);
    EXPECT_NEAR(RunCtc<double>(logits, c.classes, labels).loss, c.loss, 1e-10 * c.loss);
    EXPECT_NEAR(RunCtc<float>(logits, c.classes, labels).loss, c.loss, 1e-5 * c.loss);
    EXPECT_NEAR(UniformLoss(c.frames, c.classes, c.labels, c.period == 1 ? c.labels - 1 : 0), c.loss, 1e-8 * c.loss);
  }
}

TEST(CtcUtteranceTest, TenThousandFrames) {
  CtcLabels labels;
  for (int i = 0; i < 700; ++i) labels.push_back(1 + i * i % 4);
  int equal_neighbours = 0;
  for (size_t k = 1; k < labels.size(); ++k) equal_neighbours += labels[k] == labels[k - 1];
  const double loss = UniformLoss(10000, 5, 700, equal_neighbours);
  const CtcResult r = RunCtc<float>(std::vector<double>(50000, -1.5), 5, labels);
  EXPECT_NEAR(r.loss, loss, 1e-5 * loss);
  double sum = 0;
  for (double g : r.gradient) sum += g;
  EXPECT_NEAR(sum, 0, 1e-3);
}

TEST(CtcUtteranceTest, EmptyTarget) {
  const std::vector<double> logits = {-1.0387, -0.8948, -0.5947, -1.6998, 0.8608, 1.3865,
                                      -1.6595, 0.8709,  -1.5854, -1.1451, 1.1508, -0.918};
  const std::vector<double> gradient = {-0.730727, 0.310948, 0.419778,  -0.972098, 0.361154, 0.610944,
                                        -0.931673, 0.85809,  0.0735826, -0.917954, 0.814991, 0.102964};
  const CtcResult r = RunCtc<double>(logits, 3, {});
  EXPECT_NEAR(r.loss, 10.075004, 1e-6);
  EXPECT_TRUE(AllClose(r.gradient, gradient, 0, 1e-6));
}

TEST(CtcUtteranceTest, BlankLastIsTheSameProblemRenamed) {
  const std::vector<double> first = {-0.4961, 0.9948,  0.7851, -0.6289, 0.4184, -0.4441, -0.9675,
                                     -0.5954, -0.2698, 0.8744, -0.201,  0.6297, 0.3303,  0.8193,
                                     -0.2637, 0.2493,  0.9741, 0.8698,  0.2519, -0.9946};
  std::vector<double> last;
  for (int t = 0; t < 5; ++t) {
    for (int c : {1, 2, 3, 0}) last.push_back(first[t * 4 + c]);
  }
  const CtcResult a = RunCtc<double>(first, 4, {1, 3, 3}, 0), b = RunCtc<double>(last, 4, {0, 2, 2}, 3);
  EXPECT_NEAR(a.loss, 5.8156232, 1e-7);
  EXPECT_NEAR(b.loss, a.loss, 1e-12);
  for (int t = 0; t < 5; ++t) {
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(b.gradient[t * 4 + (c + 3) % 4], a.gradient[t * 4 + c], 1e-12);
  }
}

TEST(CtcUtteranceTest, ScaleActsOnTheGradientOnly) {
  const std::vector<double> logits = {-0.4883, 0.8089, 0.4793, 0.1114, -0.2523, 0.5101,  -0.3468, -0.2723,
                                      -0.0955, 0.0233, 0.8735, 0.326,  -0.1325, -0.1444, 0.3028};
  const std::vector<double> gradient = {-0.110508, 0.50188,    -0.391372,  0.0661464, 0.140193,
                                        -0.20634,  0.00527904, -0.0414378, 0.0361587, 0.0411978,
                                        -0.255176, 0.213978,   -0.171132,  -0.26622,  0.437352};
  for (double scale : {1.0, 0.25, 0.0, -2.0}) {
    const CtcResult r = RunCtc<double>(logits, 3, {2, 1}, 0, scale);
    EXPECT_NEAR(r.loss, 2.0534426, 1e-7);
    std::vector<double> expected = gradient;
    for (double& g : expected) g *= scale;
    EXPECT_TRUE(AllClose(r.gradient, expected, 0, scale == 0 ? 0 : 2e-6)) << scale;
  }
}

// The only path that spells 1 2 3 1 2 3 ... in as many frames has a probability far below what double holds beside the
// all-blank path, which fits every prefix better.
TEST(CtcUtteranceTest, LogitsFarApart) {
  const int frames = 40, classes = 4;
  CtcLabels labels;
  std::vector<double> logits(frames * classes, 0.0);
  double loss = 0;
  for (int t = 0; t < frames; ++t) {
    labels.push_back(1 + t % 3);
    logits[t * classes] = 60;
    logits[t * classes + 1] = 3;
    loss += std::log(std::exp(60.0) + std::exp(3.0) + 2) - logits[t * classes + labels[t]];
  }
  const CtcResult in_double = RunCtc<double>(logits, classes, labels),
                  in_float = RunCtc<float>(logits, classes, labels);
  EXPECT_NEAR(in_double.loss, loss, 1e-12 * loss);
  EXPECT_NEAR(in_float.loss, loss, 1e-6 * loss);
  for (int t = 0; t < frames; ++t) {
    for (int c = 0; c < classes; ++c) {
      const double expected = (c == 0 ? 1 : 0) - (c == labels[t] ? 1 : 0);
      EXPECT_NEAR(in_double.gradient[t * classes + c], expected, 1e-12);
      EXPECT_NEAR(in_float.gradient[t * classes + c], expected, 1e-6);
    }
  }
}

TEST(CtcUtteranceTest, CertainUtteranceHasATinyExactLoss) {
  std::vector<double> logits(3 * 2, 0.0);
  logits[0] = logits[3] = logits[4] = 20;  // blank, 1, blank
  const double other = std::exp(-20.0) / (1 + std::exp(-20.0));
  // To first order in `other`: 1 - 3 other for that path, + 2 other for those with the label in two frames.
  EXPECT_NEAR(RunCtc<float>(logits, 2, {1}).loss, other, 1e-5 * other);
}

TEST(CtcUtteranceTest, LogitsThatAreNotFiniteMakeTheLossNaN) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
    for (size_t at = 0; at < 12; ++at) {
      std::vector<double> logits = RandomLogits(1, 4, 3, 1);
      logits[at] = bad;
      EXPECT_TRUE(std::isnan(RunCtc<double>(logits, 3, {1, 2}).loss));
      EXPECT_TRUE(std::isnan(RunCtc<float>(logits, 3, {1, 2}).loss));
      EXPECT_EQ(RunCtc<float>(logits, 3, {1, 2}, 0, 0.0f).gradient, std::vector<double>(12, 0.0));
    }
  }
}

TEST(CtcUtteranceTest, HugeLogits) {
  // One frame apart by more than exp can express in double, and the largest floats.
  const CtcResult far = RunCtc<double>({0, 5000, 0, 0}, 2, {});
  EXPECT_NEAR(far.loss, 5000 + std::log(2.0), 1e-9);
  EXPECT_TRUE(AllClose(far.gradient, {-1, 1, -0.5, 0.5}, 0, 1e-12));
  const CtcResult largest = RunCtc<float>({3e38, -3e38}, 2, {1});
  EXPECT_NEAR(largest.loss, 6e38, 1e32);
  EXPECT_TRUE(AllClose(largest.gradient, {1, -1}, 0, 1e-6));
}

// A label that is 110 nats worse in every frame: inside the range of double, so both ways must agree.
TEST(CtcUtteranceTest, LinearAndLogSpaceAgree) {
  const int frames = 30, classes = 3;
  const CtcLabels labels = {1, 2, 2};
  const int states = 7;
  for (float range : {1.0f, 10.0f, 100.0f, 300.0f}) {
    const std::vector<double> logits = RandomLogits(3, frames, classes, range);
    std::vector<double> log_emissions(frames * states), occupancies;
    for (int t = 0; t < frames; ++t) {
      const double* x = &logits[t * classes];
      const double max = std::max({x[0], x[1], x[2]});
      const double log_sum = max + std::log(std::exp(x[0] - max) + std::exp(x[1] - max) + std::exp(x[2] - max));
      for (int s = 0; s < states; ++s) log_emissions[t * states + s] = x[s % 2 == 0 ? 0 : labels[s / 2]] - log_sum;
    }
    const double loss = CtcLogSpace(log_emissions, frames, labels, &occupancies);
    const CtcResult r = RunCtc<double>(logits, classes, labels);
    EXPECT_NEAR(r.loss, loss, 1e-11 * loss) << range;
    std::vector<double> gradient(frames * classes);
    for (int t = 0; t < frames; ++t) {
      for (int s = 1; s < states; s += 2) gradient[t * classes + labels[s / 2]] -= occupancies[t * states + s];
      for (int s = 0; s < states; s += 2) gradient[t * classes] -= occupancies[t * states + s];
      for (int c = 0; c < classes; ++c) {
        gradient[t * classes + c] +=
            std::exp(logits[t * classes + c] - logits[t * classes]) * std::exp(log_emissions[t * states]);
      }
    }
    EXPECT_TRUE(AllClose(r.gradient, gradient, 0, range < 200 ? 1e-9 : 1e-6)) << range;
  }
}

}  // namespace
}  // namespace earshot
