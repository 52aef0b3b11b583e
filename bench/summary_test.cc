#include "bench/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/phase_timer.h"
#include "base/textproto.h"

namespace earshot {
namespace {

using testing::HasSubstr;

// 1x4, 2 utterances of 5 and 10 frames.
constexpr char kConfig[] = R"(name: "test" train { model { lstm { hidden_size: 4 } } loss { kind: CTC } }
                              batch { utterances: 2 min_frames: 5 max_frames: 10 input_size: 3 classes: 2 })";

template <typename T>
T Parse(const std::string& text) {
  T message;
  const absl::Status status = ParseTextproto(text, "test", &message);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return message;
}

std::string Row(const std::string& name, const std::string& block, const std::string& more = "") {
  return absl::StrCat("rows { implementation: \"", name, "\" verified: true useful_gflop: 3 valid_frames: 15 ",
                      "macs_per_frame: 8 ", more, " blocks { max_frames: 10 warm_up: 1 ", block, " } } ");
}

BenchReport Block(int i, const std::string& rows) {
  return Parse<BenchReport>(absl::StrCat("peak_gflops: 10 blocks { block: ", i, " } ", rows));
}

TEST(MergeBlocksTest, StatisticsAreOfTheSteadySamplesOfAllBlocks) {
  const BenchConfig config = Parse<BenchConfig>(kConfig);
  const BenchReport report = MergeBlocks(
      config, {Block(0, Row("a", "block: 0 step_seconds: [9, 1, 2, 3] losses: [5, 4, 3, 2]", "memory_bytes: 7")),
               Block(1, Row("a", "block: 1 step_seconds: [8, 3, 4, 5] losses: [5, 4, 3]", "memory_bytes: 6"))});
  ASSERT_EQ(report.rows_size(), 1);
  const BenchRow& row = report.rows(0);
  EXPECT_TRUE(row.verified()) << row.problem();
  EXPECT_DOUBLE_EQ(row.median_seconds(), 3);
  EXPECT_DOUBLE_EQ(row.p10_seconds(), 1.5);
  EXPECT_DOUBLE_EQ(row.p90_seconds(), 4.5);
  EXPECT_EQ(row.n(), 6);
  EXPECT_LE(row.low_seconds(), 3);
  EXPECT_GE(row.low_seconds(), 1);
  EXPECT_GE(row.high_seconds(), 3);
  EXPECT_LE(row.high_seconds(), 5);
  EXPECT_DOUBLE_EQ(row.share_of_peak(), 3 / 3.0 / 10);
  EXPECT_DOUBLE_EQ(row.microseconds_per_valid_frame(), 3e6 / 15);
  EXPECT_DOUBLE_EQ(row.microseconds_per_dependent_step(), 3e6 / (2 * 10));
  EXPECT_DOUBLE_EQ(row.padding_ratio(), 0.25);
  EXPECT_EQ(row.memory_bytes(), 7);
  // numpy: [9, 1, 2, 3] without the first fifth, that is all of the four: mean 3.75, standard deviation 3.1124748994...
  EXPECT_DOUBLE_EQ(row.seed_mean_seconds(), 3.75);
  EXPECT_NEAR(row.seed_sd_seconds(), 3.1124748994971835, 1e-12);
  EXPECT_EQ(report.blocks_size(), 2);
  EXPECT_EQ(report.comparisons_size(), 0);
}

TEST(MergeBlocksTest, LimitsAreTheBestOfAllBlocks) {
  const BenchConfig config = Parse<BenchConfig>(kConfig);
  const std::string row = Row("a", "step_seconds: [9, 1, 2]", "");
  EXPECT_FALSE(MergeBlocks(config, {Block(0, row)}).has_memory_gb_per_second());
  const BenchReport report = MergeBlocks(config, {Block(0, row + " memory_gb_per_second: 60"), Block(1, row),
                                                  Block(2, row + " memory_gb_per_second: 50")});
  EXPECT_EQ(report.memory_gb_per_second(), 60);
  EXPECT_EQ(report.peak_gflops(), 10);
}

TEST(MergeBlocksTest, FewerFramesAreExtrapolated) {
  const BenchReport report =
      MergeBlocks(Parse<BenchConfig>(kConfig),
                  {Block(0, Row("a", "step_seconds: [9, 1.25, 1.25] fixed_seconds: 0.25", "scaled_frames: 5"))});
  EXPECT_DOUBLE_EQ(report.rows(0).median_seconds(), 0.25 + 1 * 3);
}

// Case BEN-03: utterances of 500, 600, 700 and 1000 frames in 2 s are 1400 frames a second, not the 2000 of a batch
// padded to 1000.
TEST(MergeBlocksTest, SpeedIsOfValidFrames) {
  BenchConfig config = Parse<BenchConfig>(kConfig);
  config.mutable_batch()->set_utterances(4);
  config.mutable_batch()->set_max_frames(1000);
  BenchReport block = Block(0, Row("a", "step_seconds: [9, 2, 2]"));
  block.mutable_rows(0)->set_valid_frames(500 + 600 + 700 + 1000);
  const BenchRow row = MergeBlocks(config, {block}).rows(0);
  EXPECT_NEAR(1e6 / row.microseconds_per_valid_frame(), 1400, 1e-9);
  EXPECT_NEAR(1 - row.padding_ratio(), 1400.0 / 2000, 1e-12);
}

TEST(MergeBlocksTest, PhasesAreOfTheStepNearestToTheMedianOfAllBlocks) {
  const auto block = [](int i, double first, double second) {
    BenchReport report = Block(i, Row("a", absl::StrCat("step_seconds: [9, ", first, ", ", second, "]")));
    BlockSamples* samples = report.mutable_rows(0)->mutable_blocks(0);
    for (double seconds : samples->step_seconds()) {
      for (int p = 0; p < kNumPhases; ++p) samples->add_step_phases(p == 0 ? seconds - 0.25 : 0);
    }
    return report;
  };
  // The median of 1, 5, 2.75 and 3.5 is 3.125.
  const BenchRow row = MergeBlocks(Parse<BenchConfig>(kConfig), {block(0, 1, 5), block(1, 2.75, 3.5)}).rows(0);
  EXPECT_DOUBLE_EQ(row.median_seconds(), 3.125);
  const double step = 0.25 + row.phases().at(PhaseName(static_cast<Phase>(0)));
  EXPECT_TRUE(step == 2.75 || step == 3.5) << step;  // both are as near
  EXPECT_DOUBLE_EQ(row.remainder_seconds(), 0.25);
  EXPECT_EQ(row.blocks(1).step_phases_size(), 0);
}

// A row measured on so few frames that the fixed time of a block is more than a step's.
TEST(MergeBlocksTest, NoTimeIsNegativeHoweverItIsExtrapolated) {
  const BenchRow row =
      MergeBlocks(Parse<BenchConfig>(kConfig),
                  {Block(0, Row("a", "step_seconds: [9, 1.46, 1.9, 1.7] fixed_seconds: 1.72", "scaled_frames: 1"))})
          .rows(0);
  EXPECT_GE(row.low_seconds(), 1.46);
  EXPECT_GE(row.p10_seconds(), 1.46);
  EXPECT_GE(row.median_seconds(), row.low_seconds());
}

// A sweep over threads: each point has the peak of its threads, a peer's block beside it included.
TEST(MergeBlocksTest, TheShareIsOfThePeakOfTheRowsPoint) {
  BenchConfig config = Parse<BenchConfig>(kConfig);
  config.set_axis("threads");
  std::vector<BenchReport> blocks;
  for (int i = 0; i < 4; ++i) {
    const int threads = 1 + i / 2;
    if (i % 2 == 0) {
      config.add_point()->set_at(threads);
      config.mutable_point(threads - 1)->mutable_change()->set_threads(threads);
    }
    blocks.push_back(
        Block(i, Row("a", absl::StrCat("block: ", i, " step_seconds: [9, 1, 1]"), absl::StrCat("at: ", threads))));
    blocks.back().mutable_blocks(0)->set_peak_gflops(10 * threads + i);  // 10, 11, 22, 23
    blocks.back().set_peak_gflops(10 * threads + i);
  }
  const BenchReport report = MergeBlocks(config, blocks);
  ASSERT_EQ(report.rows_size(), 2);
  EXPECT_DOUBLE_EQ(report.rows(0).share_of_peak(), 3.0 / 11);
  EXPECT_DOUBLE_EQ(report.rows(1).share_of_peak(), 3.0 / 23);
}

TEST(MergeBlocksTest, ARowThatIsWrongInOneBlockIsWrong) {
  const BenchConfig config = Parse<BenchConfig>(kConfig);
  const std::string good = Row("a", "step_seconds: [1, 1, 1] losses: [5, 4]");
  const BenchReport wrong = MergeBlocks(
      config, {Block(0, good), Block(1, "rows { implementation: \"a\" problem: \"loss is 7\" }"), Block(2, good)});
  EXPECT_EQ(wrong.rows(0).problem(), "loss is 7");
  EXPECT_FALSE(wrong.rows(0).verified());
  EXPECT_FALSE(wrong.rows(0).has_median_seconds());
  const BenchReport drifts =
      MergeBlocks(config, {Block(0, good), Block(1, Row("a", "block: 1 step_seconds: [1, 1, 1] losses: [5, 4.1]"))});
  EXPECT_THAT(drifts.rows(0).problem(), HasSubstr("block 1: loss of step 1 is 4.1"));
  EXPECT_FALSE(drifts.rows(0).has_median_seconds());
}

// Blocks of two own rows, then of the faster one with a peer.
std::vector<BenchReport> Blocks(int n, const std::string& peer) {
  std::vector<BenchReport> blocks;
  for (int i = 0; i < n; ++i) {
    const std::string noise = absl::StrCat(" 1.0", i);
    blocks.push_back(Block(i, Row("fast", "step_seconds: [5, 1, " + noise + "]") +
                                  Row("slow", "step_seconds: [5, 2, 2" + noise.substr(2) + "]")));
    blocks.push_back(Block(n + i, Row("fast", "step_seconds: [5, 1.2, " + noise + "]") +
                                      Row("fake:a", "step_seconds: [5, 3, 3" + noise.substr(2) + "]", peer)));
  }
  return blocks;
}

TEST(CompareRowsTest, OwnRowsWithTheFastestPeersWithTheirNeighbour) {
  const BenchReport report = MergeBlocks(Parse<BenchConfig>(kConfig), Blocks(5, "peer { version: \"1\" }"));
  ASSERT_EQ(report.comparisons_size(), 2);
  const Comparison &slow = report.comparisons(0), &peer = report.comparisons(1);
  EXPECT_EQ(slow.row(), "slow");
  EXPECT_EQ(slow.other(), "fast");
  EXPECT_EQ(slow.verdict(), Comparison::SLOWER) << slow.reason();
  EXPECT_NEAR(slow.p_value(), 2.0 / 252, 1e-6);  // 5 and 5 blocks that do not overlap: 2 / C(10, 5)
  EXPECT_NEAR(slow.ratio(), 2, 0.05);
  EXPECT_LE(slow.low(), slow.ratio());
  EXPECT_GE(slow.high(), slow.ratio());
  EXPECT_EQ(slow.blocks(), 5);
  EXPECT_EQ(peer.row(), "fake:a");
  EXPECT_EQ(peer.other(), "fast");
  // Of 3 to 3.04 over 1 to 1.2, the samples beside it, not those of the other blocks.
  EXPECT_NEAR(peer.ratio(), 3.0 / 1.12, 0.15);
  EXPECT_DOUBLE_EQ(report.rows(2).peer().times_slower(), peer.ratio());
}

TEST(CompareRowsTest, FewBlocksTellNothing) {
  const BenchReport report = MergeBlocks(Parse<BenchConfig>(kConfig), Blocks(4, "peer { version: \"1\" }"));
  for (const Comparison& comparison : report.comparisons()) {
    EXPECT_EQ(comparison.verdict(), Comparison::CANNOT_TELL);
    EXPECT_THAT(comparison.reason(), HasSubstr("needs 5"));
    EXPECT_GT(comparison.ratio(), 1);
  }
}

std::string Refusal(const std::string& peer, const std::string& change = "") {
  std::vector<BenchReport> blocks = Blocks(5, peer);
  for (BenchReport& block : blocks) {
    if (!change.empty()) block.mutable_rows(1)->MergeFrom(Parse<BenchRow>(change));
  }
  const BenchReport report = MergeBlocks(Parse<BenchConfig>(kConfig), blocks);
  const Comparison& comparison = report.comparisons(report.comparisons_size() - 1);
  EXPECT_EQ(comparison.verdict(), Comparison::REFUSED);
  EXPECT_FALSE(comparison.has_ratio());
  EXPECT_FALSE(report.rows(report.rows_size() - 1).peer().has_times_slower());
  return comparison.reason();
}

TEST(CompareRowsTest, RefusesWhatIsNoEqualWork) {
  EXPECT_EQ(Refusal("peer { macs_per_frame: 9 }"), "other work: 9 multiply-adds a frame, fast 8");
  EXPECT_EQ(Refusal("peer { comparable: false note: \"it pads\" }"), "another function: it pads");
  EXPECT_EQ(Refusal("peer {}", "problem: \"loss is 7\" verified: false"), "wrong: loss is 7");
  EXPECT_EQ(Refusal("peer { absent: \"no python\" }"), "not here: no python");
}

TEST(CompareRowsTest, RefusesAPeerOnHardlyAnyFrames) {
  std::vector<BenchReport> blocks = Blocks(5, "peer { version: \"1\" }");
  for (BenchReport& block : blocks) block.mutable_rows(1)->mutable_blocks(0)->set_max_frames(9);
  const BenchReport report = MergeBlocks(Parse<BenchConfig>(kConfig), blocks);
  EXPECT_EQ(report.comparisons(0).verdict(), Comparison::SLOWER);  // our own rows say from how many frames they are
  EXPECT_EQ(report.comparisons(1).verdict(), Comparison::REFUSED);
  EXPECT_EQ(report.comparisons(1).reason(), "measured on 9 of 10 frames: give it more time");
}

TEST(CompareRowsTest, DisturbedBlocksDoNotCount) {
  std::vector<BenchReport> blocks = Blocks(6, "peer { version: \"1\" }");
  const auto disturb = [&](int i) {
    for (BenchRow& row : *blocks[i].mutable_rows()) row.mutable_blocks(0)->set_disturbed(true);
  };
  disturb(0);
  BenchReport report = MergeBlocks(Parse<BenchConfig>(kConfig), blocks);
  EXPECT_EQ(report.comparisons(0).blocks(), 5);
  EXPECT_EQ(report.comparisons(0).verdict(), Comparison::SLOWER);
  for (size_t i = 0; i < blocks.size(); ++i) disturb(static_cast<int>(i));
  report = MergeBlocks(Parse<BenchConfig>(kConfig), blocks);
  for (const Comparison& comparison : report.comparisons()) {
    EXPECT_EQ(comparison.verdict(), Comparison::REFUSED);
    EXPECT_THAT(comparison.reason(), HasSubstr("disturbed"));
  }
  EXPECT_TRUE(report.rows(0).has_median_seconds());
}

}  // namespace
}  // namespace earshot
