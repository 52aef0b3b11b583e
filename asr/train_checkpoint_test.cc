#include "asr/train_checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "asr/testing/batches.h"
#include "asr/testing/snapshot.h"

namespace earshot {
namespace {

using ::testing::HasSubstr;

constexpr int kInput = 5, kClasses = 4;

class TrainCheckpointTest : public testing::TestWithParam<OptimizerConfig::Kind> {
 protected:
  TrainCheckpointTest() {
    config_.mutable_model()->mutable_lstm()->set_hidden_size(6);
    config_.mutable_model()->mutable_lstm()->set_peepholes(true);
    config_.mutable_model()->mutable_lstm()->set_trainable_initial_state(true);
    config_.mutable_optimizer()->set_kind(GetParam());
    state_.set_epoch(3);
    state_.set_step(17);
    state_.set_best_error(12.5);
    step_ = MakeStep();
    for (int k = 0; k < 3; ++k) Update(step_.get(), k);
    state_.set_updates(step_->optimizer().updates());
  }
  std::unique_ptr<TrainStep> MakeStep() {
    auto step = *TrainStep::Create(config_, kInput, kClasses, &pool_);
    step->model().Initialize(1);
    return step;
  }
  static void Update(TrainStep* step, uint64_t k) {
    EXPECT_TRUE(step->Run(RandomBatch({6, 4}, kInput, {{1, 2}, {3}}, k), 0.01f, k).ok());
  }
  ThreadPool pool_{1};
  TrainConfig config_;
  TrainState state_;
  std::unique_ptr<TrainStep> step_;
};

TEST_P(TrainCheckpointTest, WhatIsRestoredGoesOnAsIfNothingHadBeen) {
  const NormalizationStats stats = {{1, 2}, {3, 4}};
  const Checkpoint checkpoint = MakeCheckpoint(config_, &stats, step_.get(), state_);
  EXPECT_EQ(CheckpointConfig(checkpoint)->SerializeAsString(), config_.SerializeAsString());
  EXPECT_EQ(CheckpointState(checkpoint)->SerializeAsString(), state_.SerializeAsString());
  EXPECT_EQ(CheckpointStats(checkpoint, 2)->mean, stats.mean);
  EXPECT_EQ(CheckpointStats(checkpoint, 2)->inverse_deviation, stats.inverse_deviation);
  EXPECT_EQ(checkpoint.metadata.at("step"), "17");
  const auto other = MakeStep();
  EXPECT_FALSE(SameBits(Snapshot(other.get()), Snapshot(step_.get())));
  ASSERT_TRUE(RestoreTraining(checkpoint, other.get()).ok());
  EXPECT_TRUE(SameBits(Snapshot(other.get()), Snapshot(step_.get())));
  Update(step_.get(), 9);
  Update(other.get(), 9);
  EXPECT_TRUE(SameBits(Snapshot(other.get()), Snapshot(step_.get())));
}

TEST_P(TrainCheckpointTest, ParametersAloneLeaveTheOptimizerAlone) {
  const Checkpoint checkpoint = MakeCheckpoint(config_, nullptr, step_.get(), state_);
  const auto other = MakeStep();
  const Snapshot before(other.get());
  ASSERT_TRUE(RestoreParameters(checkpoint, &other->model()).ok());
  const Snapshot after(other.get());
  EXPECT_TRUE(SameBits(after.params, Snapshot(step_.get()).params));
  EXPECT_TRUE(SameBits(after.state, before.state));
  EXPECT_EQ(after.updates, 0);
}

TEST_P(TrainCheckpointTest, WhatIsMissingOrUnknownIsNamed) {
  const Checkpoint good = MakeCheckpoint(config_, nullptr, step_.get(), state_);
  EXPECT_THAT(std::string(CheckpointStats(good, 2).status().message()), HasSubstr("features.mean"));
  const NormalizationStats stats = {{1, 2}, {3, 4}};
  Checkpoint bad = MakeCheckpoint(config_, &stats, step_.get(), state_);
  EXPECT_THAT(std::string(CheckpointStats(bad, 3).status().message()),
              HasSubstr("features.mean: shape [2], expected [3]"));
  bad = good;
  bad.metadata["state"] = "format: 2";
  EXPECT_THAT(std::string(CheckpointState(bad).status().message()),
              HasSubstr("metadata \"state\":1: expected format 1, found 2"));
  bad.metadata["state"] = "step: 3 epoch: -5";
  EXPECT_EQ(CheckpointState(bad).status().message(), "metadata \"state\":1: expected epoch of at least 0, found -5");
  bad.metadata["state"] = "epoch: x";
  EXPECT_THAT(std::string(CheckpointState(bad).status().message()), HasSubstr(":1:8"));
  bad.metadata.erase("state");
  EXPECT_THAT(std::string(RestoreTraining(bad, MakeStep().get()).message()), HasSubstr("no \"state\""));
  int tensors = 0;
  for (const auto& tensor : good.tensors) {
    if (tensor.first.find("bias_hh") != std::string::npos) continue;  // zeros, for PyTorch's sake
    bad = good;
    bad.tensors.erase(tensor.first);
    const absl::Status status = RestoreTraining(bad, MakeStep().get());
    EXPECT_FALSE(status.ok()) << tensor.first;
    EXPECT_THAT(std::string(status.message()), HasSubstr(tensor.first));
    ++tensors;
  }
  EXPECT_GE(tensors, 20);
}

INSTANTIATE_TEST_SUITE_P(Optimizers, TrainCheckpointTest, testing::Values(OptimizerConfig::ADAM, OptimizerConfig::SGD),
                         [](const testing::TestParamInfo<OptimizerConfig::Kind>& info) {
                           return OptimizerConfig::Kind_Name(info.param);
                         });

}  // namespace
}  // namespace earshot
