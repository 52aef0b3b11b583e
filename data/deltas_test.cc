#include "data/deltas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace earshot {
namespace {

using testing::Each;
using testing::FloatNear;
using testing::Pointwise;

// One static dimension, its delta and its delta-delta.
struct Derivatives {
  std::vector<float> first, second;
};

Derivatives Differentiate(const std::vector<float>& x, DeltaEdges edges = DeltaEdges::kKaldi) {
  Tensor<float, 2> features({static_cast<int64_t>(x.size()), 3});
  for (size_t t = 0; t < x.size(); ++t) features.view()(t, 0) = x[t];
  AppendDeltas(2, 2, edges, features.view());
  Derivatives derivatives;
  for (size_t t = 0; t < x.size(); ++t) {
    EXPECT_EQ(features.view()(t, 0), x[t]) << "statics stay";
    derivatives.first.push_back(features.view()(t, 1));
    derivatives.second.push_back(features.view()(t, 2));
  }
  return derivatives;
}

void ExpectEqual(const std::vector<float>& actual, const std::vector<float>& expected) {
  EXPECT_THAT(actual, Pointwise(FloatNear(1e-5), expected));
}

// FEAT-10, by hand: weights [-2 -1 0 1 2] / 10, and [4 4 1 -4 -10 -4 1 4 4] / 100 with copies of the edge frames.
TEST(Deltas, Ramp) {
  const Derivatives d = Differentiate({0, 1, 2, 3, 4, 5, 6, 7});
  ExpectEqual(d.first, {0.5, 0.8, 1, 1, 1, 1, 0.8, 0.5});
  // The delta of the deltas would begin 0.13, 0.15.
  ExpectEqual(d.second, {0.26, 0.21, 0.12, 0.04, -0.04, -0.12, -0.21, -0.26});
}

TEST(Deltas, HtkDifferentiatesTheDeltas) {
  const Derivatives d = Differentiate({0, 1, 2, 3, 4, 5, 6, 7}, DeltaEdges::kHtk);
  ExpectEqual(d.first, {0.5, 0.8, 1, 1, 1, 1, 0.8, 0.5});
  ExpectEqual(d.second, {0.13, 0.15, 0.12, 0.04, -0.04, -0.12, -0.15, -0.13});
  const Derivatives impulse = Differentiate({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}, DeltaEdges::kHtk);
  ExpectEqual(impulse.second, {0, 0.04, 0.04, 0.01, -0.04, -0.1, -0.04, 0.01, 0.04, 0.04, 0});
}

TEST(Deltas, Impulse) {
  const Derivatives d = Differentiate({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
  ExpectEqual(d.first, {0, 0, 0, 0.2, 0.1, 0, -0.1, -0.2, 0, 0, 0});
  ExpectEqual(d.second, {0, 0.04, 0.04, 0.01, -0.04, -0.1, -0.04, 0.01, 0.04, 0.04, 0});
}

// FEAT-12: slopes of 3t + 2 and t^2 are 3 and 2t, their second derivatives 0 and 2, away from the edges.
TEST(Deltas, SlopesHaveTheRightDenominator) {
  std::vector<float> line, square;
  for (int t = 0; t < 12; ++t) {
    line.push_back(3 * t + 2);
    square.push_back(t * t);
  }
  const Derivatives a = Differentiate(line), b = Differentiate(square);
  ExpectEqual(a.first, {1.5, 2.4, 3, 3, 3, 3, 3, 3, 3, 3, 2.4, 1.5});
  ExpectEqual(a.second, {0.78, 0.63, 0.36, 0.12, 0, 0, 0, 0, -0.12, -0.36, -0.63, -0.78});
  ExpectEqual(b.first, {0.9, 2.2, 4, 6, 8, 10, 12, 14, 16, 18, 15.4, 10.1});
  ExpectEqual(b.second, {1, 1.47, 1.8, 1.96, 2, 2, 2, 2, 1.08, -0.84, -3.15, -4.72});
}

// FEAT-11: what differs between columns but not between frames has no derivative.
TEST(Deltas, RunAlongTime) {
  Tensor<float, 2> features({6, 15});
  for (int t = 0; t < 6; ++t) {
    for (int d = 0; d < 5; ++d) features.view()(t, d) = d * d;
  }
  AppendDeltas(2, 2, DeltaEdges::kKaldi, features.view());
  for (int t = 0; t < 6; ++t) EXPECT_THAT(features.view().row(t).subspan(5), Each(FloatNear(0, 1e-5)));
}

TEST(Deltas, OneFrameHasNoSlope) {
  const Derivatives d = Differentiate({7});
  ExpectEqual(d.first, {0});
  ExpectEqual(d.second, {0});
}

TEST(Deltas, OtherWindow) {
  Tensor<float, 2> features({5, 2});
  for (int t = 0; t < 5; ++t) features.view()(t, 0) = t * t;
  AppendDeltas(1, 1, DeltaEdges::kKaldi, features.view());  // (x[t+1] - x[t-1]) / 2
  const float expected[] = {0.5, 2, 4, 6, 3.5};
  for (int t = 0; t < 5; ++t) EXPECT_FLOAT_EQ(features.view()(t, 1), expected[t]);
}

TEST(Deltas, NothingToDo) {
  Tensor<float, 2> none({0, 123}), statics({2, 3});
  AppendDeltas(2, 2, DeltaEdges::kKaldi, none.view());
  statics.Fill(4);
  AppendDeltas(0, 2, DeltaEdges::kKaldi, statics.view());
  EXPECT_THAT(statics.span(), Each(4));
}

}  // namespace
}  // namespace earshot
