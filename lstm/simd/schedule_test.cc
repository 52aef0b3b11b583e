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
      trial.Record(call < 2 ? 100 : trial.team_size() == faster ? 1e-6 : 2e-6);
    }
    EXPECT_EQ(tried[1], 2);
    EXPECT_EQ(tried[2], 2);
    EXPECT_EQ(trial.team_size(), faster);
    EXPECT_NE(trial.Result(), "");
    trial.Record(100);
    EXPECT_EQ(trial.team_size(), faster);
  }
}

TEST(ScheduleTrial, OneThreadHasNoChoice) {
  ScheduleTrial trial(1);
  trial.Record(1);
  EXPECT_EQ(trial.team_size(), 1);
  EXPECT_EQ(trial.Result(), "");
}

}  // namespace
}  // namespace earshot
