#include "bench/flops.h"

#include <string>

#include <gtest/gtest.h>

#include "base/textproto.h"
#include "bench/bench_config.h"
#include "bench/subject.h"

namespace earshot {
namespace {

BenchConfig ReadConfig(const std::string& name) {
  BenchConfig config;
  const absl::Status status = ReadTextproto("bench/configs/" + name + ".textproto", &config);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return config;
}

int64_t NumParameters(const BenchConfig& config) {
  ThreadPool pool(1);
  const auto params = CanonicalParameters(config, &pool);
  EXPECT_TRUE(params.ok()) << params.status().ToString();
  return static_cast<int64_t>(params->size());
}

// Expected operations, in GFLOP, worked out by hand from 2 rows 4H (I + H) a level and direction; parameters are the
// published benchmark's own less the second bias of its LSTM (4H a level and direction).
TEST(UsefulFlopsTest, OneLevelShort) {
  const BenchConfig config = ReadConfig("lstm_ce_short");
  const StepFlops flops = UsefulFlops(config);
  EXPECT_NEAR(flops.input_forward * 1e-9, 2.02, 0.005);
  EXPECT_NEAR(flops.recurrent_forward * 1e-9, 5.24, 0.005);
  EXPECT_EQ(flops.input_gradient, 0);
  EXPECT_NEAR(flops.recurrent_backward * 1e-9, 5.24, 0.005);
  EXPECT_NEAR(flops.input_weights * 1e-9, 2.02, 0.005);
  EXPECT_NEAR(flops.recurrent_weights * 1e-9, 5.24, 0.005);
  EXPECT_EQ(flops.output_layer, 64 * 320 * 10 * 2 * 3);  // the last frames only
  EXPECT_NEAR(flops.total() * 1e-9, 19.8, 0.05);
  EXPECT_EQ(NumParameters(config), 572800 - 1280);
}

TEST(UsefulFlopsTest, OneLevelLong) {
  const BenchConfig config = ReadConfig("lstm_ce_long");
  EXPECT_NEAR(UsefulFlops(config).total() * 1e-9, 98.8, 0.05);
  EXPECT_EQ(NumParameters(config), 572800 - 1280);
}

TEST(UsefulFlopsTest, FourLevelsInBothDirections) {
  const BenchConfig config = ReadConfig("blstm4_ce_long");
  const StepFlops flops = UsefulFlops(config);
  EXPECT_NEAR(flops.input_forward * 1e-9, 334.7, 0.05);
  EXPECT_NEAR(flops.recurrent_forward * 1e-9, 209.7, 0.05);
  EXPECT_NEAR(flops.input_gradient * 1e-9, 314.6, 0.05);
  EXPECT_NEAR(flops.total() * 1e-9, 1613, 0.5);
  EXPECT_EQ(NumParameters(config), 8533760 - 8 * 1280);
}

TEST(UsefulFlopsTest, RaggedBatchesCountRealFramesOnly) {
  const BenchConfig config = ReadConfig("lstm_ctc");
  ASSERT_EQ(ValidFrames(config.batch()), 23985);
  const StepFlops flops = UsefulFlops(config);
  EXPECT_NEAR(flops.input_forward * 1e-9, 250.9, 0.05);
  EXPECT_NEAR(flops.output_layer * 1e-9, 5.43, 0.005);
  EXPECT_NEAR(flops.total() * 1e-9, 1215, 0.5);
  EXPECT_EQ(NumParameters(config), 8565120 - 8 * 1280);
}

// The counts that CURRENNT and RNNLIB logged; every weight but the biases and peepholes is used once a frame.
TEST(MacsPerFrameTest, RaffelsNets) {
  const BenchConfig small = ReadConfig("raffel_chime"), large = ReadConfig("raffel_chime_rnnlib");
  EXPECT_EQ(NumParameters(small), 592575);
  EXPECT_EQ(NumParameters(large), 2303259);
  const int biases_and_peepholes = 2 * (4 + 3) * (78 + 150 + 51) + 51;
  EXPECT_EQ(MacsPerFrame(small), 592575 - biases_and_peepholes);
  EXPECT_EQ(MacsPerFrame(large), 2303259 - (2 * biases_and_peepholes - 51));
}

TEST(DependentStepsTest, LevelsTimesFramesThereAndBack) {
  EXPECT_EQ(DependentSteps(ReadConfig("lstm_ce_short")), 200);
  EXPECT_EQ(DependentSteps(ReadConfig("lstm_ctc")), 8000);
  EXPECT_EQ(DependentSteps(ReadConfig("loss_ctc")), 0);
}

}  // namespace
}  // namespace earshot
