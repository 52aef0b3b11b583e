#include "bench/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/textproto.h"
#include "bench/bytes.h"
#include "bench/flops.h"

namespace earshot {
namespace {

using testing::HasSubstr;

// One level 4 -> 5 and two classes over 100 rows; 2 * 20 * (4 + 5) * 100 FLOP forward.
BenchConfig Config() {
  BenchConfig config;
  EXPECT_TRUE(ParseTextproto(R"(name: "tiny" train { model { lstm { hidden_size: 5 } } loss { kind: CTC } }
                                batch { utterances: 10 max_frames: 10 input_size: 4 classes: 2 })",
                             "config", &config)
                  .ok());
  return config;
}

BenchRow Row(const char* phases) {
  BenchRow row;
  EXPECT_TRUE(ParseTextproto(phases, "row", &row).ok());
  row.set_implementation("simd");
  return row;
}

TEST(LimitTable, EachPhaseAgainstItsOwnArithmetic) {
  const BenchRow row = Row(R"(phases { key: "input_gemm" value: 0.002 } phases { key: "recurrence" value: 0.004 }
                              phases { key: "recurrent_backward" value: 0.005 } phases { key: "loss" value: 0.001 }
                              phases { key: "weight_gradients" value: 0.006 } remainder_seconds: 0.0005)");
  // At a peak of 1 MFLOP a ms.
  const std::string table = LimitTable(Config(), 1, row);
  EXPECT_THAT(table, HasSubstr("input_gemm                2.00      0.00      0.02    0.8 %\n"));  // 16,000 FLOP
  EXPECT_THAT(table, HasSubstr("recurrence                4.00      0.00      0.02    0.5 %\n"));  // 20,000
  EXPECT_THAT(table, HasSubstr("recurrent_backward        5.00      0.00      0.02    0.4 %\n"));  // 20,000
  EXPECT_THAT(table, HasSubstr("weight_gradients          6.00      0.00      0.04    0.6 %\n"));  // 36,000
  EXPECT_THAT(table, HasSubstr("loss                      1.00\n"));
  EXPECT_THAT(table, HasSubstr("remainder                 0.50\n"));
  EXPECT_THAT(table, HasSubstr("step                     18.50 "));
}

TEST(LimitTable, ProductsInsideAnotherPhaseCountThere) {
  const BenchRow row =
      Row(R"(phases { key: "recurrence" value: 0.004 } phases { key: "recurrent_backward" value: 0.005 })");
  const std::string table = LimitTable(Config(), 1, row);
  EXPECT_THAT(table, HasSubstr("recurrence                4.00      0.00      0.04    0.9 %\n"));  // 36,000
  EXPECT_THAT(table, HasSubstr("recurrent_backward        5.00      0.00      0.06    1.1 %\n"));  // 56,000
  EXPECT_EQ(table.find("input_gemm"), std::string::npos);
}

TEST(PhaseBytes, WhatOnePhaseDoesNeedsNoMemoryBetween) {
  const auto at = [](const std::array<double, kNumPhases>& of, Phase phase) { return of[static_cast<int>(phase)]; };
  const StepBytes least = LeastBytes(Config());
  const auto apart =
      PhaseBytes(Config(), Row(R"(phases { key: "input_gemm" value: 1 } phases { key: "recurrence" value: 1 }
      phases { key: "recurrent_backward" value: 1 } phases { key: "weight_gradients" value: 1 })"));
  EXPECT_EQ(at(apart, Phase::kInputGemm), least.input_forward);
  EXPECT_EQ(at(apart, Phase::kRecurrence), least.recurrent_forward);
  EXPECT_EQ(at(apart, Phase::kRecurrentBackward), least.recurrent_backward);
  EXPECT_EQ(at(apart, Phase::kWeightGradients), least.weight_gradients);
  const auto joined = PhaseBytes(
      Config(), Row(R"(phases { key: "recurrence" value: 1 } phases { key: "recurrent_backward" value: 1 })"));
  EXPECT_EQ(at(joined, Phase::kInputGemm), 0);
  // x, both weights; gates, cells, outputs.
  EXPECT_EQ(at(joined, Phase::kRecurrence), 4 * (400 + 80 + 100 + 2000 + 500 + 500));
  // Its outputs' gradient, gates, cells, w_hh; x, outputs, both weights' gradients.
  EXPECT_EQ(at(joined, Phase::kRecurrentBackward), 4 * (500 + 2000 + 500 + 100 + 400 + 500 + 80 + 100));
}

}  // namespace
}  // namespace earshot
