#include "bench/measure.h"

#include <gtest/gtest.h>

#include "base/textproto.h"
#include "bench/bench_config.h"
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

TEST(ExtrapolateTest, OnlyTheFixedPhasesStay) {
  StepSample sample;
  sample.seconds = 10;
  sample.phases[static_cast<int>(Phase::kRecurrence)] = 6;
  sample.phases[static_cast<int>(Phase::kOptimizer)] = 2;
  sample.phases[static_cast<int>(Phase::kClip)] = 1;
  const StepSample full = Extrapolate(sample, 4);
  EXPECT_DOUBLE_EQ(full.seconds, 4 * (10 - 3) + 3);
  EXPECT_DOUBLE_EQ(full.phases[static_cast<int>(Phase::kRecurrence)], 24);
  EXPECT_DOUBLE_EQ(full.phases[static_cast<int>(Phase::kOptimizer)], 2);
  EXPECT_DOUBLE_EQ(full.phases[static_cast<int>(Phase::kClip)], 1);
}

class MeasurementTest : public testing::Test {
 protected:
  void Measure(Measurement* m, double share_seconds) {
    m->SetPlan(config_, share_seconds);
    const Batch batch = MakeBatch(config_);
    ASSERT_TRUE(m->Load(config_, CanonicalParameters(config_, &pool_).value()).ok());
    ASSERT_TRUE(m->WarmUp(batch, 20).ok());
    EXPECT_TRUE(m->samples().empty());
    for (int i = 0; i < m->planned_steps(); ++i) ASSERT_TRUE(m->Step(batch).ok());
    m->Unload();
  }
  BenchRow FilledRow(const Measurement& m, int valid_frames) {
    BenchRow row;
    row.set_valid_frames(valid_frames);
    row.set_useful_gflop(2);
    m.FillRow(100, &row);
    return row;
  }
  ThreadPool pool_{2};
  const BenchConfig config_ = SmallConfig();
};

TEST_F(MeasurementTest, PhasesAddUpToTheStep) {
  TrainerSubject subject(ImplementationOrDie("blas"), &pool_);
  Measurement m(&subject);
  Measure(&m, 1e3);
  EXPECT_EQ(m.samples().size(), 20u);
  const BenchRow row = FilledRow(m, 597);  // 50 + 57 + 64 + 71 + 78 + 85 + 92 + 100
  EXPECT_FALSE(row.has_scaled_frames());
  double sum = 0;
  for (const auto& phase : row.phases()) {
    EXPECT_GE(phase.second, 0) << phase.first;
    sum += phase.second;
  }
  EXPECT_EQ(row.phases_size(), kNumPhases);
  EXPECT_GT(row.phases().at("recurrence"), 0);
  EXPECT_GT(row.phases().at("optimizer"), 0);
  EXPECT_NEAR(sum + row.remainder_seconds(), row.median_seconds(), 0.5 * row.median_seconds());
  EXPECT_GE(row.remainder_seconds(), 0);
  EXPECT_LT(row.remainder_seconds(), 0.1 * row.median_seconds());
  EXPECT_DOUBLE_EQ(row.share_of_peak(), 2 / row.median_seconds() / 100);
  EXPECT_LE(row.p10_seconds(), row.median_seconds());
  EXPECT_LE(row.median_seconds(), row.p90_seconds());
  EXPECT_EQ(row.step_seconds_size(), 20);
  EXPECT_GT(row.losses_size(), 20);  // and the warm-up
  EXPECT_LT(row.losses(row.losses_size() - 1), row.losses(0));
}

TEST_F(MeasurementTest, FewerFramesAreExtrapolatedAndMarked) {
  std::vector<std::string> log;
  SlowSubject subject("slow", &pool_, 2e-5, &log);
  Measurement m(&subject);
  Measure(&m, 0.01);  // less than three steps: takes three all the same
  ASSERT_EQ(m.samples().size(), 3u);
  const BenchRow row = FilledRow(m, 5970);
  EXPECT_EQ(row.scaled_frames(), 597);
  EXPECT_GT(row.median_seconds(), 2e-5 * 5970);
  EXPECT_GT(row.median_seconds(), 5 * row.step_seconds(0) / 2);
}

}  // namespace
}  // namespace earshot
