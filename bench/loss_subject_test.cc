#include "bench/loss_subject.h"

#include <gtest/gtest.h>

#include "base/thread_pool.h"
#include "bench/bench_config.h"
#include "bench/testing/small_config.h"
#include "bench/verify.h"

namespace earshot {
namespace {

class LossSubjectTest : public testing::TestWithParam<LossConfig::Kind> {};

TEST_P(LossSubjectTest, AgreesWithTheDefinition) {
  BenchConfig config = SmallConfig(/*max_seconds=*/1);
  config.set_measured(BenchConfig::LOSS);
  config.mutable_train()->mutable_loss()->set_kind(GetParam());
  config.mutable_batch()->set_labels_per_utterance(GetParam() == LossConfig::CTC ? 5 : 1);
  const Batch batch = MakeBatch(config);
  EXPECT_EQ(batch.features.dim(1), 6);
  ThreadPool pool(2);
  LossSubject ours(&pool);
  LossDefinitionSubject definition;
  const auto expected = RecordTrace(config, {}, batch, &definition);
  const auto actual = RecordTrace(config, {}, batch, &ours);
  ASSERT_TRUE(expected.ok()) << expected.status().ToString();
  ASSERT_TRUE(actual.ok()) << actual.status().ToString();
  EXPECT_EQ(expected->utterance_losses.size(), 4u);
  EXPECT_EQ(static_cast<int64_t>(expected->gradients.size()), batch.features.size());
  const absl::Status same = CompareTraces(config, *expected, *actual, ours.tolerance_factor());
  EXPECT_TRUE(same.ok()) << same.ToString();
  Trace wrong = *actual;
  for (float& g : wrong.gradients) g *= 1.01f;
  EXPECT_FALSE(CompareTraces(config, *expected, wrong, ours.tolerance_factor()).ok());
}

INSTANTIATE_TEST_SUITE_P(All, LossSubjectTest,
                         testing::Values(LossConfig::CTC, LossConfig::CROSS_ENTROPY_FRAME,
                                         LossConfig::CROSS_ENTROPY_LAST_FRAME));

}  // namespace
}  // namespace earshot
