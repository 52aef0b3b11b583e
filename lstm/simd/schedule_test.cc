#include "lstm/simd/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace earshot {
namespace {

Schedule Make(const std::vector<int32_t>& lengths, int directions, int threads, int team_size) {
  Schedule schedule;
  MakeSchedule(Packing::CreateOrDie(lengths), directions, threads, team_size, &schedule);
  return schedule;
}

TEST(Schedule, EveryUtteranceOfEveryDirectionOnce) {
  std::vector<int32_t> lengths;
  for (int batch = 1; batch <= 40; ++batch) {
    lengths.insert(lengths.begin(), 10 + 13 * batch);
    for (int directions : {1, 2}) {
      for (int threads : {1, 2, 3, 4, 5, 8, 64}) {
        for (int team_size : {1, 2}) {
          const Schedule schedule = Make(lengths, directions, threads, team_size);
          EXPECT_LE(schedule.teams * team_size, std::max(threads, team_size));
          std::vector<int> seen(2 * batch);
          for (const Part& part : schedule.parts) {
            ASSERT_LT(part.begin, part.end);
            for (int b = part.begin; b < part.end; ++b) ++seen[part.direction * batch + b];
          }
          for (int k = 0; k < directions * batch; ++k) EXPECT_EQ(seen[k], 1);
        }
      }
    }
  }
}

TEST(Schedule, TeamsGetTheSameNumberOfParts) {
  const std::vector<int32_t> lengths(32, 100);
  EXPECT_EQ(Make(lengths, 1, 2, 1).parts.size(), 2u);  // half of the batch each
  EXPECT_EQ(Make(lengths, 1, 2, 2).parts.size(), 1u);  // half of the units each
  EXPECT_EQ(Make(lengths, 2, 2, 1).parts.size(), 2u);  // a direction each
  EXPECT_EQ(Make(lengths, 2, 2, 2).parts.size(), 2u);  // one direction after the other
  EXPECT_EQ(Make(lengths, 2, 3, 1).parts.size(), 6u);
  EXPECT_EQ(Make(lengths, 2, 4, 2).parts.size(), 2u);
  EXPECT_EQ(Make(lengths, 1, 4, 2).parts.size(), 2u);
}

TEST(Schedule, PartsHaveAboutTheSameNumberOfFrames) {
  std::vector<int32_t> lengths;
  for (int b = 0; b < 32; ++b) lengths.push_back(1000 - 16 * b);
  const Schedule schedule = Make(lengths, 1, 4, 1);
  ASSERT_EQ(schedule.parts.size(), 4u);
  for (const Part& part : schedule.parts) {
    int frames = 0;
    for (int b = part.begin; b < part.end; ++b) frames += lengths[b];
    EXPECT_NEAR(frames, 24064 / 4, 1000);
  }
}

TEST(ScheduleTrial, TakesTheFasterOne) {
  for (int faster : {1, 2}) {
    ScheduleTrial trial(2);
    std::vector<int> tried(3);
    for (int call = 0; call < 4; ++call) {
      EXPECT_EQ(trial.Result(), "");
      ++tried[trial.team_size()];
      // The first calls are slow: they take the memory.
      trial.Record(1000, 100, call < 2 ? 100 : trial.team_size() == faster ? 1e-3 : 2e-3);
    }
    EXPECT_EQ(tried[1], 2);
    EXPECT_EQ(tried[2], 2);
    EXPECT_EQ(trial.team_size(), faster);
    EXPECT_EQ(trial.Result(), faster == 1 ? "one thread a part (1 against 2 us a frame)"
                                          : "two threads a part (1 against 2 us a frame)");
    trial.Record(1000, 100, 100);
    EXPECT_EQ(trial.team_size(), faster);
  }
}

// A frame costs 1 us with one thread and 0.8 us with two, and each step 2 us more. Every batch with one thread has
// twice the utterances of those with two, until one comes that has as many.
TEST(ScheduleTrial, ComparesBatchesThatAreAlike) {
  ScheduleTrial trial(2);
  const auto run = [&](int64_t frames, int64_t steps) {
    trial.Record(frames, steps, 1e-6 * ((trial.team_size() == 1 ? 1.0 : 0.8) * double(frames) + 2 * double(steps)));
  };
  for (int call = 0; call < 20; ++call) {
    run(call % 2 == 0 ? 3200 : 1600, 100 + call);
    EXPECT_EQ(trial.Result(), "");
  }
  ASSERT_EQ(trial.team_size(), 1);
  run(1600, 100);
  EXPECT_EQ(trial.Result(), "");
  run(400, 25);  // as many a step, but a much shorter call
  EXPECT_EQ(trial.Result(), "");
  run(1650, 100);
  run(1600, 102);
  EXPECT_EQ(trial.team_size(), 2);
  EXPECT_NE(trial.Result(), "");
}

TEST(ScheduleTrial, OneThreadHasNoChoice) {
  ScheduleTrial trial(1);
  trial.Record(10, 1, 1);
  EXPECT_EQ(trial.team_size(), 1);
  EXPECT_EQ(trial.Result(), "");
}

}  // namespace
}  // namespace earshot
