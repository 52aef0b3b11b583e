#include "bench/block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>

#include "bench/bench_config.h"
#include "bench/misaligned_subject.h"
#include "bench/testing/small_config.h"
#include "bench/testing/wrong_subjects.h"

namespace earshot {
namespace {

using testing::HasSubstr;

// The trainer's step whose first gradient and losses are wrong on utterances longer than those of the shrunk copy.
class WrongWhenLongSubject : public TrainerSubject {
 public:
  WrongWhenLongSubject(ThreadPool* pool, bool gradient)
      : TrainerSubject(ImplementationOrDie("blas"), pool), gradient_(gradient) {}
  std::string name() const override { return gradient_ ? "long_gradient" : "long_loss"; }
  absl::StatusOr<double> Step(const Batch& batch) override {
    absl::StatusOr<double> loss = TrainerSubject::Step(batch);
    long_ = batch.packing.lengths()[0] > 8;
    if (loss.ok() && long_ && !gradient_) *loss *= 1.01;
    return loss;
  }
  absl::Span<const float> gradients() override {
    const absl::Span<const float> right = TrainerSubject::gradients();
    wrong_.assign(right.begin(), right.end());
    for (float& g : wrong_) g *= long_ && gradient_ ? 1.01f : 1.0f;
    return wrong_;
  }

