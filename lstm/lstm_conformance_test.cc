// Every row of the registry against the definition in double precision. A row for the CPU cannot be skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "base/testing/near.h"
#include "lstm/registry.h"
#include "lstm/rows_here.h"
#include "lstm/testing/conformance.h"

namespace earshot {

namespace {

class Conformance : public testing::TestWithParam<LstmImplementation> {
 protected:
  std::unique_ptr<Lstm> Create(const LstmLevelConfig& config, ThreadPool* pool, PhaseTimer* phases = nullptr) {
    absl::StatusOr<std::unique_ptr<Lstm>> lstm = CreateLstm(GetParam().name, config, {pool, phases});
    CHECK(lstm.ok()) << lstm.status();
    return *std::move(lstm);
  }
  double factor() const { return GetParam().tolerance_factor; }
};

const LstmCase kRagged = {"ragged", {6, 37, 2, true, true}, {12, 11, 11, 6, 3, 1}};
// Large enough that a step is cut among threads.
const LstmCase kWide = {"wide", {24, 80, 1}, {9, 9, 9, 9, 9, 8, 8, 8, 7, 7, 6, 6, 5, 2, 1, 1}};

TEST_P(Conformance, EveryCaseWithAnyNumberOfThreads) {
  for (int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    for (const LstmCase& c : ConformanceCases()) {
      const LstmData data = MakeData(c);
      EXPECT_TRUE(Conforms(c, RunLstm(Create(c.config, &pool).get(), c, data), Truth(c, data), factor()))
          << threads << " threads";
    }
  }
}

TEST_P(Conformance, ARealisticSize) {
  const LstmCase c = {"123 -> 320", {123, 320, 1}, {50, 48, 44, 40, 37, 31, 30, 26}};
  const LstmData data = MakeData(c);
  ThreadPool pool(2);
  EXPECT_TRUE(Conforms(c, RunLstm(Create(c.config, &pool).get(), c, data), Truth(c, data), factor()));
}

TEST_P(Conformance, ARerunGivesTheSameBits) {
  for (const LstmCase& c : {kRagged, kWide}) {
    const LstmData data = MakeData(c);
    for (int threads : {1, 2, 4}) {
      ThreadPool pool(threads);
      const std::unique_ptr<Lstm> lstm = Create(c.config, &pool);
      const LstmResults<float> first = RunLstm(lstm.get(), c, data);
      EXPECT_TRUE(SameResults(RunLstm(lstm.get(), c, data), first)) << "the same object, " << threads << " threads";
      EXPECT_TRUE(SameResults(RunLstm(Create(c.config, &pool).get(), c, data), first)) << "another object";
    }
  }
}

TEST_P(Conformance, TheWorkspaceServesOtherShapesAndForgetsGarbage) {
  ThreadPool pool(2);
  LstmCase c = kRagged;
  const std::unique_ptr<Lstm> reused = Create(c.config, &pool);
  LstmData nan = MakeData(c);  // leaves NaN in every buffer of the object
  for (float& x : nan.x) x = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<int32_t>& lengths :
       std::vector<std::vector<int32_t>>{{12, 11, 11, 6, 3, 1}, {2, 1}, {30, 4}, {1, 1, 1, 1, 1, 1, 1, 1}, {5}}) {
    c.lengths = kRagged.lengths;
    RunLstm(reused.get(), c, nan);
    c.lengths = lengths;
    const LstmData data = MakeData(c);
    EXPECT_TRUE(SameResults(RunLstm(reused.get(), c, data), RunLstm(Create(c.config, &pool).get(), c, data)))
        << lengths.size() << " utterances";
  }
}

// A NaN reaches every later output of its own utterance, so that nobody trains on it unseen, and nothing else.
TEST_P(Conformance, NanStaysVisible) {
  ThreadPool pool(2);
  const LstmCase c = {"nan", {6, 37, 1}, {9, 8, 8, 3}};
  const Packing packing = Packing::CreateOrDie(c.lengths);
  const LstmData data = MakeData(c);
  LstmData with_nan = data;
  with_nan.x[packing.row(4, 1) * 6 + 2] = std::numeric_limits<float>::quiet_NaN();
  const LstmResults<float> clean = RunLstm(Create(c.config, &pool).get(), c, data);
  const LstmResults<float> actual = RunLstm(Create(c.config, &pool).get(), c, with_nan);
  for (int b = 0; b < packing.batch(); ++b) {
    for (int t = 0; t < c.lengths[b]; ++t) {
      const absl::Span<const float> h = absl::MakeConstSpan(actual.y).subspan(packing.row(t, b) * 37, 37);
      if (b == 1 && t >= 4) {
        for (float v : h) EXPECT_TRUE(std::isnan(v)) << "utterance " << b << ", frame " << t;
      } else {
        EXPECT_TRUE(SameBits(h, absl::MakeConstSpan(clean.y).subspan(packing.row(t, b) * 37, 37)));
      }
    }
  }
  for (float g : actual.dparams) EXPECT_TRUE(std::isnan(g));
}

// Gates far in saturation: finite, and right to rounding.
TEST_P(Conformance, SaturatedGates) {
  ThreadPool pool(2);
  LstmData data = MakeData(kRagged);
  for (float& x : data.x) x *= 1000;
  const LstmResults<float> actual = RunLstm(Create(kRagged.config, &pool).get(), kRagged, data);
  const LstmResults<double> expected = Truth(kRagged, data);
  // The pre-activations are of the size 1000, and so is their rounding.
  EXPECT_TRUE(AllNear(actual.y, expected.y, 6, factor(), 1000));
  EXPECT_TRUE(AllNear(actual.c_final, expected.c_final, 6, factor(), 1000));
  for (float g : actual.dparams) ASSERT_TRUE(std::isfinite(g));
}

TEST_P(Conformance, GradientsAddUp) {
  ThreadPool pool(2);
  const LstmData data = MakeData(kRagged);
  LstmResults<double> expected = Truth(kRagged, data);
  for (double& g : expected.dparams) g += 0.5;
  const LstmResults<float> actual = RunLstm(Create(kRagged.config, &pool).get(), kRagged, data, {true, 0.5f});
  EXPECT_TRUE(Conforms(kRagged, actual, expected, factor()));
}

TEST_P(Conformance, TheGradientToTheInputMayBeLeftOut) {
  ThreadPool pool(2);
  const LstmData data = MakeData(kRagged);
  const std::unique_ptr<Lstm> lstm = Create(kRagged.config, &pool);
  LstmResults<float> with = RunLstm(lstm.get(), kRagged, data);
  with.dx.clear();
  EXPECT_TRUE(SameResults(RunLstm(lstm.get(), kRagged, data, {false, 0}), with));
}

TEST_P(Conformance, GradientsOfLastFramesAloneAreZeroElsewhere) {
  ThreadPool pool(2);
  const LstmCase masked = {"masked", {7, 21, 2, true}, {9, 9, 4, 1, 1}, true, true},
                 short_ones = {"short", {6, 9, 2}, {1, 1}};
  for (const LstmCase& c : {kRagged, kWide, masked, short_ones}) {
    LstmData data = MakeData(c);
    KeepLastFrames(c, &data);
    const std::unique_ptr<Lstm> lstm = Create(c.config, &pool);
    const LstmResults<float> last = RunLstm(lstm.get(), c, data, {true, 0, true});
    EXPECT_TRUE(Conforms(c, last, Truth(c, data), factor()));
    EXPECT_TRUE(SameResults(RunLstm(lstm.get(), c, data), last)) << c.name;
  }
}

TEST_P(Conformance, BatchMatesDoNotMatter) {
  ThreadPool pool(2);
  const LstmData data = MakeData(kRagged);
  const Packing packing = Packing::CreateOrDie(kRagged.lengths);
  const LstmResults<double> whole = Truth(kRagged, data);
  const int64_t i = kRagged.config.input_size, width = kRagged.config.directions * kRagged.config.hidden_size;
  for (int b = 0; b < packing.batch(); ++b) {
    LstmCase alone;
    const LstmData alone_data = Alone(kRagged, data, b, &alone);
    const LstmResults<float> actual = RunLstm(Create(alone.config, &pool).get(), alone, alone_data);
    for (int t = 0; t < kRagged.lengths[b]; ++t) {
      const int64_t row = packing.row(t, b);
      EXPECT_TRUE(AllNear(absl::MakeConstSpan(actual.y).subspan(t * width, width),
                          absl::MakeConstSpan(whole.y).subspan(row * width, width), i + width, factor(), 1));
      EXPECT_TRUE(AllNear(absl::MakeConstSpan(actual.dx).subspan(t * i, i),
                          absl::MakeConstSpan(whole.dx).subspan(row * i, i), 4 * width, factor(), 1));
    }
  }
}

TEST_P(Conformance, ChunksWithCarriedStateEqualTheWhole) {
  ThreadPool pool(2);
  const LstmCase c = {"stream", {5, 21, 1, true}, {11, 8, 7, 3, 2}};
  const LstmData data = MakeData(c);
  const LstmResults<double> whole = Truth(c, data);
  const Packing packing = Packing::CreateOrDie(c.lengths);
  const std::unique_ptr<Lstm> lstm = Create(c.config, &pool);
  const int64_t h = c.config.hidden_size, i = c.config.input_size;
  LstmState state, next;
  constexpr int kChunk = 3;
  for (int start = 0; start < packing.steps(); start += kChunk) {
    std::vector<int32_t> lengths;
    for (int b = 0; b < packing.batch_sizes()[start]; ++b) {
      lengths.push_back(std::min(kChunk, c.lengths[b] - start));
    }
    const Packing chunk = Packing::CreateOrDie(lengths);
    LstmInput in;
    in.params = data.params;
    in.packing = &chunk;
    in.x = {&data.x[packing.offsets()[start] * i], {chunk.rows(), i}};
    if (start > 0) {  // the longest utterances come first, so those that go on are a prefix of the state
      in.h0 = {state.h.data(), {1, chunk.batch(), h}};
      in.c0 = {state.c.data(), {1, chunk.batch(), h}};
    }
    std::vector<float> y(chunk.rows() * h);
    lstm->Forward(in, {y.data(), {chunk.rows(), h}}, &next);
    EXPECT_TRUE(
        AllNear(y, absl::MakeConstSpan(whole.y).subspan(packing.offsets()[start] * h, y.size()), i + h, factor()));
    for (int b = 0; b < chunk.batch(); ++b) {
      if (start + kChunk < c.lengths[b]) continue;
      EXPECT_TRUE(AllNear(next.c.view().slice(0).row(b), absl::MakeConstSpan(whole.c_final).subspan(b * h, h), i + h,
                          factor(), 1));
    }
    std::swap(state, next);
  }
}

TEST_P(Conformance, TimeIsBookedOnPhases) {
  ThreadPool pool(1);
  PhaseTimer phases;
  RunLstm(Create(kWide.config, &pool, &phases).get(), kWide, MakeData(kWide));
  EXPECT_GT(phases.seconds(Phase::kRecurrence), 0);
  EXPECT_GT(phases.seconds(Phase::kRecurrentBackward), 0);
}

INSTANTIATE_TEST_SUITE_P(Rows, Conformance, testing::ValuesIn(RowsHere()), RowName());

TEST(Reference, SameBitsForAnyThreadsAndBatchMates) {
  const LstmData data = MakeData(kRagged);
  ThreadPool one(1), three(3);
  const auto create = [](ThreadPool* pool) { return *CreateLstm("reference", kRagged.config, {pool, nullptr}); };
  const LstmResults<float> whole = RunLstm(create(&one).get(), kRagged, data);
  EXPECT_TRUE(SameResults(RunLstm(create(&three).get(), kRagged, data), whole));
  const Packing packing = Packing::CreateOrDie(kRagged.lengths);
  const int64_t width = kRagged.config.directions * kRagged.config.hidden_size;
  for (int b = 0; b < packing.batch(); ++b) {
    LstmCase alone;
    const LstmData alone_data = Alone(kRagged, data, b, &alone);
    const LstmResults<float> actual = RunLstm(create(&one).get(), alone, alone_data);
    for (int t = 0; t < kRagged.lengths[b]; ++t) {
      EXPECT_TRUE(SameBits(absl::MakeConstSpan(actual.y).subspan(t * width, width),
                           absl::MakeConstSpan(whole.y).subspan(packing.row(t, b) * width, width)));
    }
  }
}

}  // namespace
}  // namespace earshot
