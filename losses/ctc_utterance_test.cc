// One utterance at a time: against hand-computed values, against the enumeration of every path, against complex-step
// derivatives of a plain definition, and against PyTorch in float64.
#include "losses/ctc_utterance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/testing/complex_step.h"
#include "base/testing/near.h"
#include "losses/ctc_log_space.h"

namespace earshot {
namespace {

using Labels = std::vector<int32_t>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Result {
  double loss;
  std::vector<double> gradient;  // [T, C]
};

template <typename T>
Result RunCtc(const std::vector<double>& logits, int classes, const Labels& labels, int blank = 0, T scale = 1) {
  const int frames = static_cast<int>(logits.size()) / classes;
  const std::vector<T> x(logits.begin(), logits.end());
  std::vector<T> dx(x.size(), 77);
  CtcWorkspace workspace;
  const Packing packing = Packing::CreateOrDie({frames});
  const double loss = CtcUtterance<T>(TensorView<const T, 2>(x.data(), {frames, classes}), packing, 0, labels, blank,
                                      scale, TensorView<T, 2>(dx.data(), {frames, classes}), &workspace);
  return {loss, std::vector<double>(dx.begin(), dx.end())};
}

std::vector<double> RandomLogits(int seed, int frames, int classes, float range) {
  RandomStream random(seed, RandomPurpose::kTest);
  std::vector<double> logits(frames * classes);
  for (double& x : logits) x = random.Uniform(-range, range);
  return logits;
}

// With uniform probabilities every path has the same one, C^-T, and there are binomial(T + L - r, 2L) of them, r being
// the number of equal neighbours.
double UniformLoss(int frames, int classes, int labels, int equal_neighbours) {
  const double n = frames + labels - equal_neighbours, k = 2.0 * labels;
  return frames * std::log(classes) - (std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1));
}

TEST(CtcUtteranceTest, UniformProbabilities) {
  struct Case {
    Labels labels;
    int frames;
    double loss;
  };
  const std::vector<Case> cases = {
      {{1, 1}, 2, kInfinity},       {{1, 1}, 3, 3.295836866},         {{1, 2}, 1, kInfinity},
      {{1, 2}, 2, 2.19722457734},   {{1, 1, 1}, 4, kInfinity},        {{1, 1, 1}, 5, 5.49306144334},
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
    Labels labels;
    for (int i = 0; i < c.labels; ++i) labels.push_back(1 + i % c.period);
    const std::vector<double> logits(c.frames * c.classes, 0.0);
    EXPECT_NEAR(RunCtc<double>(logits, c.classes, labels).loss, c.loss, 1e-10 * c.loss);
    EXPECT_NEAR(RunCtc<float>(logits, c.classes, labels).loss, c.loss, 1e-5 * c.loss);
    EXPECT_NEAR(UniformLoss(c.frames, c.classes, c.labels, c.period == 1 ? c.labels - 1 : 0), c.loss, 1e-8 * c.loss);
  }
}

TEST(CtcUtteranceTest, EmptyTarget) {
  const std::vector<double> logits = {-1.0387, -0.8948, -0.5947, -1.6998, 0.8608, 1.3865,
                                      -1.6595, 0.8709,  -1.5854, -1.1451, 1.1508, -0.918};
  const std::vector<double> gradient = {-0.730727, 0.310948, 0.419778,  -0.972098, 0.361154, 0.610944,
                                        -0.931673, 0.85809,  0.0735826, -0.917954, 0.814991, 0.102964};
  const Result r = RunCtc<double>(logits, 3, {});
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
  const Result a = RunCtc<double>(first, 4, {1, 3, 3}, 0), b = RunCtc<double>(last, 4, {0, 2, 2}, 3);
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
    const Result r = RunCtc<double>(logits, 3, {2, 1}, 0, scale);
    EXPECT_NEAR(r.loss, 2.0534426, 1e-7);
    std::vector<double> expected = gradient;
    for (double& g : expected) g *= scale;
    EXPECT_TRUE(AllClose(r.gradient, expected, 0, scale == 0 ? 0 : 2e-6)) << scale;
  }
}

// Every path over T frames, gathered by what it spells: the definition, equation 3 of the paper.
struct Enumerated {
  double probability = 0;
  std::vector<double> occupancy;  // [T, C] probability of the paths that pass there
};

