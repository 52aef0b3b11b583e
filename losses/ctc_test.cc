// CTC over packed batches.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/testing/near.h"
#include "losses/loss_testing.h"

namespace earshot {
namespace {

// Time-major rows of two utterances of 4 and 2 frames: frame 0 of both, frame 1 of both, frame 2, frame 3.
TEST(CtcTest, PackedBatch) {
  const LossResult r = ComputeLoss(Config(LossConfig::CTC), {4, 2},
                                   {-0.4806f, 0.623f, 0.1735f, 0.8517f, -0.923f, -0.5357f, 0.274f, 0.0507f, 0.0788f,
                                    -0.8277f, -0.052f, 0.0222f, -0.5953f, 0.892f, 0.8694f, 0.1953f, 0.4766f, 0.3623f},
                                   {{1, 2}, {2}});
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_TRUE(AllClose(Doubles(r.losses), {1.54106, 0.90219}, 0, 6e-6));
  const std::vector<double> gradient = {0.0113739, -0.335267, 0.323893,  -0.0326141, 0.119453, -0.0868387,
                                        0.0546785, -0.141337, 0.0866582, 0.102744,   0.394104, -0.496847,
                                        0.0162803, 0.260681,  -0.276961, -0.0668648, 0.377816, -0.310951};
  EXPECT_TRUE(AllClose(Doubles(r.dlogits.span()), gradient, 0, 1e-6));
}

// What a padded batch would hold behind an utterance's last frame does not exist here: the shorter utterance comes out
// as it would alone.
TEST(CtcTest, UtterancesDoNotSeeEachOther) {
  const std::vector<std::vector<double>> frames_of_0 = {{-0.5038, -0.8192, -0.909, 0.6307},
                                                        {-0.9109, 0.6017, 0.4117, -0.9184},
                                                        {-0.4441, -0.2746, 0.7244, 0.9335},
                                                        {0.7931, -0.2171, -0.8302, 0.9274}};
  const std::vector<std::vector<double>> frames_of_1 = {
      {0.3035, 0.9232, 0.1254, -0.2169}, {0.1171, -0.4595, 0.1176, 0.6619}, {-0.533, -0.65, -0.3804, -0.539}};
  std::vector<float> logits;
  for (int t = 0; t < 4; ++t) {
    logits.insert(logits.end(), frames_of_0[t].begin(), frames_of_0[t].end());
    if (t < 3) logits.insert(logits.end(), frames_of_1[t].begin(), frames_of_1[t].end());
  }
  const LossResult r = ComputeLoss(Config(LossConfig::CTC), {4, 3}, logits, {{1, 2}, {3}});
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_TRUE(AllClose(Doubles(r.losses), {3.35504354851, 2.35416679719}, 1e-5, 0));
  const std::vector<double> gradient_of_1 = {-0.393799134697,  0.433235869493, 0.195094159828, -0.234530894624,
                                             0.00862636575556, 0.131061759761, 0.233403487211, -0.373091612728,
                                             -0.225884949942,  0.219734104291, 0.287728750713, -0.281577905062};
  const Packing packing = Packing::CreateOrDie({4, 3});
  for (int t = 0; t < 3; ++t) {
    for (int c = 0; c < 4; ++c) {
      EXPECT_NEAR(r.dlogits.view()(packing.row(t, 1), c), gradient_of_1[t * 4 + c], 1e-6);
    }
  }
}

TEST(CtcTest, ImpossibleUtteranceDoesNotTouchTheOthers) {
  const std::vector<float> logits = RandomLogits(5 * 3);
  const LossResult r = ComputeLoss(Config(LossConfig::CTC), {3, 2}, logits, {{1, 2}, {1, 1}});
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_TRUE(std::isfinite(r.losses[0]));
  EXPECT_EQ(r.losses[1], std::numeric_limits<float>::infinity());
  const Packing packing = Packing::CreateOrDie({3, 2});
  for (int t = 0; t < 2; ++t) {
    for (int c = 0; c < 3; ++c) EXPECT_EQ(r.dlogits.view()(packing.row(t, 1), c), 0.0f);
  }
}

TEST(CtcTest, LabelsWithoutMeaningAreNamed) {
  const std::vector<float> logits(12 * 3, 0.0f);
  struct Case {
    LabelRows labels;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{{1, 2}, {1, 0, 1}}, "utterance 1 of the batch: label 1 is 0, the blank, expected 1 to 2 (the blank is 0)"},
      {{{0, 2}, {1}}, "utterance 0 of the batch: label 0 is 0, the blank, expected 1 to 2 (the blank is 0)"},
      {{{1}, {2, 3}}, "utterance 1 of the batch: label 1 is 3, expected 1 to 2 (the blank is 0)"},
      {{{-1}, {}}, "utterance 0 of the batch: label 0 is -1, expected 1 to 2 (the blank is 0)"},
      {{{1}}, "labels of 1 utterances, expected 2"},
      {{{1}, {1}, {1}}, "labels of 3 utterances, expected 2"},
  };
  for (const Case& c : cases) {
    const LossResult r = ComputeLoss(Config(LossConfig::CTC), {6, 6}, logits, c.labels);
    EXPECT_EQ(r.status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(r.status.message(), c.message);
  }
}

// A second call with other shapes finds the workspace of the first.
TEST(CtcTest, WorkspaceIsReused) {
  auto loss = CreateLoss(Config(LossConfig::CTC), 4, nullptr);
  const std::vector<float> logits = RandomLogits(40 * 4);
  struct Case {
    std::vector<int32_t> lengths;
    LabelRows labels;
  };
  for (const Case& c : {Case{{30, 10}, {{1, 2, 3, 1, 2, 3}, {1}}}, Case{{5}, {{}}}, Case{{4, 3, 2}, {{3}, {2, 2}, {1}}},
                        Case{{40}, {{1, 1, 1, 2, 2, 2, 3, 3, 3}}}, Case{{}, {}}}) {
    const Packing packing = Packing::CreateOrDie(c.lengths);
    std::vector<float> losses(packing.batch());
    Tensor<float, 2> dlogits({packing.rows(), 4});
    const std::vector<float> x(logits.begin(), logits.begin() + packing.rows() * 4);
    ASSERT_TRUE((*loss)
                    ->Compute(TensorView<const float, 2>(x.data(), {packing.rows(), 4}), packing, ToRagged(c.labels), 1,
                              absl::MakeSpan(losses), dlogits.view())
                    .ok());
    if (c.lengths.empty()) continue;
    const LossResult fresh = ComputeLoss(Config(LossConfig::CTC), c.lengths, x, c.labels);
    EXPECT_TRUE(SameBits(losses, fresh.losses));
    EXPECT_TRUE(SameBits(dlogits.span(), fresh.dlogits.span()));
  }
}

}  // namespace
}  // namespace earshot
