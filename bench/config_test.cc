// Linked once with every configuration of configs/ (bench.bzl): it is valid, and the bench runs on a shrunk copy.

#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include "base/textproto.h"
#include "base/thread_pool.h"
#include "bench/bench_config.h"
#include "bench/report.h"
#include "bench/runner.h"

namespace earshot {

extern const char kBenchConfigText[];
extern const char kBenchConfigName[];

namespace {

class ConfigTest : public testing::Test {
 protected:
  void SetUp() override {
    const absl::Status status = ParseTextproto(kBenchConfigText, kBenchConfigName, &config_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  BenchConfig config_;
};

TEST_F(ConfigTest, IsValidAndNamedLikeItsFile) {
  const absl::Status status = ValidateBenchConfig(config_);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(std::string(kBenchConfigName), "bench/configs/" + config_.name() + ".textproto");
  EXPECT_LE(config_.max_seconds(), 280);  // the default run ends within five minutes
}

TEST_F(ConfigTest, RunsShrunk) {
  BenchConfig shrunk = ShrunkConfig(config_);
  shrunk.set_max_seconds(200);  // never reached, so that nothing is scaled
  shrunk.set_max_steps(3);
  ThreadPool pool(2);
  const auto subjects = TrainerSubjects({"blas", "reference"}, &pool);
  ASSERT_TRUE(subjects.ok()) << subjects.status().ToString();
  const absl::StatusOr<BenchReport> report = RunBench(shrunk, *subjects, &pool, &std::cerr);
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  ASSERT_EQ(report->rows_size(), 2);
  for (const BenchRow& row : report->rows()) {
    EXPECT_TRUE(row.verified()) << row.problem();
    EXPECT_EQ(row.config(), config_.name());
    EXPECT_EQ(row.n(), 3);
    EXPECT_GT(row.share_of_peak(), 0);
    EXPECT_EQ(row.valid_frames(), ValidFrames(shrunk.batch()));
    EXPECT_EQ(row.parameters(), report->rows(0).parameters());
  }
  std::cout << ReportTable(*report);
}

}  // namespace
}  // namespace earshot
