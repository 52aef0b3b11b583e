#include "bench/report_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/textproto.h"

namespace earshot {
namespace {

using testing::HasSubstr;
using testing::Not;

BenchReport Example() {
  BenchReport report;
  const absl::Status status = ParseTextproto(
      R"(machine { cpu: "A CPU" cores: 4 threads: 2 load_before: 0.5 run_seconds: 60 other_cpu_seconds: 1 }
         peak_gflops: 200
         gemm_gflops: 180
         config { name: "example" summary: "an example" }
         rows { config: "example" implementation: "slow" verified: true median_seconds: 2 p10_seconds: 1.75
                p90_seconds: 2.5 n: 3 useful_gflop: 100 share_of_peak: 0.25 parameters: 571520 valid_frames: 4000
                scaled_frames: 400 phases { key: "loss" value: 0.5 } remainder_seconds: 0.25 low_seconds: 1.875
                high_seconds: 2.25 microseconds_per_valid_frame: 500 microseconds_per_dependent_step: 1000
                blocks { step_seconds: [ 0.2, 0.21, 0.19 ] losses: [ 5, 4, 3 ] } }
         rows { config: "example" implementation: "wrong" verified: false problem: "loss of utterance 0 is 1"
                useful_gflop: 100 parameters: 571520 valid_frames: 4000 scaled_frames: 0 }
         rows { config: "example" implementation: "fast" verified: true median_seconds: 1 p10_seconds: 1
                p90_seconds: 1 n: 9 useful_gflop: 100 share_of_peak: 0.5 parameters: 571520 valid_frames: 4000
                scaled_frames: 0 })",
      "report", &report);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return report;
}

TEST(ReportTableTest, FastestFirstAndTheWrongOneLast) {
  const std::string table = ReportTable(Example());
  const size_t fast = table.find("\nfast "), slow = table.find("\nslow "), wrong = table.find("\nwrong ");
  ASSERT_NE(fast, std::string::npos);
  ASSERT_NE(wrong, std::string::npos);
  EXPECT_LT(fast, slow);
  EXPECT_LT(slow, wrong);
  EXPECT_THAT(table, HasSubstr("WRONG, not timed: loss of utterance 0 is 1"));
}

TEST(ReportTableTest, SpeedCountsValidFramesAndSaysSo) {
  const std::string table = ReportTable(Example());
  // 2 s for 4000 valid frames: 500 us each; 100 GFLOP in 2 s.
  EXPECT_THAT(table, HasSubstr("2000.0    1875.0    2250.0    1750.0    2500.0    3   1     50.0   25.0 %    500.00  "
                               "1000.00  from 400 frames\n"));
  EXPECT_THAT(table, HasSubstr("a valid frame, padding does not count"));
  EXPECT_THAT(table, HasSubstr("571520 parameters"));
  EXPECT_THAT(table, HasSubstr("A CPU, 2 threads on 4 cores"));
}

TEST(ReportTableTest, SaysWhenOthersDisturbedTheRun) {
  BenchReport report = Example();
  EXPECT_THAT(ReportTable(report), Not(HasSubstr("DISTURBED")));
  report.mutable_machine()->set_other_cpu_seconds(100);
  EXPECT_THAT(ReportTable(report), HasSubstr("DISTURBED: in 60 s, other programs computed for 100.0 s"));
}

TEST(ReportTableTest, SaysWhenItWasInterrupted) {
  BenchReport report = Example();
  EXPECT_THAT(ReportTable(report), Not(HasSubstr("INTERRUPTED")));
  report.set_interrupted(true);
  EXPECT_THAT(ReportTable(report), HasSubstr("INTERRUPTED: what follows is of the 0 processes"));
}

TEST(ReportTableTest, SaysWhatARowChose) {
  BenchReport report = Example();
  report.mutable_rows(0)->set_note("level 1: a\nlevel 2: b");
  const std::string name = report.rows(0).implementation();
  EXPECT_THAT(ReportTable(report), HasSubstr(name + ", level 1: a\n" + name + ", level 2: b\n"));
}

BenchReport WithPeers() {
  BenchReport report = Example();
  const absl::Status status = MergeTextproto(
      R"pb(rows { implementation: "fast" verified: true median_seconds: 1 n: 9 useful_gflop: 100 valid_frames: 4000 }
           rows { implementation: "slow" verified: true median_seconds: 2 n: 3 useful_gflop: 100 valid_frames: 4000 }
           rows {
             implementation: "torch:packed"
             verified: true
             median_seconds: 2.5
             n: 3
             useful_gflop: 100
             valid_frames: 4000
             peer { version: "torch 1" parameters: 571520 redundant_parameters: 1280 flush_denormals: true }
           }
           rows {
             implementation: "jax:scan"
             verified: true
             median_seconds: 2.2
             n: 3
             useful_gflop: 100
             valid_frames: 4000
             peer {
               version: "jax 1"
               parameters: 571520
               clock_disagreements: 2
               clock_gap_seconds: 0.5
               times_slower: 2.75
             }
           }
           rows {
             implementation: "torch:lstm"
             verified: false
             median_seconds: 1.5
             n: 3
             useful_gflop: 100
             valid_frames: 4000
             peer { comparable: false flush_denormals: true }
           }
           rows {
             implementation: "tf:keras"
             verified: false
             problem: "no python"
             peer { absent: "no python" }
           }
           rows {
             implementation: "tf:block"
             verified: false
             problem: "loss is 1"
             peer { version: "tf 1" }
           }
           comparisons {
             row: "slow"
             other: "fast"
             ratio: 2
             low: 1.9
             high: 2.1
             verdict: SLOWER
             p_value: 0.008
             blocks: 5
           }
           comparisons {
             row: "torch:packed"
             other: "fast"
             ratio: 2.5
             low: 2.25
             high: 2.75
             verdict: SLOWER
             p_value: 0.0079
             blocks: 5
           }
           comparisons {
             row: "jax:scan"
             other: "fast"
             ratio: 2.75
             low: 2
             high: 3
             verdict: CANNOT_TELL
             reason: "cannot tell (4 and 4 blocks, needs 5 of each)"
             blocks: 4
           }
           comparisons { row: "torch:lstm" other: "fast" verdict: REFUSED reason: "another function: it pads" })pb",
      "peers", &report);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return report;
}

