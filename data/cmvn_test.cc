#include "data/cmvn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/textproto.h"

namespace earshot {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

using Matrix = Tensor<float, 2>;

Matrix MakeMatrix(const std::vector<std::vector<float>>& rows) {
  Matrix matrix({static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows[0].size())});
  for (size_t i = 0; i < rows.size(); ++i) std::copy(rows[i].begin(), rows[i].end(), matrix.view().row(i).begin());
  return matrix;
}

Matrix SixFrames() {
  return MakeMatrix({{2.5504, 2.8793, 3.9501},
                     {2.8130, 3.3943, 2.2812},
                     {3.7569, 2.3430, 3.7760},
                     {2.7682, 3.2460, 3.8072},
                     {2.5536, 2.0374, 2.1355},
                     {3.1807, 2.3526, 3.6938}});
}

Normalizer MakeNormalizer(const std::string& text) {
  FeatureConfig config;
  EXPECT_TRUE(ParseTextproto(text, "test", &config).ok());
  return Normalizer(config);
}

// FEAT-17: statistics of the six real frames, as computed by hand.
TEST(Cmvn, UtteranceStatistics) {
  MomentAccumulator moments;
  moments.Add(SixFrames().view());
  const double mean[] = {2.93713333333, 2.70876666667, 3.27396666667};
  const double deviation[] = {0.422679972188, 0.499838369431, 0.758450566762};
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(moments.mean()[d], mean[d], 1e-7);
    EXPECT_NEAR(std::sqrt(moments.Variance()[d]), deviation[d], 1e-7);
  }
  Matrix features = SixFrames();
  ASSERT_TRUE(MakeNormalizer("normalization: UTTERANCE").Apply("", features.view()).ok());
  const double first[] = {-0.914955424387, 0.341176955918, 0.891466580636};
  for (int d = 0; d < 3; ++d) EXPECT_NEAR(features.view()(0, d), first[d], 1e-6);
}

// FEAT-16: a constant dimension and one whose deviation is a ten-millionth of its mean (five float steps wide).
TEST(Cmvn, ConstantAndNearlyConstantDimensions) {
  Matrix features = MakeMatrix({{5, 10000}, {5, 10000.001}, {5, 9999.999}, {5, 10000}});
  MomentAccumulator moments;
  moments.Add(features.view());
  EXPECT_EQ(moments.Variance()[0], 0);
  // Single precision holds 10000.001 as 10000 + 1/1024.
  EXPECT_NEAR(moments.Variance()[1], 0.5 / 1024 / 1024, 1e-12);
  ASSERT_TRUE(MakeNormalizer("normalization: UTTERANCE").Apply("", features.view()).ok());
  for (int t = 0; t < 4; ++t) {
    EXPECT_EQ(features.view()(t, 0), 0);
    EXPECT_TRUE(std::isfinite(features.view()(t, 1)));
  }
  EXPECT_NEAR(features.view()(1, 1), std::sqrt(2), 1e-5);
}

TEST(Cmvn, SingleFrameBecomesZero) {
  for (const char* variance : {"true", "false"}) {
    Matrix features = MakeMatrix({{1, 2}});
    const std::string config = std::string("normalization: UTTERANCE normalize_variance: ") + variance;
    ASSERT_TRUE(MakeNormalizer(config).Apply("", features.view()).ok());
    EXPECT_THAT(features.span(), ElementsAre(0, 0));
  }
}

// Digital silence: every frame has the logarithm's floor.
TEST(Cmvn, SilenceBecomesZero) {
  Matrix features({50, 41});
  features.Fill(-15.942385f);
  ASSERT_TRUE(MakeNormalizer("normalization: UTTERANCE").Apply("", features.view()).ok());
  EXPECT_THAT(features.span(), Each(0));
}

// A dimension that was constant in training must not blow up on data where it is not.
TEST(Cmvn, ConstantInTrainingStaysFiniteElsewhere) {
  Normalizer normalizer = MakeNormalizer("normalization: GLOBAL");
  normalizer.Accumulate("", MakeMatrix({{1, 7}, {3, 7}}).view());
  Matrix other = MakeMatrix({{4, 8}});
  ASSERT_TRUE(normalizer.Apply("", other.view()).ok());
  EXPECT_THAT(other.span(), ElementsAre(2, 0));
}

