// The losses as their users see them: packed batches, labels checked, reductions, threads.
#include "losses/loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/testing/complex_step.h"
#include "base/testing/near.h"

namespace earshot {
namespace {

using LabelRows = std::vector<std::vector<int32_t>>;

LossConfig Config(LossConfig::Kind kind, LossConfig::Reduction reduction = LossConfig::MEAN_UTTERANCE) {
  LossConfig config;
  config.set_kind(kind);
  config.set_reduction(reduction);
  return config;
}

Ragged<int32_t> ToRagged(const LabelRows& rows) {
  Ragged<int32_t> labels;
  for (const auto& row : rows) labels.AddRow(row);
  return labels;
}

struct Result {
  absl::Status status;
  std::vector<float> losses;
  Tensor<float, 2> dlogits;
};

Result Compute(const LossConfig& config, const std::vector<int32_t>& lengths, const std::vector<float>& logits,
               const LabelRows& labels, float scale = 1, ThreadPool* pool = nullptr) {
  const Packing packing = Packing::CreateOrDie(lengths);
  const int64_t classes = static_cast<int64_t>(logits.size()) / packing.rows();
  Result r;
  r.losses.assign(packing.batch(), 77);
  r.dlogits.Resize({packing.rows(), classes});
  r.dlogits.Fill(77);
  absl::StatusOr<std::unique_ptr<Loss>> loss = CreateLoss(config, static_cast<int>(classes), pool);
  EXPECT_TRUE(loss.ok()) << loss.status();
  r.status = (*loss)->Compute(TensorView<const float, 2>(logits.data(), {packing.rows(), classes}), packing,
                              ToRagged(labels), scale, absl::MakeSpan(r.losses), r.dlogits.view());
  return r;
}

std::vector<double> Doubles(absl::Span<const float> x) { return {x.begin(), x.end()}; }

std::vector<float> RandomLogits(int n) {
  RandomStream random(1, RandomPurpose::kTest);
  std::vector<float> x(n);
  for (float& v : x) v = random.Uniform(-3, 3);
  return x;
}

// Time-major rows of two utterances of 4 and 2 frames: frame 0 of both, frame 1 of both, frame 2, frame 3.
TEST(CtcTest, PackedBatch) {
  const Result r = Compute(Config(LossConfig::CTC), {4, 2},
                           {-0.4806f, 0.623f, 0.1735f, 0.8517f, -0.923f, -0.5357f, 0.274f, 0.0507f, 0.0788f, -0.8277f,
                            -0.052f, 0.0222f, -0.5953f, 0.892f, 0.8694f, 0.1953f, 0.4766f, 0.3623f},
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
  const Result r = Compute(Config(LossConfig::CTC), {4, 3}, logits, {{1, 2}, {3}});
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
  const Result r = Compute(Config(LossConfig::CTC), {3, 2}, logits, {{1, 2}, {1, 1}});
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
    const Result r = Compute(Config(LossConfig::CTC), {6, 6}, logits, c.labels);
    EXPECT_EQ(r.status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(r.status.message(), c.message);
  }
}

TEST(LossTest, LengthsWithoutMeaningAreNamed) {
  const absl::StatusOr<Packing> negative = Packing::Create({5, -1});
  EXPECT_EQ(negative.status().message(), "utterance 1 of the batch: length -1, expected at least 1 frame");
  // More frames than there are rows can only be a programmer's mistake.
  const std::vector<float> logits(5 * 2);
  Tensor<float, 2> dlogits({5, 2});
  std::vector<float> losses(1);
  auto loss = CreateLoss(Config(LossConfig::CTC), 2, nullptr);
  EXPECT_DEATH((void)(*loss)->Compute(TensorView<const float, 2>(logits.data(), {5, 2}), Packing::CreateOrDie({6}),
                                      ToRagged({{1}}), 1, absl::MakeSpan(losses), dlogits.view()),
               "against 6");
}

TEST(LossTest, SameBitsForAnyNumberOfThreads) {
  std::vector<int32_t> lengths;
  LabelRows transcripts, frame_labels, last_labels;
  for (int b = 0; b < 13; ++b) {
    lengths.push_back(60 - 3 * b);
    transcripts.push_back(std::vector<int32_t>(b, 1 + b % 4));
    frame_labels.push_back(std::vector<int32_t>(lengths.back(), b % 5));
    last_labels.push_back({b % 5});
  }
  const std::vector<float> logits = RandomLogits(5 * static_cast<int>(Packing::CreateOrDie(lengths).rows()));
  for (LossConfig::Kind kind :
       {LossConfig::CTC, LossConfig::CROSS_ENTROPY_FRAME, LossConfig::CROSS_ENTROPY_LAST_FRAME}) {
    const LabelRows& labels = kind == LossConfig::CTC                   ? transcripts
                              : kind == LossConfig::CROSS_ENTROPY_FRAME ? frame_labels
                                                                        : last_labels;
    const Result alone = Compute(Config(kind), lengths, logits, labels, 0.5f);
    ASSERT_TRUE(alone.status.ok()) << alone.status;
    for (int threads : {1, 2, 3, 8, 20}) {
      ThreadPool pool(threads);
      const Result r = Compute(Config(kind), lengths, logits, labels, 0.5f, &pool);
      EXPECT_TRUE(SameBits(r.losses, alone.losses));
      EXPECT_TRUE(SameBits(r.dlogits.span(), alone.dlogits.span()));
    }
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
    const Result fresh = Compute(Config(LossConfig::CTC), c.lengths, x, c.labels);
    EXPECT_TRUE(SameBits(losses, fresh.losses));
    EXPECT_TRUE(SameBits(dlogits.span(), fresh.dlogits.span()));
  }
}

TEST(CrossEntropyTest, UniformAndCertainFrames) {
  // log 4 for each judged frame; the third is ignored.
  const Result uniform =
      Compute(Config(LossConfig::CROSS_ENTROPY_FRAME), {3}, std::vector<float>(12, 5.0f), {{1, 3, -1}});
  ASSERT_TRUE(uniform.status.ok()) << uniform.status;
  EXPECT_NEAR(uniform.losses[0], 2 * std::log(4.0), 1e-6);
  EXPECT_EQ(Doubles(uniform.dlogits.span()),
            (std::vector<double>{0.25, -0.75, 0.25, 0.25, 0.25, 0.25, 0.25, -0.75, 0, 0, 0, 0}));
  // log(1 + e^-30), where the naive form gives 0.
  const Result certain = Compute(Config(LossConfig::CROSS_ENTROPY_FRAME), {1}, {30, 0}, {{0}});
  EXPECT_NEAR(certain.losses[0], std::exp(-30.0), 1e-18);
  EXPECT_NEAR(certain.dlogits.data()[0], -std::exp(-30.0), 1e-18);
  const Result wrong = Compute(Config(LossConfig::CROSS_ENTROPY_FRAME), {1}, {3e38f, -3e38f}, {{1}});
  EXPECT_EQ(wrong.losses[0], std::numeric_limits<float>::infinity());  // 6e38 is no float
  EXPECT_EQ(Doubles(wrong.dlogits.span()), (std::vector<double>{1, -1}));
}

template <typename S>
S SumOfFrames(const std::vector<S>& logits, int classes, const std::vector<int32_t>& labels) {
  S loss(0);
  for (size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] < 0) continue;
    S sum(0);
    for (int c = 0; c < classes; ++c) sum += std::exp(logits[row * classes + c]);
    loss += std::log(sum) - logits[row * classes + labels[row]];
  }
  return loss;
}

TEST(CrossEntropyTest, GradientEqualsComplexStep) {
  const std::vector<int32_t> lengths = {4, 2, 1}, labels_of_rows = {2, 0, 1, 0, -1, 2, 1};
  const LabelRows labels = {{2, 0, 2, 1}, {0, -1}, {1}};
  const std::vector<float> logits = RandomLogits(7 * 3);
  const Result r = Compute(Config(LossConfig::CROSS_ENTROPY_FRAME), lengths, logits, labels, 0.25f);
  const auto f = [&](const std::vector<std::complex<double>>& z) { return 0.25 * SumOfFrames(z, 3, labels_of_rows); };
  EXPECT_TRUE(AllClose(Doubles(r.dlogits.span()), ComplexStepGradient(f, Doubles(logits)), 0, 1e-7));
  EXPECT_NEAR(r.losses[0] + r.losses[1] + r.losses[2], SumOfFrames(Doubles(logits), 3, labels_of_rows), 1e-5);
}

TEST(CrossEntropyTest, LastFrameOfEachUtterance) {
  const std::vector<int32_t> lengths = {3, 2, 1};
  const std::vector<int32_t> labels_of_rows = {-1, -1, 2, -1, 1, 0};  // rows: t0 b0 b1 b2, t1 b0 b1, t2 b0
  const std::vector<float> logits = RandomLogits(6 * 3);
  const Result r = Compute(Config(LossConfig::CROSS_ENTROPY_LAST_FRAME), lengths, logits, {{0}, {1}, {2}});
  ASSERT_TRUE(r.status.ok()) << r.status;
  const auto f = [&](const std::vector<std::complex<double>>& z) { return SumOfFrames(z, 3, labels_of_rows); };
  const std::vector<double> gradient = ComplexStepGradient(f, Doubles(logits));
  EXPECT_TRUE(AllClose(Doubles(r.dlogits.span()), gradient, 0, 1e-6));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(r.dlogits.data()[i], 0.0f);
  EXPECT_NEAR(r.losses[0] + r.losses[1] + r.losses[2], SumOfFrames(Doubles(logits), 3, labels_of_rows), 1e-5);
}

TEST(CrossEntropyTest, LabelsWithoutMeaningAreNamed) {
  const std::vector<float> logits(5 * 3, 0.0f);
  struct Case {
    LossConfig::Kind kind;
    LabelRows labels;
    std::string message;
  };
  const std::vector<Case> cases = {
      {LossConfig::CROSS_ENTROPY_FRAME,
       {{0, 1, 2}, {0}},
       "utterance 1 of the batch: 1 labels, expected 2 (one a frame)"},
      {LossConfig::CROSS_ENTROPY_FRAME,
       {{0, 1, 3}, {0, 0}},
       "utterance 0 of the batch: label 2 is 3, expected -1 to 2"},
      {LossConfig::CROSS_ENTROPY_FRAME,
       {{0, 1, -2}, {0, 0}},
       "utterance 0 of the batch: label 2 is -2, expected -1 to 2"},
      {LossConfig::CROSS_ENTROPY_LAST_FRAME,
       {{0}, {0, 1}},
       "utterance 1 of the batch: 2 labels, expected 1 (one an utterance)"},
      {LossConfig::CROSS_ENTROPY_LAST_FRAME,
       {{0}, {}},
       "utterance 1 of the batch: 0 labels, expected 1 (one an utterance)"},
      {LossConfig::CROSS_ENTROPY_LAST_FRAME, {{0}, {-1}}, "utterance 1 of the batch: label 0 is -1, expected 0 to 2"},
      {LossConfig::CROSS_ENTROPY_LAST_FRAME, {{0}}, "labels of 1 utterances, expected 2"},
  };
  for (const Case& c : cases) {
    const Result r = Compute(Config(c.kind), {3, 2}, logits, c.labels);
    EXPECT_EQ(r.status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(r.status.message(), c.message);
  }
}

TEST(CrossEntropyTest, LogitsThatAreNotFiniteMakeTheLossNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
    for (int at = 0; at < 6; ++at) {
      std::vector<float> logits = RandomLogits(6);
      logits[at] = bad;
      EXPECT_TRUE(std::isnan(Compute(Config(LossConfig::CROSS_ENTROPY_FRAME), {2}, logits, {{0, 1}}).losses[0]));
      const Result unscaled = Compute(Config(LossConfig::CROSS_ENTROPY_FRAME), {2}, logits, {{0, 1}}, 0);
      EXPECT_EQ(Doubles(unscaled.dlogits.span()), std::vector<double>(6, 0.0));
    }
  }
}

TEST(ReductionTest, EachNameHasItsNumber) {
  const Result r =
      Compute(Config(LossConfig::CTC), {6, 4, 3},
              // Frame by frame: utterances of 6 ("2 1 2"), 4 ("1 1") and 3 frames ("1").
              {-0.5116f, -0.6333f, -0.6032f, -0.5108f, -0.4519f, 0.7662f,  -0.5124f, -0.8147f, 0.0274f,  -0.1096f,
               -0.2403f, -0.3525f, -0.0355f, -0.9073f, -0.8571f, -0.1836f, 0.4268f,  0.152f,   -0.209f,  0.7585f,
               -0.6184f, 0.6531f,  0.5908f,  0.399f,   0.9289f,  0.9262f,  0.3642f,  0.5764f,  -0.3501f, -0.7628f,
               0.6913f,  0.5574f,  0.6069f,  -0.7442f, 0.7466f,  0.6032f,  -0.3945f, 0.8479f,  0.2618f},
              {{2, 1, 2}, {1, 1}, {1}});
  EXPECT_TRUE(AllClose(Doubles(r.losses), {2.34165241511, 3.10985665851, 1.53081149265}, 1e-5, 0));
  const double sum = static_cast<double>(r.losses[0]) + r.losses[1] + r.losses[2];
  struct Case {
    LossConfig::Reduction reduction;
    double mean;
  };
  for (const Case& c :
       {Case{LossConfig::SUM, 6.98232056627}, Case{LossConfig::MEAN_UTTERANCE, 2.32744018876},
        Case{LossConfig::MEAN_LABEL, 6.98232056627 / 6}, Case{LossConfig::MEAN_FRAME, 0.537101582021}}) {
    const LossConfig config = Config(LossConfig::CTC, c.reduction);
    auto loss = CreateLoss(config, 3, nullptr);
    const double count = (*loss)->Count(6, {2, 1, 2}) + (*loss)->Count(4, {1, 1}) + (*loss)->Count(3, {1});
    EXPECT_NEAR(sum / Denominator(config, count), c.mean, 1e-5);
  }
}

// Sums over counts do not care how a batch is cut; means of means would give 4.5 and 4.
TEST(ReductionTest, SumsOverCountsForAnyCut) {
  const LossConfig config = Config(LossConfig::CROSS_ENTROPY_FRAME, LossConfig::MEAN_FRAME);
  auto loss = CreateLoss(config, 2, nullptr);
  const std::vector<int32_t> lengths = {3, 10, 2};
  double count = 0;
  for (int32_t n : lengths) count += (*loss)->Count(n, std::vector<int32_t>(n, 1));
  EXPECT_NEAR((12.0 + 80 + 3) / Denominator(config, count), 6.33333333333, 1e-9);
  // A last small batch weighs as little as it is: (2*500 + 1*1500 + 9*20) / 2020 frames.
  count = 0;
  for (int32_t n : {500, 1500, 20}) count += (*loss)->Count(n, std::vector<int32_t>(n, 0));
  EXPECT_NEAR((2.0 * 500 + 1.0 * 1500 + 9.0 * 20) / Denominator(config, count), 1.3267327, 1e-7);
}

TEST(ReductionTest, NothingToLearnIsZeroOfZero) {
  const std::vector<float> logits = {1, 2, 3, 0.5f, 0.1f, 0};
  const Result r = Compute(Config(LossConfig::CROSS_ENTROPY_FRAME), {2}, logits, {{-1, -1}});
  ASSERT_TRUE(r.status.ok()) << r.status;
  EXPECT_EQ(r.losses[0], 0.0f);
  EXPECT_EQ(Doubles(r.dlogits.span()), std::vector<double>(6, 0.0));
  const LossConfig config = Config(LossConfig::CROSS_ENTROPY_FRAME, LossConfig::MEAN_FRAME);
  auto loss = CreateLoss(config, 3, nullptr);
  EXPECT_EQ(Denominator(config, (*loss)->Count(2, {-1, -1})), 0.0);
  EXPECT_EQ((*loss)->Count(3, {-1, 2, 0}), 2.0);
}

TEST(CreateLossTest, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(CreateLoss(Config(LossConfig::CTC), 1, nullptr).status().message(), "CTC: 1 classes, expected at least 2");
  EXPECT_EQ(CreateLoss(Config(LossConfig::CROSS_ENTROPY_FRAME), 0, nullptr).status().message(),
            "CROSS_ENTROPY_FRAME: 0 classes, expected at least 1");
  EXPECT_TRUE(ValidateLossConfig(LossConfig()).ok());
}

}  // namespace
}  // namespace earshot