std::map<Labels, Enumerated> Enumerate(const std::vector<double>& softmax, int frames, int classes) {
  std::map<Labels, Enumerated> all;
  std::vector<int> path(frames, 0);
  while (true) {
    Labels spelled;
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
std::vector<Labels> AllTargets(int classes, int longest) {
  std::vector<Labels> all = {{}};
  for (size_t i = 0; i < all.size(); ++i) {
    if (static_cast<int>(all[i].size()) == longest) break;
    for (int c = 1; c < classes; ++c) {
      Labels longer = all[i];
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
  std::map<Labels, Enumerated> all = Enumerate(softmax, frames, classes);
  int possible = 0;
  for (const Labels& labels : AllTargets(classes, frames)) {
    const Result in_double = RunCtc<double>(logits, classes, labels), in_float = RunCtc<float>(logits, classes, labels);
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

TEST(CtcUtteranceTest, EqualsTheEnumerationOfAllPaths) {
  for (int frames = 1; frames <= 6; ++frames) {
    for (int classes = 2; classes <= 4; ++classes) CompareWithEnumeration(frames, classes);
  }
}

// Equations 5 to 8 as they stand, over probabilities, for any kind of number.
template <typename S>
S Definition(const std::vector<S>& logits, int classes, const Labels& labels) {
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

TEST(CtcUtteranceTest, GradientEqualsComplexStep) {
  const std::vector<Labels> targets = {{}, {1}, {2, 2}, {1, 2, 3, 3, 1}, {4, 4, 4, 4}, {1, 2, 3, 4, 5, 6, 1}};
  for (const Labels& labels : targets) {
    for (int frames : {7, 11, 20}) {
      const int classes = 7;
      const std::vector<double> logits = RandomLogits(frames, frames, classes, 3);
      const auto f = [&](const std::vector<std::complex<double>>& z) { return Definition(z, classes, labels); };
      const Result r = RunCtc<double>(logits, classes, labels);
      EXPECT_NEAR(r.loss, Definition(logits, classes, labels), 1e-11);
      EXPECT_TRUE(AllClose(r.gradient, ComplexStepGradient(f, logits), 0, 1e-11));
    }
  }
}

// The only path that spells 1 2 3 1 2 3 ... in as many frames has a probability far below what double holds beside the
// all-blank path, which fits every prefix better.
TEST(CtcUtteranceTest, LogitsFarApart) {
  const int frames = 40, classes = 4;
  Labels labels;
  std::vector<double> logits(frames * classes, 0.0);
  double loss = 0;
  for (int t = 0; t < frames; ++t) {
    labels.push_back(1 + t % 3);
    logits[t * classes] = 60;
    logits[t * classes + 1] = 3;
    loss += std::log(std::exp(60.0) + std::exp(3.0) + 2) - logits[t * classes + labels[t]];
  }
  const Result in_double = RunCtc<double>(logits, classes, labels), in_float = RunCtc<float>(logits, classes, labels);
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
  const Result far = RunCtc<double>({0, 5000, 0, 0}, 2, {});
  EXPECT_NEAR(far.loss, 5000 + std::log(2.0), 1e-9);
  EXPECT_TRUE(AllClose(far.gradient, {-1, 1, -0.5, 0.5}, 0, 1e-12));
  const Result largest = RunCtc<float>({3e38, -3e38}, 2, {1});
  EXPECT_NEAR(largest.loss, 6e38, 1e32);
  EXPECT_TRUE(AllClose(largest.gradient, {1, -1}, 0, 1e-6));
}

// A label that is 110 nats worse in every frame: inside the range of double, so both ways must agree.
TEST(CtcUtteranceTest, LinearAndLogSpaceAgree) {
  const int frames = 30, classes = 3;
  const Labels labels = {1, 2, 2};
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
    const Result r = RunCtc<double>(logits, classes, labels);
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

// tools/golden/ctc_cases.py draws the same numbers.
std::vector<uint64_t> SplitMix(uint64_t seed, int n) {
  std::vector<uint64_t> words;
  for (int i = 1; i <= n; ++i) {
    uint64_t z = ((seed << 32) + i) * 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    words.push_back(z ^ (z >> 31));
  }
  return words;
}

struct GoldenCase {
  int seed = 0, frames = 0, classes = 0, labels = 0, repeat_percent = 0, range = 0;
  std::string loss;  // "inf" is no number to a stream
  double sum_of_squares = 0;
  std::map<int, double> gradient;  // some elements, all of small cases
};

std::vector<GoldenCase> ReadGoldenCases() {
  std::vector<GoldenCase> cases;
  std::ifstream file("losses/testdata/ctc_cases.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    GoldenCase c;
    int count = 0, index = 0;
    fields >> c.seed >> c.frames >> c.classes >> c.labels >> c.repeat_percent >> c.range >> c.loss >> c.sum_of_squares;
    fields >> count;
    for (int i = 0; i < count; ++i) fields >> index >> c.gradient[index];
    EXPECT_TRUE(fields) << line;
    cases.push_back(c);
  }
  return cases;
}

template <typename T>
void CompareWithGolden(const GoldenCase& c, double loss_tolerance, double gradient_tolerance) {
  Labels labels;
  for (uint64_t word : SplitMix(2 * c.seed, c.labels)) {
    const bool repeat = !labels.empty() && static_cast<int>((word >> 40) % 100) < c.repeat_percent;
    labels.push_back(repeat ? labels.back() : 1 + static_cast<int>((word & 0xFFFFFFFF) % (c.classes - 1)));
  }
  std::vector<double> logits;
  for (uint64_t word : SplitMix(2 * c.seed + 1, c.frames * c.classes)) {
    logits.push_back((static_cast<float>(word >> 40) * 0x1p-23f - 1.0f) * static_cast<float>(c.range));
  }
  const Result r = RunCtc<T>(logits, c.classes, labels);
  const double loss = std::stod(c.loss);
  if (loss == kInfinity) {
    EXPECT_EQ(r.loss, kInfinity);
  } else {
    EXPECT_NEAR(r.loss, loss, loss_tolerance * loss);
  }
  for (const auto& [index, value] : c.gradient) EXPECT_NEAR(r.gradient[index], value, gradient_tolerance) << index;
  double sum_of_squares = 0;
  for (double g : r.gradient) sum_of_squares += g * g;
  EXPECT_NEAR(sum_of_squares, c.sum_of_squares, gradient_tolerance * std::max(c.sum_of_squares, 1.0));
}

TEST(CtcUtteranceTest, EqualsPyTorch) {
  const std::vector<GoldenCase> cases = ReadGoldenCases();
  ASSERT_EQ(cases.size(), 200u);
  for (const GoldenCase& c : cases) {
    SCOPED_TRACE(c.seed);
    CompareWithGolden<double>(c, 1e-10, 1e-8);
    CompareWithGolden<float>(c, 1e-5, 1e-5);
  }
}

}  // namespace
}  // namespace earshot