 private:
  const bool gradient_;
  bool long_ = false;
  std::vector<float> wrong_;
};

class BlockTest : public testing::Test {
 protected:
  BlockRequest Request(const BenchConfig& config, bool check = true) {
    BlockRequest request;
    *request.mutable_config() = config;
    request.set_block(3);
    for (const auto& subject : subjects_) request.add_row()->set_name(subject->name());
    request.set_seconds(config.max_seconds());
    request.set_seconds_at_most(config.max_seconds());
    request.set_check(check);
    return request;
  }
  BenchReport Run(const BlockRequest& request) {
    const absl::StatusOr<BenchReport> report = RunBlock(request, subjects_, &pool_, &progress_);
    EXPECT_TRUE(report.ok()) << report.status().ToString();
    return report.value_or(BenchReport());
  }
  ThreadPool pool_{2};
  std::vector<std::unique_ptr<Subject>> subjects_;
  std::vector<std::string> log_;
  std::stringstream progress_;
};

TEST_F(BlockTest, AWrongSubjectIsNamedAndHasNoTimes) {
  subjects_ = TrainerSubjects({"blas", "reference"}, &pool_).value();
  subjects_.push_back(std::make_unique<ScaledGradientSubject>(&pool_, 1.01f, 0, std::numeric_limits<int64_t>::max()));
  subjects_.push_back(std::make_unique<MisalignedLengthsSubject>(ImplementationOrDie("blas"), &pool_));
  const BenchReport report = Run(Request(SmallConfig(/*max_seconds=*/20)));
  ASSERT_EQ(report.rows_size(), 4);
  EXPECT_EQ(report.rows(0).implementation(), "blas");
  EXPECT_EQ(report.rows(1).implementation(), "reference");
  for (int i : {0, 1}) {
    const BenchRow& row = report.rows(i);
    EXPECT_TRUE(row.verified()) << row.problem();
    ASSERT_EQ(row.blocks_size(), 1);
    EXPECT_EQ(row.blocks(0).block(), 3);
    EXPECT_EQ(row.blocks(0).step_seconds_size(), 2 + 6);  // two to plan by, then max_steps
    EXPECT_EQ(row.blocks(0).max_frames(), 40);
    EXPECT_GE(row.blocks(0).warm_up(), 1);
    EXPECT_EQ(row.scaled_frames(), 0);
    EXPECT_EQ(row.valid_frames(), 40 + 33 + 26 + 20);
    EXPECT_GT(row.memory_bytes(), 0);
    EXPECT_GT(row.assemble_seconds(), 0);
  }
  for (int i : {2, 3}) {
    EXPECT_FALSE(report.rows(i).verified());
    EXPECT_EQ(report.rows(i).blocks_size(), 0);
  }
  EXPECT_THAT(report.rows(2).problem(), HasSubstr("gradient of lstm.weight_ih_l0,"));
  EXPECT_THAT(report.rows(3).problem(), HasSubstr("loss of utterance 0"));
  EXPECT_GT(report.peak_gflops(), 1);
  EXPECT_GT(report.gemm_gflops(), 1);
  EXPECT_GT(report.memory_gb_per_second(), 0.1);
  EXPECT_LT(report.memory_gb_per_second(), 2000);
  ASSERT_EQ(report.blocks_size(), 1);
  EXPECT_EQ(report.blocks(0).memory_gb_per_second(), report.memory_gb_per_second());
  EXPECT_EQ(report.blocks(0).rows_size(), 4);
  EXPECT_GT(report.blocks(0).seconds(), 0);
  // Same weights, same batch: the timed steps' losses agree too.
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(report.rows(0).blocks(0).losses(i), report.rows(1).blocks(0).losses(i), 1e-3);
  }
}

TEST_F(BlockTest, ErrorsThatOnlyLongUtterancesShowAreFoundInTheTimedRun) {
  for (bool gradient : {false, true}) subjects_.push_back(std::make_unique<WrongWhenLongSubject>(&pool_, gradient));
  const BenchReport report = Run(Request(SmallConfig(/*max_seconds=*/20)));
  ASSERT_EQ(report.rows_size(), 2);
  EXPECT_THAT(report.rows(0).problem(), HasSubstr("in the timed run: loss of step 0"));
  EXPECT_THAT(report.rows(1).problem(), HasSubstr("in the timed run: gradient of lstm.weight_ih_l0,"));
  for (const BenchRow& row : report.rows()) {
    EXPECT_FALSE(row.verified());
    EXPECT_EQ(row.blocks_size(), 0);
  }
}

TEST_F(BlockTest, RowsTakeTurnsInAnOrderOfTheSeed) {
  subjects_.push_back(std::make_unique<SlowSubject>("A", &pool_, 0, &log_));
  subjects_.push_back(std::make_unique<SlowSubject>("B", &pool_, 0, &log_));
  BenchConfig config = SmallConfig(/*max_seconds=*/20);
  config.set_max_steps(20);
  const auto order = [&] {
    log_.clear();
    Run(Request(config, /*check=*/false));
    return std::vector<std::string>(log_.end() - 40, log_.end());
  };
  const std::vector<std::string> first = order();
  int b_first = 0;
  for (int round = 0; round < 20; ++round) {
    EXPECT_NE(first[2 * round], first[2 * round + 1]) << round;
    b_first += first[2 * round] == "B";
  }
  EXPECT_GE(b_first, 3);
  EXPECT_LE(b_first, 17);
  EXPECT_EQ(order(), first);
  config.set_seed(12);
  EXPECT_NE(order(), first);
}

TEST_F(BlockTest, ASlowRowIsMeasuredOnFewerFrames) {
  BenchConfig config = SmallConfig(/*max_seconds=*/6);
  config.mutable_batch()->set_utterances(1);
  config.mutable_batch()->clear_min_frames();
  config.mutable_batch()->set_max_frames(2000);
  subjects_.push_back(std::make_unique<SlowSubject>("slow", &pool_, 2e-3, &log_));  // 4 s a step
  const BenchReport report = Run(Request(config, /*check=*/false));
  ASSERT_EQ(report.rows_size(), 1);
  const BenchRow& row = report.rows(0);
  EXPECT_TRUE(row.verified()) << row.problem();
  EXPECT_GT(row.scaled_frames(), 10);
  EXPECT_LT(row.scaled_frames(), 1000);
  EXPECT_EQ(row.valid_frames(), 2000);
  EXPECT_GE(row.blocks(0).step_seconds_size(), 3);
  EXPECT_LT(row.blocks(0).step_seconds(0), 2);
}

TEST_F(BlockTest, FramesThatTheRequestNamesAreTaken) {
  subjects_ = TrainerSubjects({"blas"}, &pool_).value();
  BlockRequest request = Request(SmallConfig(/*max_seconds=*/20), /*check=*/false);
  request.mutable_row(0)->set_max_frames(20);
  const BenchReport report = Run(request);
  EXPECT_EQ(report.rows(0).blocks(0).max_frames(), 20);
  EXPECT_EQ(report.rows(0).scaled_frames(), 20 + 16 + 13 + 10);
}

TEST_F(BlockTest, ABadConfigurationRunsNothing) {
  BenchConfig config = SmallConfig(/*max_seconds=*/20);
  config.mutable_batch()->set_classes(0);
  subjects_.push_back(std::make_unique<SlowSubject>("A", &pool_, 0, &log_));
  EXPECT_EQ(RunBlock(Request(config), subjects_, &pool_, &progress_).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(log_.empty());
}

TEST(TrainerSubjectsTest, NamesOrAllAvailable) {
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
