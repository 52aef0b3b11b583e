#include "bench/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

#include "base/textproto.h"
#include "bench/bench_config.h"
#include "bench/flops.h"
#include "bench/peak.h"
#include "bench/testing/wrong_subjects.h"

namespace earshot {
namespace {

BenchConfig SmallConfig() {
  BenchConfig config;
  const absl::Status status = ParseTextproto(
      R"(name: "test"
         train {
           model { lstm { hidden_size: 64 bidirectional: true } output_bias: false }
           loss { kind: CTC }
           optimizer { max_grad_norm: 0 }
         }
         batch { utterances: 8 min_frames: 50 max_frames: 100 input_size: 40 classes: 20 labels_per_utterance: 10 })",
      "test", &config);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return config;
}

TEST(ExtrapolateTest, OnlyTheFixedPartStays) {
  EXPECT_DOUBLE_EQ(Extrapolate(10, 3, 4), 4 * (10 - 3) + 3);
  EXPECT_DOUBLE_EQ(Extrapolate(10, 3, 1), 10);
}

class MeasurementTest : public testing::Test {
 protected:
  void Measure(Measurement* m, int steps) {
    const Batch batch = MakeBatch(config_);
    ASSERT_TRUE(m->Load(config_, CanonicalParameters(config_, &pool_).value()).ok());
    EXPECT_TRUE(m->samples().empty());
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(m->Step(batch).ok());
    m->Unload();
  }
  BenchRow FilledRow(const Measurement& m, int valid_frames) {
    BenchRow row;
    row.set_valid_frames(valid_frames);
    m.FillRow(&row);
    return row;
  }
  ThreadPool pool_{2};
  const BenchConfig config_ = SmallConfig();
};

TEST_F(MeasurementTest, PhasesAddUpToTheStepButForOnePercent) {
  TrainerSubject subject(ImplementationOrDie("blas"), &pool_);
  Measurement m(&subject);
  Measure(&m, 20);
  const BenchRow row = FilledRow(m, 597);  // 50 + 57 + 64 + 71 + 78 + 85 + 92 + 100
  EXPECT_FALSE(row.has_scaled_frames());
  double sum = row.remainder_seconds();
  for (const auto& phase : row.phases()) {
    EXPECT_GE(phase.second, 0) << phase.first;
    sum += phase.second;
  }
  EXPECT_EQ(row.phases_size(), kNumPhases);
  EXPECT_GT(row.phases().at("recurrence"), 0);
  EXPECT_GT(row.phases().at("optimizer"), 0);
  ASSERT_EQ(row.blocks_size(), 1);
  const BlockSamples& block = row.blocks(0);
  EXPECT_EQ(block.step_seconds_size(), 20);
  EXPECT_EQ(block.losses_size(), 20);
  EXPECT_LT(block.losses(19), block.losses(0));
  EXPECT_EQ(block.max_frames(), 100);
  EXPECT_GE(block.warm_up(), 1);
  EXPECT_LE(block.warm_up(), 10);
  // The step whose phases these are is one of the samples.
  EXPECT_THAT(block.step_seconds(), testing::Contains(testing::DoubleNear(sum, 1e-9)));
  // A step of some 10 ms: of the others, of which one was perhaps interrupted, the least remainder counts.
  double least = 1;
  for (const StepSample& sample : m.samples()) {
    double phases = 0;
    for (double seconds : sample.phases) phases += seconds;
    EXPECT_LE(phases, sample.seconds);
    least = std::min(least, 1 - phases / sample.seconds);
  }
  EXPECT_LE(least, 0.01);
}

TEST_F(MeasurementTest, FewerFramesAreExtrapolatedAndMarked) {
  TrainerSubject subject(ImplementationOrDie("blas"), &pool_);
  Measurement m(&subject);
  Measure(&m, 3);
  const BenchRow row = FilledRow(m, 5970), same = FilledRow(m, 597);
  EXPECT_EQ(row.scaled_frames(), 597);
  EXPECT_NEAR(row.phases().at("recurrence"), 10 * same.phases().at("recurrence"), 1e-9);
  EXPECT_DOUBLE_EQ(row.phases().at("optimizer"), same.phases().at("optimizer"));
  EXPECT_NEAR(row.remainder_seconds(), 10 * same.remainder_seconds(), 1e-9);
}

// The three tests below are of plausibility (BEN-01). Whatever else the machine does only adds to a time, so the least
// times count, and more are taken until they are plausible; those of a clock that is wrong never are.
constexpr int kRounds = 40;

TEST_F(MeasurementTest, TimeGrowsWithTheWorkAndTheRateStaysBelowThePeak) {
  TrainerSubject subject(ImplementationOrDie("blas"), &pool_);
  const auto take_steps = [&](int hidden_size, double* least) {
    BenchConfig config = config_;
    config.mutable_train()->mutable_model()->mutable_lstm()->set_hidden_size(hidden_size);
    const Batch batch = MakeBatch(config);
    Measurement m(&subject);
    EXPECT_TRUE(m.Load(config, CanonicalParameters(config, &pool_).value()).ok());
    for (int i = 0; i < 4; ++i) {
      EXPECT_TRUE(m.Step(batch).ok());
      *least = std::min(*least, m.last().seconds);
    }
    m.Unload();
    return UsefulFlops(config).total() * 1e-9 / *least;
  };
  double small = 1e9, large = 1e9, rate = 1e9, peak = 0;
  for (int i = 0; i < kRounds && (large <= 2 * small || rate >= peak); ++i) {
    rate = take_steps(320, &small);
    take_steps(640, &large);
    peak = std::max(peak, MeasurePeakGflops(&pool_, 0.2));
  }
  EXPECT_GT(large, 2 * small);
  EXPECT_LT(rate, peak);
}

// In processor time of one thread, which other programs hardly change.
TEST_F(MeasurementTest, TwiceAsManyStepsAreTwiceTheWork) {
  ThreadPool one(1);
  TrainerSubject subject(ImplementationOrDie("blas"), &one);
  const Batch batch = MakeBatch(config_);
  Measurement m(&subject);
  ASSERT_TRUE(m.Load(config_, CanonicalParameters(config_, &one).value()).ok());
  ASSERT_TRUE(m.Step(batch).ok());  // takes the memory
  const auto processor_seconds = [&](int steps) {
    const std::clock_t start = std::clock();
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(m.Step(batch).ok());
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  double twenty = 1e9, forty = 1e9;
  for (int i = 0; i < kRounds && (i < 3 || forty < 1.8 * twenty || forty > 2.2 * twenty); ++i) {
    twenty = std::min(twenty, processor_seconds(20));
    forty = std::min(forty, processor_seconds(40));
  }
  EXPECT_GT(forty / twenty, 1.8);
  EXPECT_LT(forty / twenty, 2.2);
}

// Nothing is still computing when a step's time is taken: what the process computes, its steps' times account for.
TEST_F(MeasurementTest, AllWorkIsWithinTheTimesOfTheSteps) {
  TrainerSubject subject(ImplementationOrDie("blas"), &pool_);
  const Batch batch = MakeBatch(config_);
  Measurement m(&subject);
  ASSERT_TRUE(m.Load(config_, CanonicalParameters(config_, &pool_).value()).ok());
  ASSERT_TRUE(m.Step(batch).ok());
  double wall = 0;
  const std::clock_t start = std::clock();
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(m.Step(batch).ok());
    wall += m.last().seconds;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // time for what would still run
  EXPECT_GE(wall * pool_.num_threads(), 0.9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace earshot
