// The statistics on real step times, made by testdata/record_steps.sh: testdata/step_times.txt of a quiet machine,
// step_times_busy.txt of one on which other programs computed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "base/random.h"
#include "bench/stats.h"
#include "bench/steady_state.h"
#include "bench/verdict.h"

namespace earshot {
namespace {

using Samples = std::vector<double>;

// Microseconds a step; one vector a process.
std::vector<Samples> RecordedProcesses(const std::string& name) {
  std::ifstream file("bench/testdata/" + name + ".txt");
  std::vector<Samples> processes;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    processes.emplace_back();
    for (absl::string_view step : absl::StrSplit(line, ' ')) processes.back().push_back(std::stod(std::string(step)));
  }
  return processes;
}

// One number a process: the median of its steps after the warm-up.
Samples SteadyMedians(const std::string& name) {
  Samples medians;
  for (const Samples& steps : RecordedProcesses(name)) {
    medians.push_back(Quantile(absl::MakeConstSpan(steps).subspan(FindWarmUp(steps).steps), 0.5));
  }
  return medians;
}

// Half of the samples are further from their median than so many percent.
double Spread(const Samples& samples) {
  const double median = Quantile(samples, 0.5);
  Samples distances;
  for (double sample : samples) distances.push_back(std::abs(sample - median));
  return 100 * Quantile(distances, 0.5) / median;
}

struct Halves {
  Samples a, b;
};

// n random processes and n others. Where so many were not recorded, processes are drawn with replacement: as many as
// one would have to record with this noise.
Halves RandomHalves(const Samples& medians, int n, uint64_t seed) {
  RandomStream random(seed, RandomPurpose::kTest);
  Samples drawn = medians;
  if (2 * n <= static_cast<int>(medians.size())) {
    random.Shuffle(&drawn);
  } else {
    drawn.clear();
    while (static_cast<int>(drawn.size()) < 2 * n) drawn.push_back(medians[random.Below(medians.size())]);
  }
  return {Samples(drawn.begin(), drawn.begin() + n), Samples(drawn.begin() + n, drawn.begin() + 2 * n)};
}

// How many of 100 comparisons of n processes with n whose times are multiplied by `factor` end so.
int CountVerdicts(const Samples& medians, int n, double factor, VerdictKind comparison) {
  int count = 0;
  for (int seed = 0; seed < 100; ++seed) {
    Halves halves = RandomHalves(medians, n, seed);
    for (double& median : halves.b) median *= factor;
    count += CompareBlocks(halves.a, halves.b).kind == comparison;
  }
  return count;
}

// Whether 95 of 100 comparisons tell that `factor` is slower, and that its inverse is faster.
bool Tells(const Samples& medians, int n, double factor) {
  return CountVerdicts(medians, n, factor, VerdictKind::kSlower) >= 95 &&
         CountVerdicts(medians, n, 1 / factor, VerdictKind::kFaster) >= 95;
}

constexpr int kMostProcesses = 5000;

// The smallest n (in steps of a twentieth) that tells it.
int SmallestTelling(const Samples& medians, double factor) {
  int n = MinVerdictBlocks();
  while (n < kMostProcesses && !Tells(medians, n, factor)) n += 1 + n / 20;
  return n;
}

class RecordedStepsTest : public testing::TestWithParam<std::string> {};

TEST_P(RecordedStepsTest, ARowIsNotToldApartFromItself) {
  const Samples medians = SteadyMedians(GetParam());
  ASSERT_GE(medians.size(), 60u);
  for (int n : {MinVerdictBlocks(), 10, 20, static_cast<int>(medians.size()) / 2}) {
    EXPECT_GE(CountVerdicts(medians, n, 1, VerdictKind::kCannotTell), 95) << n << " processes each";
  }
}

TEST_P(RecordedStepsTest, FivePercentAreToldApart) {
  const Samples medians = SteadyMedians(GetParam());
  const int n = SmallestTelling(medians, 1.05);
  std::cout << "A against 1.05 A is told apart from n = " << n << " processes each; of " << medians.size()
            << " processes a half differ from their median by more than " << Spread(medians) << " %" << std::endl;
  EXPECT_LT(n, kMostProcesses);
  EXPECT_GE(CountVerdicts(medians, n, 1, VerdictKind::kCannotTell), 95);
}

TEST_P(RecordedStepsTest, WhatTellsALargeDifferenceDoesNotTellASmallOne) {
  const Samples medians = SteadyMedians(GetParam());
  const int n = SmallestTelling(medians, 1.2);
  EXPECT_LT(CountVerdicts(medians, n, 1.002, VerdictKind::kSlower), 95);
}

TEST_P(RecordedStepsTest, MostProcessesReachASteadyState) {
  int judged = 0, drift = 0;
  for (const Samples& steps : RecordedProcesses(GetParam())) {
    const WarmUp found = FindWarmUp(steps);
    EXPECT_GE(found.steps, 1);
    EXPECT_LE(found.steps, static_cast<int>(steps.size()) / 2);
    judged += found.state != SteadyState::kTooFewSteps;
    drift += found.state == SteadyState::kNotReached;
  }
  EXPECT_GE(judged, static_cast<int>(RecordedProcesses(GetParam()).size()) / 2);
  // The machine itself drifts: where others compute the whole time, their noise hides it.
  if (GetParam() == "step_times_busy") {
    EXPECT_LE(drift, judged / 10);
  }
}

// Counted without its code: what it calls steady has halves that are alike, or too noisy to tell.
TEST_P(RecordedStepsTest, WhatIsCalledDriftIsDrift) {
  for (const Samples& steps : RecordedProcesses(GetParam())) {
    const WarmUp found = FindWarmUp(steps);
    if (found.state == SteadyState::kTooFewSteps) continue;
    const absl::Span<const double> kept = absl::MakeConstSpan(steps).subspan(found.steps);
    const absl::Span<const double> early = kept.first(kept.size() / 2), late = kept.subspan(kept.size() / 2);
    const double change = Quantile(late, 0.5) / Quantile(early, 0.5) - 1;
    int above = 0;
    for (double step : late) above += step > Quantile(early, 0.5);
    const double share = static_cast<double>(above) / late.size();
    if (found.state == SteadyState::kNotReached) {
      EXPECT_GT(std::abs(change), 0.02);
      EXPECT_TRUE(change > 0 ? share > 0.6 : share < 0.4) << share;
    } else if (std::abs(change) > 0.02 && kept.size() >= 40) {  // of fewer, chance can tell more
      EXPECT_TRUE(share < 0.9 && share > 0.1) << "no noise hides " << change;
    }
  }
}

TEST_P(RecordedStepsTest, SlowFirstStepsAndDriftAreFoundInRealNoise) {
  int judged = 0, slow_start = 0, drift = 0;
  for (const Samples& steps : RecordedProcesses(GetParam())) {
    if (steps.size() < 2 * kMinSteadySteps) continue;
    ++judged;
    Samples slow = steps, slower = steps;
    slow.insert(slow.begin(), 4, 3 * Quantile(steps, 0.5));
    slow_start += FindWarmUp(slow).steps >= 4;
    for (size_t i = 0; i < slower.size(); ++i) slower[i] *= 1 + static_cast<double>(i) / slower.size();
    drift += FindWarmUp(slower).state == SteadyState::kNotReached;
  }
  EXPECT_GE(judged, 30);
  EXPECT_GE(slow_start, judged * 9 / 10);
  EXPECT_GE(drift, judged * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(Recordings, RecordedStepsTest, testing::Values("step_times", "step_times_busy"));

}  // namespace
}  // namespace earshot
