#include "bench/steady_state.h"

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace earshot {
namespace {

using Samples = std::vector<double>;

// n steps of 100 ms that vary by 1 %, and what shape(i) adds to the i-th.
Samples Series(int n, uint64_t seed, const std::function<double(int)>& shape) {
  RandomStream random(seed, RandomPurpose::kTest);
  Samples series;
  for (int i = 0; i < n; ++i) series.push_back(100 + random.Normal() + shape(i));
  return series;
}

struct Counts {
  int reached = 0, warm_up = 0;  // warm_up: series with warm-ups from `least` to `most`
};

// Of 100 series with different noise.
Counts Count(int n, int least, int most, const std::function<double(int)>& shape) {
  Counts counts;
  for (int seed = 0; seed < 100; ++seed) {
    const WarmUp found = FindWarmUp(Series(n, seed, shape));
    counts.reached += found.state == SteadyState::kReached;
    counts.warm_up += found.steps >= least && found.steps <= most;
  }
  return counts;
}

TEST(SteadyStateTest, NoiseAloneHasLittleWarmUp) {
  for (int n : {20, 50, 200}) {
    const Counts counts = Count(n, 1, 5, [](int) { return 0; });
    EXPECT_EQ(counts.reached, 100) << n;
    EXPECT_GE(counts.warm_up, 80) << n;
  }
}

TEST(SteadyStateTest, FindsTheEndOfSlowFirstSteps) {
  for (int slow : {1, 3, 7}) {
    const Counts counts = Count(50, slow, slow + 4, [slow](int i) { return i < slow ? 20 : 0; });
    EXPECT_EQ(counts.reached, 100) << slow;
    EXPECT_GE(counts.warm_up, 80) << slow;
  }
}

TEST(SteadyStateTest, FastFirstStepsAreWarmUpToo) {  // before the processor lowers its clock
  EXPECT_GE(Count(50, 6, 10, [](int i) { return i < 6 ? -10 : 0; }).warm_up, 80);
}

TEST(SteadyStateTest, AnExponentialDecayEndsInTheNoise) {
  // exp(-i / 4) of 30 ms is below the noise, 1 ms, from step 14 on.
  const Counts counts = Count(100, 10, 22, [](int i) { return 30 * std::exp(-i / 4.0); });
  EXPECT_EQ(counts.reached, 100);
  EXPECT_GE(counts.warm_up, 80);
}

TEST(SteadyStateTest, ALaterSpikeEndsNoWarmUp) {
  for (int at : {12, 24, 40}) {
    const Counts counts = Count(50, 1, 5, [at](int i) { return i == at ? 500 : 0; });
    EXPECT_EQ(counts.reached, 100) << at;
    EXPECT_GE(counts.warm_up, 80) << at;
  }
}

TEST(SteadyStateTest, TellsWhenThereIsNoSteadyState) {
  EXPECT_EQ(Count(50, 1, 25, [](int i) { return 0.5 * i; }).reached, 0);                   // ever slower
  EXPECT_EQ(Count(50, 1, 25, [](int i) { return 60 * std::exp(-i / 50.0); }).reached, 0);  // still falling
  EXPECT_EQ(Count(50, 1, 25, [](int i) { return i < 34 ? 10 : 0; }).reached, 0);           // too late
}

TEST(SteadyStateTest, AChangeThatDoesNotMatterIsNoDrift) {  // significant, but below 2 %
  EXPECT_EQ(Count(200, 1, 100, [](int i) { return i < 120 ? 1 : 0; }).reached, 100);
}

TEST(SteadyStateTest, Constant) {
  const WarmUp found = FindWarmUp(Samples(50, 7.0));
  EXPECT_EQ(found.steps, 1);
  EXPECT_EQ(found.state, SteadyState::kReached);
  Samples slow_start(50, 7.0);
  slow_start[0] = slow_start[1] = slow_start[2] = 9;
  EXPECT_EQ(FindWarmUp(slow_start).steps, 3);
}

TEST(SteadyStateTest, OfFewStepsTheFirstIsWarmUp) {
  const WarmUp one = FindWarmUp(Samples{5});
  EXPECT_EQ(one.steps, 0);
  EXPECT_EQ(one.state, SteadyState::kTooFewSteps);
  for (int n = 2; n <= kMinSteadySteps; ++n) {
    const WarmUp found = FindWarmUp(Series(n, n, [](int i) { return i < 2 ? 50 : 0; }));
    EXPECT_EQ(found.steps, 1) << n;
    EXPECT_EQ(found.state, SteadyState::kTooFewSteps) << n;
  }
  // Enough are kept: none but these.
  const WarmUp found = FindWarmUp(Series(kMinSteadySteps + 2, 1, [](int i) { return i < 2 ? 50 : 0; }));
  EXPECT_EQ(found.steps, 2);
  EXPECT_EQ(found.state, SteadyState::kReached);
}

TEST(SteadyStateDeathTest, NeedsAStep) { EXPECT_DEATH(FindWarmUp({}), "CHECK failed"); }

}  // namespace
}  // namespace earshot
