// Linear space against log space, on every instruction set and for every width of rows around whole vectors.
#include "losses/ctc_linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/testing/allocations.h"
#include "base/testing/every_target.h"
#include "base/testing/near.h"
#include "losses/ctc_log_space.h"
#include "losses/ctc_testing.h"

namespace earshot {
namespace {

// The definition, equation by equation in log space.
CtcResult InLogSpace(const std::vector<double>& logits, int classes, const CtcLabels& labels) {
  const int frames = static_cast<int>(logits.size()) / classes, states = 2 * static_cast<int>(labels.size()) + 1;
  const auto symbol = [&](int s) { return s % 2 == 0 ? 0 : labels[s / 2]; };
  std::vector<double> log_emissions, occupancies;
  CtcResult r;
  for (int t = 0; t < frames; ++t) {
    const auto row = logits.begin() + t * classes;
    const double max = *std::max_element(row, row + classes);
    double sum = 0;
    for (int c = 0; c < classes; ++c) sum += std::exp(row[c] - max);
    for (int s = 0; s < states; ++s) log_emissions.push_back(row[symbol(s)] - max - std::log(sum));
    for (int c = 0; c < classes; ++c) r.gradient.push_back(std::exp(row[c] - max) / sum);
  }
  r.loss = CtcLogSpace(log_emissions, frames, labels, &occupancies);
  for (int t = 0; t < frames; ++t) {
    for (int s = 0; s < states; ++s) r.gradient[t * classes + symbol(s)] -= occupancies[t * states + s];
  }
  return r;
}

// Logits that float holds exactly, so that both precisions have the same problem.
std::vector<double> FloatLogits(int seed, int frames, int classes, float range) {
  std::vector<double> logits = RandomLogits(seed, frames, classes, range);
  for (double& x : logits) x = static_cast<float>(x);
  return logits;
}

CtcLabels RandomLabels(int seed, int count, int classes, double repeats) {
  RandomStream random(seed, RandomPurpose::kTest, count);
  CtcLabels labels;
  for (int k = 0; k < count; ++k) {
    const bool repeat = k > 0 && random.Uniform(0, 1) < repeats;
    labels.push_back(repeat ? labels.back() : 1 + static_cast<int>(random.Uniform(0, 0.999f) * (classes - 1)));
  }
  return labels;
}

void Compare(const std::vector<double>& logits, int classes, const CtcLabels& labels) {
  SCOPED_TRACE(testing::Message() << classes << " classes, " << labels.size() << " labels, " << logits.size() / classes
                                  << " frames");
  const CtcResult expected = InLogSpace(logits, classes, labels);
  OnEveryTarget([&] {
    const CtcResult in_double = RunCtc<double>(logits, classes, labels),
                    in_float = RunCtc<float>(logits, classes, labels);
    EXPECT_NEAR(in_double.loss, expected.loss, 1e-9 * expected.loss + 1e-11);
    EXPECT_NEAR(in_float.loss, expected.loss, 1e-5 * expected.loss);
    EXPECT_TRUE(AllClose(in_double.gradient, expected.gradient, 0, 1e-9));
    EXPECT_TRUE(AllClose(in_float.gradient, expected.gradient, 0, 1e-6));
  });
}

TEST(CtcLinearTest, AnyNumberOfClasses) {
  for (int classes = 2; classes <= 70; ++classes) {
    Compare(FloatLogits(classes, 13, classes, 3), classes, RandomLabels(classes, 5, classes, 0.3));
  }
}

TEST(CtcLinearTest, AnyNumberOfLabels) {
  for (int count : {0, 1, 2, 6, 7, 8, 9, 14, 15, 16, 17, 33, 300}) {
    for (double repeats : {0.0, 0.5, 1.0}) {
      const CtcLabels labels = RandomLabels(count, count, 12, repeats);
      const int fewest = std::max<int>(1, CtcMinFrames(labels));
      for (int frames : {fewest, fewest + 1, fewest + 20, 3 * fewest + 7}) {
        Compare(FloatLogits(frames, frames, 12, 2), 12, labels);
      }
    }
  }
}

TEST(CtcLinearTest, OneFrame) {
  for (int classes : {2, 8, 9}) {
    Compare(FloatLogits(classes, 1, classes, 5), classes, {});
    Compare(FloatLogits(classes, 1, classes, 5), classes, {1});
  }
}

// From a net that is nearly sure to one whose every frame is hundreds of nats against the labels: whether linear space
// does it or says that it cannot, the result is right.
TEST(CtcLinearTest, PeakedLogits) {
  int in_log_space = 0;
  for (float range : {10.0f, 30.0f, 100.0f, 250.0f, 330.0f, 600.0f, 1000.0f}) {
    for (int count : {1, 9, 30}) {
      const CtcLabels labels = RandomLabels(count, count, 9, 0.2);
      const int frames = static_cast<int>(CtcMinFrames(labels)) + 15;
      const std::vector<double> logits = FloatLogits(count, frames, 9, range);
      Compare(logits, 9, labels);
      CtcProblem<double> problem;
      const Packing packing = Packing::CreateOrDie({frames});
      std::vector<double> gradient(logits.size());
      problem.logits = logits.data();
      problem.dlogits = gradient.data();
      problem.offsets = packing.offsets().data();
      problem.frames = frames;
      problem.classes = 9;
      problem.labels = labels;
      CtcLinearWorkspace workspace;
      double loss;
      const bool linear = CtcLinear(problem, &workspace, &loss);
      in_log_space += linear ? 0 : 1;
      EXPECT_TRUE(linear || range > 30) << range << " " << count;
    }
  }
  EXPECT_GT(in_log_space, 3);
}

// With the memory of earlier utterances neither way takes any more.
TEST(CtcLinearTest, WarmUtterancesAllocateNothing) {
  const CtcLabels labels = {1, 2, 2, 3, 1};
  const Packing packing = Packing::CreateOrDie({40});
  CtcWorkspace workspace;
  for (int round = 0; round < 3; ++round) {
    for (float range : {1.0f, 1000.0f}) {  // linear, log space
      const std::vector<double> logits = FloatLogits(1, 40, 5, range);
      std::vector<double> gradient(logits.size());
      ResetPeakAllocatedBytes();
      const int64_t before = AllocatedBytes();
      CtcUtterance<double>({logits.data(), {40, 5}}, packing, 0, labels, 0, 1.0, {gradient.data(), {40, 5}},
                           &workspace);
      EXPECT_TRUE(round == 0 || PeakAllocatedBytes() == before) << range;
    }
    EXPECT_FALSE(workspace.occupancies.empty());  // log space was there
  }
}

}  // namespace
}  // namespace earshot
