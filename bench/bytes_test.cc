#include "bench/bytes.h"

#include <gtest/gtest.h>

#include <string>

#include "base/textproto.h"

namespace earshot {
namespace {

BenchConfig Tiny(const std::string& train) {
  BenchConfig config;
  const absl::Status status = ParseTextproto(
      "name: 'tiny' train { " + train + " } batch { utterances: 2 max_frames: 5 input_size: 3 classes: 6 }", "config",
      &config);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return config;
}

// Two levels of 2 units, 10 frames; numbers of 4 bytes. Parameters: 8 (3 + 2 + 1) + 8 (2 + 2 + 1) + 2 * 6 + 6 = 106.
TEST(LeastBytesTest, TwoLevelsByHand) {
  const StepBytes bytes =
      LeastBytes(Tiny("model { lstm { num_levels: 2 hidden_size: 2 } } loss { kind: CTC } optimizer { kind: ADAM }"));
  EXPECT_EQ(bytes.input_forward, 4 * ((30 + 24 + 80) + (20 + 16 + 80)));
  EXPECT_EQ(bytes.recurrent_forward, 4 * 2 * (80 + 16 + 80 + 20 + 20));
  EXPECT_EQ(bytes.output_layer, 4 * ((20 + 12 + 60) + (60 + 20 + 12 + 12 + 20)));
  EXPECT_EQ(bytes.loss, 4 * (60 + 60));
  EXPECT_EQ(bytes.recurrent_backward, 4 * 2 * (20 + 80 + 20 + 16 + 80));
  EXPECT_EQ(bytes.weight_gradients, 4 * ((80 + 30 + 20 + 24 + 16) + (80 + 20 + 20 + 16 + 16 + 20 + 16)));
  EXPECT_EQ(bytes.clip, 4 * 106);
  EXPECT_EQ(bytes.optimizer, 4 * 7 * 106);
  EXPECT_EQ(bytes.between_forward, 4 * 2 * 2 * 80);
  EXPECT_EQ(bytes.between_backward, 4 * 2 * 2 * 80);
  EXPECT_EQ(bytes.total(), 4 * (250 + 432 + 216 + 120 + 432 + 358 + 106 + 742));
}

// One level of 2 units in both directions: weights, gates, cells and outputs double; x is read once.
TEST(LeastBytesTest, BothDirectionsLastFrameAndMomentum) {
  const StepBytes bytes =
      LeastBytes(Tiny("model { lstm { hidden_size: 2 bidirectional: true } output_bias: false } loss { kind: "
                      "CROSS_ENTROPY_LAST_FRAME } optimizer { kind: SGD }"));
  EXPECT_EQ(bytes.input_forward, 4 * (30 + 48 + 160));
  EXPECT_EQ(bytes.recurrent_forward, 4 * (160 + 32 + 160 + 40 + 40));
  EXPECT_EQ(bytes.output_layer, 4 * ((8 + 24 + 12) + (12 + 8 + 24 + 24 + 8)));  // two rows
  EXPECT_EQ(bytes.recurrent_backward, 4 * (8 + 160 + 40 + 32 + 160));
  EXPECT_EQ(bytes.weight_gradients, 4 * (160 + 30 + 40 + 48 + 32));
  EXPECT_EQ(bytes.optimizer, 4 * 5 * (2 * 8 * (3 + 2 + 1) + 4 * 6));
}

// 6400 frames of 123 features, 320 units, 64 judged rows of 10 classes, 571,520 parameters.
TEST(LeastBytesTest, OneLevelShort) {
  BenchConfig config;
  ASSERT_TRUE(ReadTextproto("bench/configs/lstm_ce_short.textproto", &config).ok());
  const StepBytes bytes = LeastBytes(config);
  EXPECT_EQ(bytes.input_forward, 4.0 * (787200 + 157440 + 8192000));
  EXPECT_EQ(bytes.recurrent_forward, 4.0 * (8192000 + 409600 + 8192000 + 2048000 + 2048000));
  EXPECT_EQ(bytes.recurrent_backward, 4.0 * (20480 + 8192000 + 2048000 + 409600 + 8192000));
  EXPECT_EQ(bytes.weight_gradients, 4.0 * (8192000 + 787200 + 2048000 + 157440 + 409600));
  EXPECT_EQ(bytes.optimizer, 4.0 * 7 * 571520);
  EXPECT_EQ(bytes.total(), 260513280);
}

TEST(LeastBytesTest, TheLossAloneHasNoStep) {
  BenchConfig config;
  ASSERT_TRUE(ReadTextproto("bench/configs/loss_ctc.textproto", &config).ok());
  EXPECT_EQ(LeastBytes(config).total(), 0);
}

}  // namespace
}  // namespace earshot
