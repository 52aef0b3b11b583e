// Where dropout acts: on the outputs between levels (and of the last level where configured), in training only.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "asr/model.h"
#include "base/testing/near.h"

namespace earshot {
namespace {

// A net of two levels of two units, and its outputs for five frames, all in double from the equations of lstm/lstm.h.
const std::vector<float> kX = {-0.2915, 0.8864,  0.3111,  0.9157, 0.3126, 0.3472, 0.62,  -0.8666,
                               0.3318,  -0.7928, -0.6339, 0.2106, 0.113,  -0.621, 0.2928};
const std::vector<float> kLevel1 = {-0.2946, 0.1608, 0.8334,  0.6196, 0.9808, 0.3656,  -0.8283, -0.1958,
                                    0.2621,  0.7476, -0.2637, 0.7321, 0.2981, -0.2356, 0.4662,  0.6188,
                                    0.6143,  0.7739, -0.4843, 0.1314, 0.0841, 0.9064,  -0.7193, 0.6634,  // w_ih
                                    -0.2938, 0.3422, 0.2029,  0.6936, 0.3138, -0.139,  0.0338,  -0.3635,
                                    -0.7205, 0.8625, 0.6437,  0.1017, 0.2518, -0.3319, 0.9228,  -0.449,    // w_hh
                                    -0.5852, 1.2286, 0.514,   1.6094, 0.6263, 0.2082,  0.6539,  -1.2301};  // bias
const std::vector<float> kLevel2 = {-0.2791, -0.211,  0.2218,  0.1002,  -0.3605, 0.274,   0.4132,  0.4503,
                                    0.6107,  -0.9545, -0.1147, 0.1245,  -0.6274, -0.1629, -0.4008, -0.7374,
                                    -0.2783, -0.0296, -0.4088, 0.1743,  0.9724,  -0.2306, -0.7247, 0.2826,
                                    -0.3719, -0.8396, 0.7928,  -0.5058, -0.6737, -0.2592, 0.0559,  0.1948,
                                    -0.2775, 0.1518,  0.9606,  0.2483,  0.3054,  -0.7352, 0.1374,  0.1149};
const std::vector<double> kTwoLevels = {0.0675109233606, -0.166799972239, 0.0834654048239, -0.196434557202,
                                        0.0824442449886, -0.20737191723,  0.144949277364,  -0.249644025395,
                                        0.158561347598,  -0.227479886331};
const std::vector<double> kOneLevel = {0.149127641952, 0.0677421216826, 0.201528270024, 0.373474739014, 0.264158929799,
                                       0.503010747353, 0.443301142002,  0.160225211238, 0.404217936114, 0.3846951904};

// The last level's outputs are the logits: the output layer is the unit matrix.
std::unique_ptr<Model> MakeModel(int levels, float dropout, float output_dropout, ThreadPool* pool) {
  ModelConfig config;
  config.mutable_lstm()->set_num_levels(levels);
  config.mutable_lstm()->set_hidden_size(2);
  config.mutable_lstm()->set_dropout(dropout);
  config.set_output_dropout(output_dropout);
  config.set_output_bias(false);
  std::unique_ptr<Model> model = *Model::Create(config, 3, 2, pool, nullptr);
  std::vector<float> params = kLevel1;
  if (levels == 2) params.insert(params.end(), kLevel2.begin(), kLevel2.end());
  for (float w : {1, 0, 0, 1}) params.push_back(w);
  EXPECT_EQ(params.size(), model->params().size());
  std::copy(params.begin(), params.end(), model->params().begin());
  return model;
}

class DropoutTest : public testing::Test {
 protected:
  // Logits of the five frames; dropout null: evaluation.
  std::vector<float> Logits(Model* model, const DropoutPosition* dropout) {
    const TensorView<const float, 2> x(kX.data(), {5, 3});
    const absl::Span<float> logits = model->Forward(x, packing_, dropout).span();
    return {logits.begin(), logits.end()};
  }
  ThreadPool pool_{1};
  const Packing packing_ = Packing::CreateOrDie({5});
};

TEST_F(DropoutTest, EvaluationKnowsNoDropout) {
  for (float p : {0.0f, 0.5f, 0.9f}) {
    EXPECT_TRUE(AllNear(Logits(MakeModel(2, p, p, &pool_).get(), nullptr), kTwoLevels, 20)) << p;
  }
}

TEST_F(DropoutTest, EvaluationAfterTrainingKnowsNoDropout) {
  const auto model = MakeModel(2, 0.5f, 0.5f, &pool_);
  const DropoutPosition at = {1, 1};
  Logits(model.get(), &at);
  EXPECT_TRUE(AllNear(Logits(model.get(), nullptr), kTwoLevels, 20));
}

TEST_F(DropoutTest, ProbabilityZeroGivesTheBitsOfEvaluation) {
  const auto model = MakeModel(2, 0, 0, &pool_);
  const DropoutPosition at = {1, 1};
  EXPECT_TRUE(SameBits(Logits(model.get(), &at), Logits(model.get(), nullptr)));
}

TEST_F(DropoutTest, OneLevelHasNothingBetweenLevels) {
  const DropoutPosition at = {1, 1};
  for (float p : {0.0f, 0.5f, 0.9f}) {
    const auto model = MakeModel(1, p, 0, &pool_);
    EXPECT_TRUE(AllNear(Logits(model.get(), &at), kOneLevel, 20)) << p;
  }
}

// Between the levels: the upper level's outputs change, but none of them is dropped.
TEST_F(DropoutTest, ActsBetweenLevelsAndNotAfterTheLast) {
  const auto model = MakeModel(2, 0.5f, 0, &pool_);
  int changed = 0;
  for (uint64_t step = 0; step < 50; ++step) {
    const DropoutPosition at = {1, step};
    const std::vector<float> logits = Logits(model.get(), &at);
    for (float y : logits) EXPECT_NE(y, 0);
    changed += !AllNear(logits, kTwoLevels, 20);
  }
  EXPECT_GT(changed, 45);  // all ten masks 1 has a probability of 1 in 1024
}

// Inverted dropout: outputs are 0 or y / (1 - p), so that their mean is y.
TEST_F(DropoutTest, OutputsAreZeroOrScaledUp) {
  constexpr float kP = 0.25f;
  constexpr int kSteps = 1000;  // of ten outputs each
  const auto model = MakeModel(1, 0, kP, &pool_);
  const std::vector<float> plain = Logits(model.get(), nullptr);
  int zeros = 0;
  for (uint64_t step = 0; step < kSteps; ++step) {
    const DropoutPosition at = {1, step};
    const std::vector<float> logits = Logits(model.get(), &at);
    for (size_t i = 0; i < logits.size(); ++i) {
      if (logits[i] == 0) {
        ++zeros;
      } else {
        EXPECT_FLOAT_EQ(logits[i], plain[i] / (1 - kP));
      }
    }
  }
  const double draws = 10.0 * kSteps, deviation = std::sqrt(kP * (1 - kP) / draws);
  EXPECT_NEAR(zeros / draws, kP, 4 * deviation);
}

TEST_F(DropoutTest, MasksAreAFunctionOfSeedAndStep) {
  ThreadPool three(3);
  const auto a = MakeModel(2, 0.5f, 0.5f, &pool_), b = MakeModel(2, 0.5f, 0.5f, &three);
  const DropoutPosition here = {5, 17}, next = {5, 18}, other = {6, 17};
  const std::vector<float> first = Logits(a.get(), &here);
  const std::vector<float> after = Logits(a.get(), &next);
  EXPECT_FALSE(SameBits(first, after));
  EXPECT_FALSE(SameBits(first, Logits(a.get(), &other)));
  // Whatever was drawn before, and by how many threads.
  EXPECT_TRUE(SameBits(first, Logits(a.get(), &here)));
  EXPECT_TRUE(SameBits(first, Logits(b.get(), &here)));
}

}  // namespace
}  // namespace earshot