TEST(Cmvn, LargeOffsetDoesNotCancel) {
  // Mean 1e6, deviation 1 over 10^5 frames: E[x^2] - E[x]^2 in single precision would be noise.
  Matrix features({100000, 1});
  for (int64_t t = 0; t < features.dim(0); ++t) features.view()(t, 0) = 1e6f + (t % 2 == 0 ? 1 : -1);
  MomentAccumulator moments;
  moments.Add(features.view());
  EXPECT_NEAR(moments.mean()[0], 1e6, 1e-6);
  EXPECT_NEAR(moments.Variance()[0], 1, 1e-9);
}

TEST(Cmvn, GlobalEqualsOnePassOverAllUtterancesAndCanBeStored) {
  Normalizer normalizer = MakeNormalizer("normalization: GLOBAL");
  Matrix a = MakeMatrix({{1, 10}, {2, 20}}), b = MakeMatrix({{6, 30}});
  normalizer.Accumulate("x", a.view());
  normalizer.Accumulate("y", b.view());
  const absl::StatusOr<NormalizationStats> stats = normalizer.Global();
  ASSERT_TRUE(stats.ok());
  EXPECT_THAT(stats->mean, ElementsAre(3, 20));
  EXPECT_NEAR(stats->inverse_deviation[0], 1 / std::sqrt(14.0 / 3), 1e-6);

  Normalizer restored = MakeNormalizer("normalization: GLOBAL");
  restored.SetGlobal(*stats);
  Matrix c = MakeMatrix({{1, 10}, {2, 20}});
  ASSERT_TRUE(normalizer.Apply("x", a.view()).ok());
  ASSERT_TRUE(restored.Apply("anyone", c.view()).ok());
  EXPECT_EQ(std::vector<float>(a.span().begin(), a.span().end()), std::vector<float>(c.span().begin(), c.span().end()));
}

TEST(Cmvn, SpeakersAreNormalisedApart) {
  Normalizer normalizer = MakeNormalizer("normalization: SPEAKER normalize_variance: false");
  Matrix low = MakeMatrix({{1}, {3}}), high = MakeMatrix({{101}, {105}});
  normalizer.Accumulate("ann", low.view());
  normalizer.Accumulate("bob", high.view());
  ASSERT_TRUE(normalizer.Apply("ann", low.view()).ok());
  ASSERT_TRUE(normalizer.Apply("bob", high.view()).ok());
  EXPECT_THAT(low.span(), ElementsAre(-1, 1));
  EXPECT_THAT(high.span(), ElementsAre(-2, 2));
}

TEST(Cmvn, ErrorsNameWhatIsMissing) {
  Matrix features = MakeMatrix({{1, 2}});
  EXPECT_THAT(MakeNormalizer("normalization: SPEAKER").Apply("carol", features.view()).message(), HasSubstr("carol"));
  EXPECT_EQ(MakeNormalizer("normalization: GLOBAL").Apply("", features.view()).code(),
            absl::StatusCode::kFailedPrecondition);
  Normalizer other = MakeNormalizer("normalization: GLOBAL");
  other.SetGlobal({{1, 2, 3}, {1, 1, 1}});
  EXPECT_THAT(other.Apply("", features.view()).message(), HasSubstr("3 dimensions; 2 expected"));
}

TEST(Cmvn, NoneAndNoFramesChangeNothing) {
  Matrix features = MakeMatrix({{1, 2}});
  ASSERT_TRUE(MakeNormalizer("normalization: NONE").Apply("", features.view()).ok());
  EXPECT_THAT(features.span(), ElementsAre(1, 2));
  Matrix nothing({0, 2});
  for (const char* kind : {"NONE", "UTTERANCE", "SPEAKER", "GLOBAL"}) {
    EXPECT_TRUE(MakeNormalizer(std::string("normalization: ") + kind).Apply("", nothing.view()).ok()) << kind;
  }
}

}  // namespace
}  // namespace earshot
