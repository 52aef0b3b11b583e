#include "bench/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <sstream>
#include <thread>

#include "absl/strings/str_join.h"
#include "bench/bench_config.h"
#include "bench/testing/small_config.h"

namespace earshot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Answers requests as a process would, from made-up speeds.
class RunTest : public testing::Test {
 protected:
  double StepSeconds(const std::string& name) {
    return name == "fast" ? 0.1 : name == "long" ? 9 : name == "hopeless" ? 3 : 0.3;
  }

  absl::StatusOr<BenchReport> Answer(const BlockRequest& request) {
    requests_.push_back(request);
    std::this_thread::sleep_for(std::chrono::duration<double>(block_seconds_));
    BenchReport report;
    report.add_blocks()->set_block(request.block());
    report.mutable_machine()->set_threads(request.config().threads() > 0 ? request.config().threads() : 2);
    for (const BlockRequest::Row& asked : request.row()) {
      if (asked.name() == "fake:dies") return absl::InternalError("it died");
      BenchRow* row = report.add_rows();
      report.mutable_blocks(0)->add_rows(asked.name());
      row->set_implementation(asked.name());
      row->set_valid_frames(119);
      if (asked.name().find(':') != std::string::npos) row->mutable_peer()->set_version("fake 1");
      row->set_verified(asked.name() != "wrong");
      if (!row->verified()) {
        row->set_problem("loss is 1");
        continue;
      }
      BlockSamples* samples = row->add_blocks();
      samples->set_block(request.block());
      samples->set_max_frames(asked.name() == "long" ? 20 : 40);
      if (asked.name() == "long") row->set_scaled_frames(59);
      samples->set_warm_up(1);
      for (int i = 0; i < 4; ++i) {
        samples->add_step_seconds(StepSeconds(asked.name()) * (1 + 1e-3 * i + 1e-4 * request.block()));
        samples->add_losses(2);
      }
    }
    return report;
  }
  BenchReport Run(const BenchConfig& config, const BenchRows& rows) {
    const auto report = RunBench(
        config, rows, [this](const BlockRequest& request) { return Answer(request); }, &progress_);
    EXPECT_TRUE(report.ok()) << report.status().ToString();
    return report.value_or(BenchReport());
  }
  std::string Names(const BlockRequest& request) {
    return absl::StrJoin(request.row(), "+", [](std::string* out, const auto& row) { out->append(row.name()); });
  }
  double block_seconds_ = 0;
  std::vector<BlockRequest> requests_;
  std::stringstream progress_;
};

TEST_F(RunTest, EachPeerWithTheFastestOwnRowAndAllInSeveralProcesses) {
  const BenchReport report = Run(SmallConfig(/*max_seconds=*/60), {{"slow", "fast"}, {"fake:a", "fake:b"}});
  ASSERT_EQ(requests_.size(), 15u);
  std::vector<std::string> names;
  for (const BlockRequest& request : requests_) names.push_back(Names(request));
  EXPECT_THAT(std::vector<std::string>(names.begin(), names.begin() + 3),
              ElementsAre("slow+fast", "fast+fake:a", "fast+fake:b"));
  for (int i = 0; i < 15; ++i) {
    EXPECT_EQ(requests_[i].block(), i);
    EXPECT_EQ(requests_[i].check(), i < 3);
    EXPECT_EQ(requests_[i].row(0).max_frames(), i < 3 ? 0 : 40);
  }
  for (const char* name : {"slow+fast", "fast+fake:a", "fast+fake:b"}) {
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 5) << name;
  }
  EXPECT_NE(std::vector<std::string>(names.begin() + 3, names.begin() + 6),
            std::vector<std::string>(names.begin() + 6, names.begin() + 9));  // another order
  ASSERT_EQ(report.rows_size(), 4);
  EXPECT_EQ(report.blocks_size(), 15);
  for (const BenchRow& row : report.rows()) {
    EXPECT_EQ(row.blocks_size(), 5);
    EXPECT_EQ(row.n(), 15);
  }
  EXPECT_EQ(report.rows(2).peer().beside(), "fast");
  EXPECT_EQ(report.rows(2).blocks(4).beside_step_seconds_size(), 4);
  ASSERT_EQ(report.comparisons_size(), 3);
  for (const Comparison& comparison : report.comparisons()) {
    EXPECT_EQ(comparison.other(), "fast");
    EXPECT_EQ(comparison.verdict(), Comparison::SLOWER);
    EXPECT_NEAR(comparison.ratio(), 3, 0.1);
    EXPECT_LT(comparison.p_value(), 0.01);
  }
}

