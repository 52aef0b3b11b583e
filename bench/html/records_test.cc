#include "bench/html/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/textproto.h"
#include "bench/html/family.h"

namespace earshot {
namespace {

BenchReport Report(const std::string& text) {
  BenchReport report;
  const absl::Status status = ParseTextproto(text, "report", &report);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return report;
}

constexpr char kTimed[] = R"(rows { implementation: "simd" verified: true median_seconds: 1 }
  rows { implementation: "torch:lstm" verified: false median_seconds: 0.5 peer { comparable: false version: "torch 2" } }
  rows { implementation: "torch:wide" verified: true median_seconds: 0.4 peer { version: "torch 2" } }
  rows { implementation: "bad" verified: false problem: "loss" median_seconds: 0.1 }
  rows { implementation: "torch1:cell" verified: true median_seconds: 3 peer { version: "torch 1" } }
  rows { implementation: "torch:cell" verified: true median_seconds: 2 peer { version: "torch 2" } }
  comparisons { row: "torch:wide" other: "simd" verdict: REFUSED reason: "other work" })";

TEST(ConfigIdTest, WhatItStandsForElseItsName) {
  BenchConfig config;
  config.set_name("lstm_ctc");
  EXPECT_EQ(ConfigId(config), "lstm_ctc");  // perhaps changed: what it stands for is said by itself only
  config.set_stands_for("B-C4: arXiv 1806.01818");
  EXPECT_EQ(ConfigId(config), "B-C4");
  config.set_stands_for("B-C4 as published: errors E2 and E5");
  EXPECT_EQ(ConfigId(config), "lstm_ctc");
  EXPECT_EQ(PublishedId(config), "B-C4");
  config.set_name("something");
  EXPECT_EQ(ConfigId(config), "something");
  config.set_stands_for("R-N: craffel/lstm_benchmarks");
  EXPECT_EQ(ConfigId(config), "R-N");
  config.set_stands_for("B-spline fits");
  EXPECT_EQ(ConfigId(config), "something");
}

TEST(FamilyTest, ByWhatStandsBeforeTheColon) {
  EXPECT_EQ(FamilyOf("simd"), Family::kOwn);
  EXPECT_EQ(FamilyOf("torch1:lstm"), Family::kPyTorch);
  EXPECT_EQ(FamilyOf("tf:keras"), Family::kTensorFlow);
  EXPECT_EQ(FamilyOf("mxnet:lstm"), Family::kOther);
  EXPECT_EQ(BaseName("torch1:lstm"), "torch:lstm");
  EXPECT_EQ(BaseName("fused_cell"), "fused_cell");
  EXPECT_EQ(BaseName("x2"), "x2");
}

TEST(RecordsTest, NeitherWrongNorOtherNorRefusedRowsCanBeTheFastest) {
  const BenchReport report = Report(kTimed);
  ASSERT_NE(FastestRow(report), nullptr);
  EXPECT_EQ(FastestRow(report)->implementation(), "simd");
  EXPECT_TRUE(Timed(report.rows(1)) && !Comparable(report.rows(1)) && !Wrong(report.rows(1)));  // another function
  EXPECT_TRUE(Wrong(report.rows(3)) && !Timed(report.rows(3)));
  EXPECT_TRUE(Refused(report, report.rows(2)));
  EXPECT_FALSE(Refused(report, report.rows(0)));
}

TEST(RecordsTest, VersionsOfARow) {
  BenchReport old = Report("config { name: 'lstm_ctc' stands_for: 'B-C4' } machine { commit: 'aaaaaaaaaaaaaaaa' } " +
                           std::string(kTimed));
  BenchReport now = old;
  now.mutable_machine()->set_commit("bbbbbbbbbbbbbbbb");
  now.mutable_rows(0)->set_median_seconds(0.9);
  const Records records({MakeRecord("old", old), MakeRecord("now", now)});
  const std::vector<VersionedRow> own = records.Versions("B-C4", "simd");
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].version, "earshot aaaaaaaaaa");
  EXPECT_EQ(own[1].row->median_seconds(), 0.9);
  // The same version in both: the later record counts.
  const std::vector<VersionedRow> cells = records.Versions("B-C4", "torch:cell");
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].version, "torch 1");
  EXPECT_EQ(cells[1].row, &records.all()[1].report.rows(5));
  EXPECT_EQ(records.Row("B-C4", "torch:cell")->implementation(), "torch:cell");
  EXPECT_EQ(records.Row("B-C4", "bad"), nullptr);
  EXPECT_EQ(records.Row("B-C1", "simd"), nullptr);
}

TEST(RecordsTest, AnUndisturbedRecordCountsWhateverTheOrder) {
  const std::string config = "config { name: 'lstm_ctc' stands_for: 'B-C4' } ";
  const BenchReport quiet = Report(config + "rows { implementation: 'simd' verified: true median_seconds: 1 }");
  const BenchReport busy = Report(config + R"(machine { cores: 2 run_seconds: 10 other_cpu_seconds: 19 }
                         rows { implementation: "simd" verified: true median_seconds: 2 })");
  for (const bool busy_last : {false, true}) {
    const Records records({MakeRecord("a", busy_last ? quiet : busy), MakeRecord("b", busy_last ? busy : quiet)});
    EXPECT_EQ(records.Row("B-C4", "simd")->median_seconds(), 1);
    EXPECT_EQ(records.Find("B-C4")->report.rows(0).median_seconds(), 1);
  }
}

TEST(RecordsTest, SweepsAndLossesAreNotSteps) {
  const Records records(
      {MakeRecord(
           "a",
           Report(
               "config { name: 'lstm_ctc' stands_for: 'B-C4' axis: 'batch' } rows { implementation: 'simd' at: 1 }")),
       MakeRecord("b", Report("config { name: 'lstm_ctc' measured: LOSS } rows { implementation: 'simd' }"))});
  EXPECT_EQ(records.Find("B-C4"), nullptr);
  EXPECT_EQ(records.Sweeps("").size(), 1u);
  EXPECT_EQ(records.Losses().size(), 1u);
  EXPECT_NE(records.all()[0].anchor, records.all()[1].anchor);
}

}  // namespace
}  // namespace earshot
