// Linked once with every configuration of configs/ (bench.bzl): it is valid, and the bench runs on a shrunk copy.

#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/textproto.h"
#include "base/thread_pool.h"
#include "bench/bench_config.h"
#include "bench/embedded_configs.h"
#include "bench/own_subjects.h"
#include "bench/report_table.h"
#include "bench/summary.h"
#include "bench/testing/run_here.h"

namespace earshot {

namespace {

class ConfigTest : public testing::Test {
 protected:
  void SetUp() override {
    const absl::Status status = ParseTextproto(EmbeddedConfigs()[0].text, EmbeddedConfigs()[0].name, &config_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  BenchConfig config_;
};

TEST_F(ConfigTest, IsValidAndNamedLikeItsFile) {
  const absl::Status status = ValidateBenchConfig(config_);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(std::string(EmbeddedConfigs()[0].name), "bench/configs/" + config_.name() + ".textproto");
  EXPECT_LE(config_.max_seconds(), 280);  // the default run ends within five minutes
}

TEST_F(ConfigTest, RunsShrunk) {
  BenchConfig shrunk = config_;
  if (config_.point_size() == 0) shrunk = ShrunkConfig(config_);
  for (BenchConfig::Point& point : *shrunk.mutable_point()) {
    BenchConfig full = config_;
    full.clear_point();
    full.MergeFrom(point.change());
    *point.mutable_change()->mutable_batch() = ShrunkConfig(full).batch();
  }
  shrunk.set_max_seconds(200);  // never reached, so that nothing is scaled
  shrunk.set_max_steps(3);
  shrunk.set_blocks(1);
  ThreadPool pool(2);
  std::vector<std::unique_ptr<Subject>> subjects;
  const bool loss = config_.measured() == BenchConfig::LOSS;
  for (const char* name : {"blas", "reference"}) {
    if (subjects.empty() || !loss) subjects.push_back(OwnSubject(config_, name, &pool).value());
  }
  const absl::StatusOr<BenchReport> report = RunHere(shrunk, &subjects, &pool, &std::cerr);
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  ASSERT_EQ(report->rows_size(), static_cast<int>(ExpandPoints(shrunk).size() * subjects.size()));
  for (const BenchRow& row : report->rows()) {
    EXPECT_TRUE(row.verified()) << row.problem();
    EXPECT_EQ(row.config(), config_.name());
    EXPECT_GE(row.n(), 2);
    EXPECT_EQ(row.share_of_peak() > 0, config_.measured() == BenchConfig::TRAINING_STEP);
    const BenchConfig own = ConfigOfRow(shrunk, row);
    EXPECT_EQ(row.valid_frames(), ValidFrames(own.batch()));
    EXPECT_EQ(row.parameters(), static_cast<int>(CanonicalParameters(own, &pool)->size()));
  }
  std::cout << ReportTable(*report);
}

}  // namespace
}  // namespace earshot