TEST_F(RunTest, TheTimeIsKept) {
  block_seconds_ = 0.1;
  BenchConfig config = SmallConfig(/*max_seconds=*/1);
  config.set_blocks(100);
  Run(config, {{"fast"}, {}});
  EXPECT_LE(requests_.size(), 10u);
  EXPECT_GE(requests_.size(), 5u);
}

TEST_F(RunTest, PeersForWhichNoTimeIsLeftAreNamed) {
  block_seconds_ = 1.1;
  const BenchReport report = Run(SmallConfig(/*max_seconds=*/1), {{"fast"}, {"fake:a"}});
  ASSERT_EQ(report.rows_size(), 2);
  EXPECT_EQ(report.rows(1).peer().absent(), "no time left");
}

TEST_F(RunTest, WrongAndLongRowsAreMeasuredOnce) {
  Run(SmallConfig(/*max_seconds=*/60), {{"wrong", "long", "fast"}, {}});
  ASSERT_EQ(requests_.size(), 5u);
  EXPECT_EQ(Names(requests_[0]), "wrong+long+fast");
  for (int i = 1; i < 5; ++i) EXPECT_EQ(Names(requests_[i]), "fast");
}

TEST_F(RunTest, HopelessRowsAreMeasuredOnce) {
  Run(SmallConfig(/*max_seconds=*/60), {{"hopeless", "slow", "fast"}, {}});
  ASSERT_EQ(requests_.size(), 5u);
  EXPECT_EQ(Names(requests_[0]), "hopeless+slow+fast");
  for (int i = 1; i < 5; ++i) EXPECT_EQ(Names(requests_[i]), "slow+fast");
}

TEST_F(RunTest, PeersLeaveOurRowsTheirBlocksAndFullLengthMayTakeMore) {
  block_seconds_ = 0.2;
  BenchConfig config = SmallConfig(/*max_seconds=*/2);
  config.add_full_length("fake:b");
  Run(config, {{"fast"}, {"fake:a", "fake:b", "fake:c", "fake:d", "fake:e", "fake:f", "fake:g", "fake:h"}});
  int own = 0;
  std::map<std::string, double> at_most;
  for (const BlockRequest& request : requests_) {
    own += request.row_size() == 1;
    if (request.row_size() == 2) at_most[request.row(1).name()] = request.seconds_at_most();
  }
  EXPECT_GE(own, 3);
  EXPECT_NEAR(at_most["fake:b"], at_most["fake:c"], 0.1);  // little time: ten seconds for each other are not there
  config.set_max_seconds(200);
  config.set_blocks(1);
  requests_.clear();
  Run(config, {{"fast"}, {"fake:a", "fake:b", "fake:c"}});
  EXPECT_EQ(Names(requests_[1]), "fast+fake:b");
  EXPECT_GT(requests_[1].seconds_at_most(), 170);
  EXPECT_EQ(Names(requests_[2]), "fast+fake:a");
  EXPECT_LT(requests_[2].seconds_at_most(), 101);
}

TEST_F(RunTest, AProcessThatDiesIsAProblemOfItsPeerAlone) {
  const BenchReport report = Run(SmallConfig(/*max_seconds=*/60), {{"fast"}, {"fake:dies", "fake:a"}});
  ASSERT_EQ(report.rows_size(), 3);
  EXPECT_TRUE(report.rows(0).verified());
  EXPECT_EQ(report.rows(1).implementation(), "fake:dies");
  EXPECT_THAT(report.rows(1).problem(), HasSubstr("it died"));
  EXPECT_FALSE(report.rows(1).verified());
  EXPECT_TRUE(report.rows(2).verified());
}

