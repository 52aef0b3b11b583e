#include "bench/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/textproto.h"
#include "bench/bench_config.h"
#include "bench/misaligned_subject.h"
#include "bench/testing/wrong_subjects.h"
#include "lstm/lstm_params.h"
#include "lstm/rows_here.h"

namespace earshot {
namespace {

using testing::HasSubstr;

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    const absl::Status status = ParseTextproto(
        R"(name: "test"
           train {
             model { lstm { num_levels: 2 hidden_size: 24 bidirectional: true } output_bias: false }
             loss { kind: CTC }
             optimizer { max_grad_norm: 0 }
           }
           batch { utterances: 5 min_frames: 10 max_frames: 30 input_size: 7 classes: 6 labels_per_utterance: 3 })",
        "test", &config_);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_TRUE(ValidateBenchConfig(config_).ok());
    batch_ = MakeBatch(config_);
    params_ = CanonicalParameters(config_, &pool_).value();
    TrainerSubject reference(ImplementationOrDie("reference"), &pool_);
    expected_ = RecordTrace(config_, params_, batch_, &reference).value();
  }

  absl::Status Verify(Subject* subject) {
    const absl::StatusOr<Trace> trace = RecordTrace(config_, params_, batch_, subject);
    EXPECT_TRUE(trace.ok()) << trace.status().ToString();
    return CompareTraces(config_, expected_, *trace, subject->tolerance_factor());
  }

  ThreadPool pool_{2};
  BenchConfig config_;
  Batch batch_;
  std::vector<float> params_;
  Trace expected_;
};

TEST_F(VerifyTest, EveryImplementationAgreesWithTheReference) {
  int verified = 0;
  for (const LstmImplementation& implementation : RowsHere()) {
    TrainerSubject subject(&implementation, &pool_);
    const absl::Status status = Verify(&subject);
    EXPECT_TRUE(status.ok()) << implementation.name << ": " << status.ToString();
    ++verified;
  }
  EXPECT_GE(verified, 2);
}

TEST_F(VerifyTest, TheReferenceIsNoConstant) {
  EXPECT_EQ(expected_.losses.size(), static_cast<size_t>(kTraceSteps));
  EXPECT_LT(expected_.losses[1], expected_.losses[0]);  // it learns
  EXPECT_EQ(expected_.gradients.size(), params_.size());
  EXPECT_EQ(expected_.utterance_losses.size(), 5u);
}

TEST_F(VerifyTest, CatchesAGradientThatIsOnePercentTooLarge) {
  ScaledGradientSubject wrong(&pool_, 1.01f, 0, std::numeric_limits<int64_t>::max());
  const absl::Status status = Verify(&wrong);
  EXPECT_THAT(std::string(status.message()), HasSubstr("gradient of lstm.weight_ih_l0,"));
}

TEST_F(VerifyTest, CatchesOnePercentInAnyBlock) {
  const std::vector<LstmLevelConfig> levels = LstmLevels(config_.train().model().lstm(), 7);
  const int64_t level0 = LstmParamsSize(levels[0]), direction = LstmDirectionSize(levels[1]);
  const int64_t w_ih = 4 * 24 * 48, w_hh = 4 * 24 * 24;
  const int64_t bias = level0 + direction + w_ih + w_hh;  // of level 1, reverse
  ScaledGradientSubject wrong_bias(&pool_, 0.99f, bias, bias + 4 * 24);
  EXPECT_THAT(std::string(Verify(&wrong_bias).message()), HasSubstr("gradient of lstm.bias_ih_l1_reverse,"));
  const int64_t output = level0 + 2 * direction;
  ASSERT_EQ(static_cast<int64_t>(params_.size()), output + 6 * 48);
  ScaledGradientSubject wrong_output(&pool_, 1.01f, output, output + 6 * 48);
  EXPECT_THAT(std::string(Verify(&wrong_output).message()), HasSubstr("gradient of output.weight,"));
}

TEST_F(VerifyTest, CatchesLengthsThatBelongToOtherUtterances) {
  MisalignedLengthsSubject wrong(ImplementationOrDie("blas"), &pool_);
  EXPECT_THAT(std::string(Verify(&wrong).message()), HasSubstr("loss of utterance 0"));
}

// The losses of the misaligned benchmark fall too, so "the loss fell" would not have shown it; the gradients do.
TEST_F(VerifyTest, MisalignedLengthsShowInTheGradientsAlone) {
  MisalignedLengthsSubject wrong(ImplementationOrDie("blas"), &pool_);
  Trace trace = RecordTrace(config_, params_, batch_, &wrong).value();
  EXPECT_LT(trace.losses.back(), trace.losses.front());
  trace.utterance_losses = expected_.utterance_losses;
  trace.losses = expected_.losses;
  const absl::Status status = CompareTraces(config_, expected_, trace, wrong.tolerance_factor());
  EXPECT_THAT(std::string(status.message()), HasSubstr("gradient of"));
}

TEST_F(VerifyTest, CatchesWhatIsNotANumber) {
  Trace trace = expected_;
  trace.gradients[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(CompareTraces(config_, expected_, trace, 1e6).ok());
  trace = expected_;
  trace.losses[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(std::string(CompareTraces(config_, expected_, trace, 1e6).message()), HasSubstr("loss of step 2"));
  trace.losses[2] = std::numeric_limits<double>::infinity();  // in the reference, which makes the tolerance infinite
  EXPECT_THAT(std::string(CompareTraces(config_, trace, expected_, 1e6).message()), HasSubstr("loss of step 2"));
}

TEST_F(VerifyTest, CatchesALossThatDrifts) {
  Trace trace = expected_;
  trace.losses[1] *= 1.001;
  EXPECT_THAT(std::string(CompareTraces(config_, expected_, trace, 4).message()), HasSubstr("loss of step 1"));
}

TEST_F(VerifyTest, RefusesAnotherNetwork) {
  BenchConfig wider = config_;
  wider.mutable_train()->mutable_model()->mutable_lstm()->set_hidden_size(25);
  TrainerSubject subject(ImplementationOrDie("blas"), &pool_);
  const absl::Status status = subject.Load(wider, params_);
  EXPECT_THAT(std::string(status.message()), HasSubstr("parameters, expected"));
}

}  // namespace
}  // namespace earshot
