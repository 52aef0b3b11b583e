// What simd promises beyond the conformance suite: every instruction set of this machine is right, and the bits depend
// neither on threads, nor on the schedule, nor on the other utterances of a batch.
#include "lstm/simd/simd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "base/testing/every_target.h"
#include "base/testing/near.h"
#include "base/thread_pool.h"
#include "base/tolerance.h"
#include "lstm/testing/conformance.h"

namespace earshot {
namespace {

const LstmCase kRagged = {"ragged", {6, 37, 2, true, true}, {12, 11, 11, 6, 3, 1}};
const LstmCase kWide = {"wide", {24, 80, 1}, {9, 9, 9, 9, 9, 8, 8, 8, 7, 7, 6, 6, 5, 2, 1, 1}};
const LstmCase kMasked = {"masked", {33, 49, 2, true}, {20, 20, 13, 13, 8, 8, 8, 8, 2}, true, true};
// Enough frames for w_ih to be packed as a whole; of an utterance alone it is packed in several parts.
const LstmCase kMany = {"many", {600, 35, 2, true}, {60, 60, 51, 40, 33, 20, 11, 1}};

std::unique_ptr<Lstm> Create(const LstmLevelConfig& config, ThreadPool* pool) {
  return *CreateSimd(config, {pool, nullptr});
}

TEST(Simd, ConformsOnEveryTarget) {
  ThreadPool pool(2);
  std::vector<LstmCase> cases = ConformanceCases();
  for (const LstmCase& c : {kRagged, kWide, kMasked, kMany}) cases.push_back(c);
  for (const LstmCase& c : cases) {
    const LstmData data = MakeData(c);
    const LstmResults<double> truth = Truth(c, data);
    OnEveryTarget([&] {
      EXPECT_TRUE(Conforms(c, RunLstm(Create(c.config, &pool).get(), c, data), truth, kDefaultToleranceFactor));
    });
  }
}

void ExpectTheBitsOfOneThread(const LstmCase& c, const std::vector<int>& thread_counts) {
  const LstmData data = MakeData(c);
  ThreadPool one(1);
  const LstmResults<float> expected = RunLstm(Create(c.config, &one).get(), c, data);
  for (int threads : thread_counts) {
    ThreadPool pool(threads);
    const std::unique_ptr<Lstm> lstm = Create(c.config, &pool);
    // The first calls try the schedules in turn (ScheduleTrial), the last ones use the faster.
    for (int call = 0; call < 8; ++call) {
      EXPECT_TRUE(SameResults(RunLstm(lstm.get(), c, data), expected)) << threads << " threads, call " << call;
    }
  }
}

TEST(Simd, SameBitsForAnyThreadsAndEitherSchedule) {
  for (const LstmCase& c : {kRagged, kWide, kMasked}) {
    ExpectTheBitsOfOneThread(c, {2, 3, 4, 5, 8});
    OnEveryTarget([&] { ExpectTheBitsOfOneThread(c, {2}); });
  }
  ExpectTheBitsOfOneThread(kMany, {2, 3});
}

TEST(Simd, LastFramesAloneGiveTheBitsOfZeros) {
  for (const LstmCase& c : {kRagged, kWide, kMasked}) {
    LstmData data = MakeData(c);
    KeepLastFrames(c, &data);
    OnEveryTarget([&] {
      for (int threads : {1, 2, 4}) {
        ThreadPool pool(threads);
        const std::unique_ptr<Lstm> lstm = Create(c.config, &pool);
        for (int call = 0; call < 3; ++call) {  // with each schedule
          const LstmResults<float> zeros = RunLstm(lstm.get(), c, data);
          EXPECT_TRUE(SameResults(RunLstm(lstm.get(), c, data, {true, 0, true}), zeros))
              << threads << ", call " << call;
        }
      }
    });
  }
}

// y and dx of utterance b of a batch against those of utterance `other_b` of another, bit for bit.
void ExpectSameUtterance(const LstmCase& c, const LstmResults<float>& results, int b, const LstmCase& other_c,
                         const LstmResults<float>& other, int other_b) {
  const Packing packing = Packing::CreateOrDie(c.lengths), other_packing = Packing::CreateOrDie(other_c.lengths);
  const auto row = [](const std::vector<float>& m, int64_t r, int64_t width) {
    return absl::MakeConstSpan(m).subspan(r * width, width);
  };
  const int64_t width = c.config.directions * c.config.hidden_size, i = c.config.input_size;
  for (int t = 0; t < c.lengths[b]; ++t) {
    const int64_t r = packing.row(t, b), other_r = other_packing.row(t, other_b);
    EXPECT_TRUE(SameBits(row(results.y, r, width), row(other.y, other_r, width))) << "utterance " << b;
    EXPECT_TRUE(SameBits(row(results.dx, r, i), row(other.dx, other_r, i))) << "utterance " << b;
  }
}

TEST(Simd, SameBitsForAnyBatchMates) {
  for (const LstmCase& c : {kRagged, kMasked, kMany}) {
    const LstmData data = MakeData(c);
    ThreadPool pool(2);
    const LstmResults<float> whole = RunLstm(Create(c.config, &pool).get(), c, data);
    for (size_t b = 0; b < c.lengths.size(); ++b) {
      LstmCase one;
      const LstmData alone = Alone(c, data, b, &one);
      ExpectSameUtterance(c, whole, b, one, RunLstm(Create(one.config, &pool).get(), one, alone), 0);
    }
  }
}

// Neither in its batch, nor in the next one of the same object.
TEST(Simd, NanAndInfinityStayInTheirUtterance) {
  for (const LstmCase& c : {kRagged, kMasked}) {
    const LstmData data = MakeData(c);
    OnEveryTarget([&] {
      ThreadPool pool(2);
      const std::unique_ptr<Lstm> lstm = Create(c.config, &pool);
      const LstmResults<float> clean = RunLstm(lstm.get(), c, data);
      for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        for (const size_t spoilt : {size_t{0}, c.lengths.size() / 2}) {
          LstmData with_bad = data;
          const int64_t row = Packing::CreateOrDie(c.lengths).row(c.lengths[spoilt] / 2, spoilt);
          with_bad.x[row * c.config.input_size] = with_bad.dy[row * c.config.directions * c.config.hidden_size] = bad;
          const LstmResults<float> results = RunLstm(lstm.get(), c, with_bad);
          for (size_t b = 0; b < c.lengths.size(); ++b) {
            if (b != spoilt) ExpectSameUtterance(c, results, b, c, clean, b);
          }
          EXPECT_TRUE(std::isnan(results.dparams[0]));
          EXPECT_TRUE(SameResults(RunLstm(lstm.get(), c, data), clean));
        }
      }
    });
  }
}

// Sizes from one unit to beyond a block of every instruction set, and inputs beyond a panel.
void ExpectConforms(int input, int hidden, const std::vector<int32_t>& lengths) {
  ThreadPool pool(2);
  const LstmCase c = {"size", {input, hidden, 2}, lengths};
  const LstmData data = MakeData(c);
  // Of a single unit, the sums are so short that the gates' own rounding counts.
  const double factor = (hidden == 1 ? 2 : 1) * kDefaultToleranceFactor;
  EXPECT_TRUE(Conforms(c, RunLstm(Create(c.config, &pool).get(), c, data), Truth(c, data), factor))
      << input << " -> " << hidden;
}

TEST(Simd, AnySize) {
  for (int hidden : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 48, 49, 64, 65}) {
    for (int input : {1, 5, 31, 40, 63, 64, 65, 130}) ExpectConforms(input, hidden, {5, 3, 3, 2, 1, 1, 1});
    for (int input : {1, 64, 130}) ExpectConforms(input, hidden, {90, 90, 71, 34});
  }
}

}  // namespace
}  // namespace earshot
