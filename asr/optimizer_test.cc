#include "asr/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "base/testing/every_target.h"
#include "base/testing/near.h"

namespace earshot {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

OptimizerConfig Config(OptimizerConfig::Kind kind) {
  OptimizerConfig config;
  config.set_kind(kind);
  return config;
}

// The parameter after each of the gradients, one update at a time.
std::vector<float> Descend(const OptimizerConfig& config, float w, const std::vector<float>& grads,
                           float grad_scale = 1) {
  ThreadPool pool(1);
  Optimizer optimizer(config, 1, &pool);
  std::vector<float> path;
  for (float g : grads) {
    optimizer.Step(config.learning_rate(), grad_scale, {g}, absl::MakeSpan(&w, 1));
    path.push_back(w);
  }
  EXPECT_EQ(optimizer.updates(), static_cast<int64_t>(grads.size()));
  return path;
}

void ExpectNear(const std::vector<float>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
}

// The two forms of Adam differ by up to 1 / sqrt(1 - beta2) = 31 in the first steps; ours is algorithm 1 of the paper.
TEST(AdamTest, AddsEpsilonBesideTheCorrectedSecondMoment) {
  OptimizerConfig config = Config(OptimizerConfig::ADAM);
  config.set_learning_rate(0.1f);
  config.set_epsilon(1e-3f);
  const std::vector<float> grads = {0.01f, -0.02f, 0.03f};
  // Both in double: w -= lr * mhat / (sqrt(vhat) + eps), and with the same eps beside the raw sqrt(v).
  const std::vector<double> algorithm_1 = {0.909090909091, 0.943523857663, 0.910717934831};
  const std::vector<double> epsilon_hat = {0.975974692665, 0.991138308881, 0.972537837516};
  const std::vector<float> path = Descend(config, 1.0f, grads);
  ExpectNear(path, algorithm_1, 1e-6);
  for (size_t i = 0; i < path.size(); ++i) EXPECT_GT(std::abs(path[i] - epsilon_hat[i]), 0.01) << i;
}

TEST(AdamTest, FirstStepIsTheLearningRateWhateverTheScale) {
  OptimizerConfig config = Config(OptimizerConfig::ADAM);
  for (float g : {1e-4f, 1.0f, 1e4f}) EXPECT_NEAR(Descend(config, 0.0f, {g})[0], -1e-3, 1e-6) << g;
}

// Decoupled decay: torch.optim.AdamW multiplies by 1 - lr * decay, then takes Adam's step of about lr.
TEST(AdamTest, WeightDecayIsDecoupled) {
  OptimizerConfig config = Config(OptimizerConfig::ADAM);
  config.set_learning_rate(0.1f);
  config.set_weight_decay(0.5f);
  ExpectNear(Descend(config, 2.0f, {1.0f, 1.0f}), {2 * 0.95 - 0.1, (2 * 0.95 - 0.1) * 0.95 - 0.1}, 1e-6);
}

// By hand, as torch.optim.SGD: v = 1, 0.9 + 2 = 2.9, 2.61 - 1 = 1.61, and w -= 0.1 v.
TEST(SgdTest, MomentumByHand) {
  OptimizerConfig config = Config(OptimizerConfig::SGD);
  config.set_learning_rate(0.1f);
  ExpectNear(Descend(config, 1.0f, {1.0f, 2.0f, -1.0f}), {0.9, 0.61, 0.449}, 1e-6);
  // Half the gradient everywhere is half the way.
  ExpectNear(Descend(config, 1.0f, {1.0f, 2.0f, -1.0f}, 0.5f), {0.95, 0.805, 0.7245}, 1e-6);
  config.set_momentum(0);
  ExpectNear(Descend(config, 1.0f, {1.0f, 2.0f, -1.0f}), {0.9, 0.7, 0.8}, 1e-6);
  config.set_weight_decay(0.5f);
  ExpectNear(Descend(config, 1.0f, {1.0f, 2.0f}), {0.95 - 0.1, 0.85 * 0.95 - 0.2}, 1e-6);
}

TEST(OptimizerTest, StateIsWhatTheNextStepNeeds) {
  for (OptimizerConfig::Kind kind : {OptimizerConfig::ADAM, OptimizerConfig::SGD}) {
    const OptimizerConfig config = Config(kind);
    ThreadPool pool(1);
    constexpr int64_t kSize = 37;
    std::vector<float> w(kSize), grads(kSize);
    RandomStream random(3, RandomPurpose::kTest);
    for (float& g : grads) g = random.Normal();
    Optimizer straight(config, kSize, &pool);
    for (int k = 0; k < 3; ++k) straight.Step(0.01f, 1, grads, absl::MakeSpan(w));
    std::vector<float> resumed = w;
    Optimizer other(config, kSize, &pool);
    ASSERT_EQ(other.state().size(), kind == OptimizerConfig::ADAM ? 2u : 1u);
    for (size_t i = 0; i < other.state().size(); ++i) {
      EXPECT_EQ(other.state()[i].name, straight.state()[i].name);
      std::copy_n(straight.state()[i].values.begin(), kSize, other.state()[i].values.begin());
    }
    other.set_updates(straight.updates());
    straight.Step(0.01f, 1, grads, absl::MakeSpan(w));
    other.Step(0.01f, 1, grads, absl::MakeSpan(resumed));
    EXPECT_TRUE(SameBits(resumed, w));
  }
}

TEST(OptimizerTest, SameBitsForAnyNumberOfThreads) {
  constexpr int64_t kSize = 300007;  // several shares, the last one ragged
  std::vector<float> grads(kSize);
  RandomStream random(4, RandomPurpose::kTest);
  for (float& g : grads) g = random.Normal();
  for (OptimizerConfig::Kind kind : {OptimizerConfig::ADAM, OptimizerConfig::SGD}) {
    std::vector<float> first;
    for (int threads = 1; threads <= 4; ++threads) {
      ThreadPool pool(threads);
      Optimizer optimizer(Config(kind), kSize, &pool);
      std::vector<float> w(kSize, 0.5f);
      for (int k = 0; k < 3; ++k) optimizer.Step(1e-3f, 0.7f, grads, absl::MakeSpan(w));
      if (threads == 1) first = w;
      EXPECT_TRUE(SameBits(w, first)) << threads << " threads";
    }
    EXPECT_NE(first[kSize - 1], 0.5f);
  }
}

// Both kinds, three updates, in double.
std::vector<double> UpdateInDouble(const OptimizerConfig& config, double learning_rate, double grad_scale,
                                   const std::vector<float>& grads, std::vector<double> w) {
  const double b1 = config.beta1(), b2 = config.beta2(), decay = learning_rate * config.weight_decay();
  std::vector<double> m(w.size()), v(w.size());
  for (int t = 1; t <= 3; ++t) {
    for (size_t i = 0; i < w.size(); ++i) {
      const double g = grad_scale * grads[i];
      if (config.kind() == OptimizerConfig::SGD) {
        m[i] = config.momentum() * m[i] + g;
        w[i] -= decay * w[i] + learning_rate * m[i];
      } else {
        m[i] = b1 * m[i] + (1 - b1) * g;
        v[i] = b2 * v[i] + (1 - b2) * g * g;
        w[i] -= decay * w[i] + learning_rate * (m[i] / (1 - std::pow(b1, t))) /
                                   (std::sqrt(v[i] / (1 - std::pow(b2, t))) + config.epsilon());
      }
    }
  }
  return w;
}

TEST(OptimizerTest, EqualsTheFormulasInDoubleOnEveryInstructionSet) {
  for (OptimizerConfig::Kind kind : {OptimizerConfig::ADAM, OptimizerConfig::SGD}) {
    OptimizerConfig config = Config(kind);
    config.set_weight_decay(0.1f);
    for (int64_t size : {1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 100}) {
      std::vector<float> grads(size), start(size);
      RandomStream random(5, RandomPurpose::kTest, size);
      for (float& g : grads) g = random.Normal();
      for (float& w : start) w = random.Normal();
      const std::vector<double> expected =
          UpdateInDouble(config, 0.01f, 0.5f, grads, std::vector<double>(start.begin(), start.end()));
      OnEveryTarget([&] {
        ThreadPool pool(1);
        Optimizer optimizer(config, size, &pool);
        std::vector<float> w = start;
        for (int t = 0; t < 3; ++t) optimizer.Step(0.01f, 0.5f, grads, absl::MakeSpan(w));
        EXPECT_TRUE(AllNear(w, expected, 3)) << size;
      });
    }
  }
}

TEST(GradientNormTest, IsTheEuclideanNormInDouble) {
  EXPECT_DOUBLE_EQ(GradientNorm({3.0f, 4.0f}), 5.0);
  EXPECT_EQ(GradientNorm({}), 0);
  // The sum of squares of these does not fit into a float.
  EXPECT_NEAR(GradientNorm({1e38f, 1e38f}) / 1.41421356237e38, 1, 1e-6);
  EXPECT_NEAR(GradientNorm({1e-38f, 1e-38f}) / 1.41421356237e-38, 1, 1e-6);
  // Every entry counts, wherever the partial sums are cut.
  for (size_t n = 1; n < 40; ++n) EXPECT_DOUBLE_EQ(GradientNorm(std::vector<float>(n, 2.0f)), 2 * std::sqrt(n)) << n;
}

TEST(GradientNormTest, ShowsNumbersThatAreNotFinite) {
  for (size_t at = 0; at < 20; ++at) {
    std::vector<float> grads(20, 1.0f);
    grads[at] = kInf;
    EXPECT_EQ(GradientNorm(grads), kInf) << at;
    grads[at] = -kInf;
    EXPECT_EQ(GradientNorm(grads), kInf) << at;
    grads[at] = kNan;
    EXPECT_TRUE(std::isnan(GradientNorm(grads))) << at;
  }
}

TEST(GradientNormTest, MeasuringChangesNothing) {
  std::vector<float> grads = {3.0f, 4.0f, kInf, kNan, 1e38f};
  const std::vector<float> before = grads;
  GradientNorm(grads);
  EXPECT_TRUE(SameBits(grads, before));
}

TEST(ClipFactorTest, BringsTheNormDownAndNeverUp) {
  EXPECT_EQ(ClipFactor(5, 10), 1);
  EXPECT_FLOAT_EQ(ClipFactor(5, 1), 0.2f);
  EXPECT_FLOAT_EQ(ClipFactor(5, 0.5f), 0.1f);
  EXPECT_EQ(ClipFactor(5, 5), 1);
  EXPECT_EQ(ClipFactor(0, 1), 1);
  EXPECT_EQ(ClipFactor(1e30, 0), 1);  // off
  EXPECT_NEAR(ClipFactor(1.41421356237e38, 1) * 1e38f, 0.707106781, 1e-6);
}

TEST(ClipFactorTest, ClippedStepIsTheStepOfTheShorterGradient) {
  OptimizerConfig config = Config(OptimizerConfig::SGD);
  config.set_learning_rate(1);
  config.set_momentum(0);
  ThreadPool pool(1);
  const std::vector<float> grads = {3.0f, 4.0f};
  std::vector<float> w = {0.0f, 0.0f};
  Optimizer(config, 2, &pool).Step(1, ClipFactor(GradientNorm(grads), 1), grads, absl::MakeSpan(w));
  ExpectNear(w, {-0.6, -0.8}, 1e-6);
}

}  // namespace
}  // namespace earshot