TEST(ReportTableTest, ALineForEachComparison) {
  const std::string table = ReportTable(WithPeers());
  const size_t peers = table.find("\npeers, ");
  ASSERT_NE(peers, std::string::npos);
  EXPECT_THAT(
      table.substr(peers),
      testing::AllOf(
          HasSubstr("torch:packed     2.50 times the time of fast [2.25, 2.75]: slower (p = 0.0079, 5 processes); "
                    "torch 1, 571520 parameters and 1280 redundant ones, fixed at 0\n"),
          HasSubstr("jax:scan         2.75 times the time of fast [2.00, 3.00]: cannot tell (4 and 4 blocks, needs "
                    "5 of each); jax 1, 571520 parameters; does NOT flush denormals; CLOCKS DISAGREE in 2 "
                    "steps, by up to 500.0 ms\n"),
          HasSubstr("\ntorch:lstm       not compared: another function: it pads"),
          HasSubstr("\ntf:keras         not here: no python\n"),
          HasSubstr("\ntf:block         not compared: wrong\n")));
  // In the table itself: times of what ran, errors of what was wrong, nothing of what is not here.
  const std::string above = table.substr(0, peers);
  EXPECT_THAT(above, HasSubstr("\nslow             2.00 times the time of fast [1.90, 2.10]: slower (p = 0.008, 5 "
                               "processes)\n"));
  EXPECT_THAT(above, HasSubstr("\ntorch:lstm          1500.0 "));
  EXPECT_THAT(above, HasSubstr("\ntf:block         WRONG, not timed: loss is 1\n"));
  EXPECT_THAT(above, Not(HasSubstr("tf:keras")));
  EXPECT_THAT(ReportTable(Example()), Not(HasSubstr("peers")));
}

TEST(ReportTableTest, PhasesSayOfWhichStepTheyAre) {
  // 0.75 s of the row's 2: 0.5 s of the loss, 0.25 s of remainder.
  EXPECT_THAT(ReportTable(Example()), HasSubstr("     33.33  of a step of 750.0 ms\n"));
}

TEST(ReportTableTest, ARowWithoutTimeIsNotWrong) {
  BenchReport report = Example();
  report.mutable_rows(1)->set_problem("no time left");
  report.mutable_rows(1)->set_no_time(true);
  EXPECT_THAT(ReportTable(report), HasSubstr("\nwrong            not timed: no time left\n"));
  EXPECT_THAT(ReportTable(report), Not(HasSubstr("WRONG")));
}

TEST(ReportTableTest, ASweepNamesThePointOnEveryLine) {
  BenchReport report = Example();
  report.mutable_rows(0)->set_at(64);
  report.mutable_rows(0)->set_note("level 1: a");
  const std::string table = ReportTable(report);
  EXPECT_THAT(table, HasSubstr("\nslow @ 64, level 1: a\n"));
  EXPECT_THAT(table, testing::ContainsRegex("\nslow @ 64 .* of a step of 750.0 ms\n"));
  EXPECT_THAT(table, testing::ContainsRegex("\nslow @ 64 .*least ms"));
  EXPECT_THAT(table, HasSubstr("peak 200.0 GFLOP/s"));
}

TEST(ReportTableTest, ASweepOverThreadsHasAPeakForEachPoint) {
  BenchReport report = Example();
  const absl::Status status = MergeTextproto(
      R"pb(config {
             axis: "threads"
             point {
               at: 1
               change { threads: 1 }
             }
             point {
               at: 2
               change { threads: 2 }
             }
           }
           blocks { block: 7 peak_gflops: 100 }
           memory_gb_per_second: 50)pb",
      "sweep", &report);
  ASSERT_TRUE(status.ok()) << status.ToString();
  BenchRow* row = report.mutable_rows(0);
  row->set_at(1);
  row->mutable_blocks(0)->set_block(7);
  const std::string table = ReportTable(report);
  EXPECT_THAT(table, Not(HasSubstr("peak 200.0")));
  EXPECT_THAT(table, Not(HasSubstr("GB/s")));
  report.mutable_config()->clear_point();
  EXPECT_THAT(ReportTable(report), HasSubstr("GB/s"));
}

TEST(ReportTableTest, OnlyScaledRowsAreMarked) {
  BenchReport report = Example();
  report.mutable_rows(0)->set_scaled_frames(0);
  EXPECT_THAT(ReportTable(report), Not(HasSubstr("from")));
}

}  // namespace
}  // namespace earshot
