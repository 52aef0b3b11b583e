#include "bench/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>

#include "bench/bench_config.h"
#include "bench/testing/small_config.h"
#include "bench/testing/wrong_subjects.h"

namespace earshot {
namespace {

using testing::HasSubstr;

class RunnerTest : public testing::Test {
 protected:
  BenchReport Run(const BenchConfig& config) {
    const absl::StatusOr<BenchReport> report = RunBench(config, subjects_, &pool_, &progress_);
    EXPECT_TRUE(report.ok()) << report.status().ToString();
    return report.value_or(BenchReport());
  }
  ThreadPool pool_{2};
  std::vector<std::unique_ptr<Subject>> subjects_;
  std::vector<std::string> log_;
  std::stringstream progress_;
};

TEST_F(RunnerTest, AWrongSubjectIsNamedAndNotTimed) {
  subjects_ = TrainerSubjects({"blas", "reference"}, &pool_).value();
  subjects_.push_back(std::make_unique<ScaledGradientSubject>(&pool_, 1.01f, 0, std::numeric_limits<int64_t>::max()));
  subjects_.push_back(std::make_unique<MisalignedLengthsSubject>(&pool_));
  const BenchReport report = Run(SmallConfig(/*max_seconds=*/20));
  ASSERT_EQ(report.rows_size(), 4);
  EXPECT_EQ(report.rows(0).implementation(), "blas");
  EXPECT_EQ(report.rows(1).implementation(), "reference");
  for (int i : {0, 1}) {
    EXPECT_TRUE(report.rows(i).verified());
    EXPECT_EQ(report.rows(i).n(), 6);
    EXPECT_GT(report.rows(i).median_seconds(), 0);
    EXPECT_EQ(report.rows(i).scaled_frames(), 0);
    EXPECT_EQ(report.rows(i).valid_frames(), 40 + 33 + 26 + 20);
  }
  for (int i : {2, 3}) {
    EXPECT_FALSE(report.rows(i).verified());
    EXPECT_FALSE(report.rows(i).has_median_seconds());
    EXPECT_EQ(report.rows(i).n(), 0);
    EXPECT_EQ(report.rows(i).step_seconds_size(), 0);
  }
  EXPECT_THAT(report.rows(2).problem(), HasSubstr("gradient of lstm.weight_ih_l0,"));
  EXPECT_THAT(report.rows(3).problem(), HasSubstr("loss of utterance 0"));
  EXPECT_GT(report.peak_gflops(), 1);
  EXPECT_GT(report.gemm_gflops(), 1);
  // Same weights, same batch: the timed steps' losses agree too.
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(report.rows(0).losses(i), report.rows(1).losses(i), 1e-4 * report.rows(1).losses(i));
  }
}

TEST_F(RunnerTest, RowsTakeTurns) {
  subjects_.push_back(std::make_unique<SlowSubject>("A", &pool_, 0, &log_));
  subjects_.push_back(std::make_unique<SlowSubject>("B", &pool_, 0, &log_));
  const BenchReport report = Run(SmallConfig(/*max_seconds=*/20));
  ASSERT_EQ(report.rows_size(), 2);
  ASSERT_GE(log_.size(), 12u);
  const std::vector<std::string> timed(log_.end() - 12, log_.end());
  EXPECT_THAT(timed, testing::ElementsAre("A", "B", "A", "B", "A", "B", "A", "B", "A", "B", "A", "B"));
}

TEST_F(RunnerTest, ASlowRowIsMeasuredOnFewerFramesAndKeepsTheTime) {
  BenchConfig config = SmallConfig(/*max_seconds=*/20);
  config.mutable_batch()->set_utterances(1);
  config.mutable_batch()->clear_min_frames();
  config.mutable_batch()->set_max_frames(2000);
  config.set_max_seconds(6);
  subjects_.push_back(std::make_unique<SlowSubject>("slow", &pool_, 2e-3, &log_));  // 4 s a step
  const BenchReport report = Run(config);
  ASSERT_EQ(report.rows_size(), 1);
  const BenchRow& row = report.rows(0);
  EXPECT_TRUE(row.verified()) << row.problem();
  EXPECT_GT(row.scaled_frames(), 10);
  EXPECT_LT(row.scaled_frames(), 1000);
  EXPECT_EQ(row.valid_frames(), 2000);
  EXPECT_GE(row.n(), 3);
  EXPECT_GE(row.median_seconds(), 4);
  EXPECT_LT(row.median_seconds(), 8);
  EXPECT_LT(row.step_seconds(0), 2);
}

TEST_F(RunnerTest, ABadConfigurationRunsNothing) {
  BenchConfig config = SmallConfig(/*max_seconds=*/20);
  config.mutable_batch()->set_classes(0);
  subjects_.push_back(std::make_unique<SlowSubject>("A", &pool_, 0, &log_));
  EXPECT_EQ(RunBench(config, subjects_, &pool_, &progress_).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(log_.empty());
}

TEST(TrainerSubjectsTest, AllThatAreAvailableOrTheNamedOnes) {
  ThreadPool pool(1);
  const auto all = TrainerSubjects({}, &pool);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->front()->name(), "reference");
  EXPECT_GE(all->size(), 2u);
  const auto named = TrainerSubjects({"blas"}, &pool);
  ASSERT_TRUE(named.ok());
  ASSERT_EQ(named->size(), 1u);
  EXPECT_EQ(named->front()->name(), "blas");
  const absl::Status unknown = TrainerSubjects({"blass"}, &pool).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("blass"));
}

}  // namespace
}  // namespace earshot