TEST_F(RunTest, EveryPointOfASweepIsMeasured) {
  BenchConfig config = SmallConfig(/*max_seconds=*/60);
  config.set_axis("hidden size");
  for (int hidden : {8, 24}) {
    BenchConfig::Point* point = config.add_point();
    point->set_at(hidden);
    point->mutable_change()->mutable_train()->mutable_model()->mutable_lstm()->set_hidden_size(hidden);
  }
  config.set_blocks(2);
  const BenchReport report = Run(config, {{"fast", "slow"}, {}});
  ASSERT_EQ(requests_.size(), 4u);
  EXPECT_EQ(requests_[0].config().train().model().lstm().hidden_size(), 8);
  EXPECT_EQ(requests_[2].config().train().model().lstm().hidden_size(), 24);
  EXPECT_EQ(requests_[2].config().point_size(), 0);
  ASSERT_EQ(report.rows_size(), 4);
  EXPECT_EQ(report.rows(0).at(), 8);
  EXPECT_EQ(report.rows(3).at(), 24);
  EXPECT_EQ(report.comparisons_size(), 2);
  EXPECT_EQ(report.machine().threads(), 2);
}

TEST_F(RunTest, NoNumberOfThreadsWherePointsDiffer) {
  BenchConfig config = SmallConfig(/*max_seconds=*/60);
  config.set_axis("threads");
  for (int threads : {1, 2}) {
    BenchConfig::Point* point = config.add_point();
    point->set_at(threads);
    point->mutable_change()->set_threads(threads);
  }
  const BenchReport report = Run(config, {{"fast"}, {}});
  EXPECT_EQ(report.rows_size(), 2);
  EXPECT_FALSE(report.machine().has_threads());
  EXPECT_TRUE(ThreadsDiffer(config));
  EXPECT_FALSE(ThreadsDiffer(SmallConfig(60)));
}

TEST_F(RunTest, ACancelledBlockEndsTheRunAndTheBlocksBeforeCount) {
  BenchConfig config = SmallConfig(/*max_seconds=*/60);
  config.set_axis("hidden size");
  for (int at : {8, 16, 24}) config.add_point()->set_at(at);
  const auto cancelled_at = [&](int block) {
    return RunBench(
        config, {{"fast", "slow"}, {"fake:a"}},
        [&](const BlockRequest& request) {
          return request.block() < block ? Answer(request) : absl::CancelledError("stopped");
        },
        &progress_);
  };
  const auto report = cancelled_at(12);  // two blocks a round: the second point's first
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_TRUE(report->interrupted());
  EXPECT_EQ(requests_.size(), 12u);
  EXPECT_EQ(report->blocks_size(), 12);
  ASSERT_EQ(report->rows_size(), 6);
  EXPECT_EQ(report->rows(0).blocks_size(), 5);
  EXPECT_EQ(report->rows(3).blocks_size(), 1);
  EXPECT_GT(report->rows(3).median_seconds(), 0);
  EXPECT_EQ(report->rows(5).at(), 16);
  for (const BenchRow& row : report->rows()) EXPECT_FALSE(row.has_problem()) << row.problem();
  EXPECT_EQ(cancelled_at(0).status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(cancelled_at(1)->rows_size(), 2);  // peers that were not begun are not there
  EXPECT_FALSE(cancelled_at(99)->interrupted());
}

TEST_F(RunTest, ABadConfigurationRunsNothing) {
  BenchConfig config = SmallConfig(/*max_seconds=*/60);
  config.add_point()->set_at(1);
  const auto report = RunBench(
      config, {{"fast"}, {}}, [this](const BlockRequest& request) { return Answer(request); }, &progress_);
  EXPECT_EQ(report.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("axis"));
  EXPECT_TRUE(requests_.empty());
}

}  // namespace
}  // namespace earshot
