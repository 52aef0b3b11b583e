#include "bench/step_memory.h"

#include <gtest/gtest.h>

#include <string>

#include "base/testing/every_target.h"
#include "base/textproto.h"

namespace earshot {
namespace {

BenchConfig ReadConfig(const std::string& name) {
  BenchConfig config;
  const absl::Status status = ReadTextproto("bench/configs/" + name + ".textproto", &config);
  EXPECT_TRUE(status.ok()) << status;
  return config;
}

StepMemory Extrapolate(const BenchConfig& config, int threads) {
  ThreadPool pool(threads);
  const auto memory = ExtrapolateStepMemory(config, **FindLstmImplementation("simd"), &pool);
  EXPECT_TRUE(memory.ok()) << memory.status();
  std::cout << MemoryLine(config.name(), "simd", *memory);
  return *memory;
}

void ExpectAtMost(const std::string& name, double limit, double limit_without_parameters) {
  const BenchConfig config = ReadConfig(name);
  for (int threads : {1, 2}) {
    const StepMemory memory = Extrapolate(config, threads);
    EXPECT_LE(memory.ratio(), limit) << name << ", " << threads << " threads";
    EXPECT_LE(memory.ratio_without_parameters(), limit_without_parameters) << name << ", " << threads << " threads";
    EXPECT_GT(memory.ratio_without_parameters(), 1) << name;
  }
}

// The memory of a step is at most 1.5 times what has to be saved. The second limits are just above today's figures.
TEST(StepMemoryTest, AtMostHalfAsMuchAgainAsIsSaved) {
  ExpectAtMost("lstm_ce_long", 1.5, 1.25);
  ExpectAtMost("blstm4_ce_long", 1.5, 1.2);
  ExpectAtMost("lstm_ctc", 1.5, 1.2);
  ExpectAtMost("raffel_chime", 1.5, 1.4);
  OnEveryTarget([] { ExpectAtMost("lstm_ce_short", 1.5, 1.3); });  // the closest to its limit
}

// Worked out by hand: 64 * 100 frames of 5 * 320 + 123 numbers; four times 571520 parameters.
TEST(StepMemoryTest, OneLevelShort) {
  const BenchConfig config = ReadConfig("lstm_ce_short");
  ThreadPool pool(2);
  const auto measured = MeasureStepMemory(config, **FindLstmImplementation("simd"), &pool);
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(measured->saved, 4.0 * 6400 * 1723);
  EXPECT_EQ(measured->parameters, 4.0 * 4 * 571520);
  EXPECT_NEAR(Extrapolate(config, 2).peak, measured->peak, 1e-4 * measured->peak);
}

}  // namespace
}  // namespace earshot
