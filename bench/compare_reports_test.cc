#include "bench/compare_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace earshot {
namespace {

using testing::HasSubstr;

// A row of `blocks` processes with six steps each around `seconds`, which differ by less than 1 %.
void AddRow(const std::string& name, double seconds, int blocks, BenchReport* report) {
  BenchRow* row = report->add_rows();
  row->set_implementation(name);
  row->set_verified(true);
  row->set_median_seconds(seconds);
  row->set_n(4 * blocks);
  row->set_macs_per_frame(1000);
  for (int b = 0; b < blocks; ++b) {
    BlockSamples* block = row->add_blocks();
    block->set_block(b);
    block->set_warm_up(2);
    for (int i = 0; i < 6; ++i) block->add_step_seconds(seconds * (i < 2 ? 5 : 1 + 0.001 * ((i * 7 + b * 3) % 9 - 4)));
  }
}

BenchReport Report(double seconds, int blocks = 5) {
  BenchReport report;
  report.mutable_config()->set_name("x");
  report.mutable_machine()->set_cpu("a CPU");
  report.set_peak_gflops(500);
  AddRow("simd", seconds, blocks, &report);
  return report;
}

ReportChange Compare(const BenchReport& a, const BenchReport& b) {
  const absl::StatusOr<ReportChange> change = CompareReports(a, b);
  EXPECT_TRUE(change.ok()) << change.status().ToString();
  return change.ok() ? *change : ReportChange();
}

TEST(CompareReportsTest, FivePercentSlowerIsSeen) {
  const ReportChange change = Compare(Report(0.1), Report(0.105));
  ASSERT_EQ(change.rows.size(), 1u);
  EXPECT_EQ(change.rows[0].verdict, Comparison::SLOWER);
  EXPECT_NEAR(change.rows[0].ratio, 1.05, 0.003);
  EXPECT_LT(change.rows[0].low, 1.05);
  EXPECT_GT(change.rows[0].high, 1.05);
  EXPECT_TRUE(change.slower);
  EXPECT_TRUE(change.warnings.empty());
  EXPECT_THAT(ChangeTable(change), HasSubstr("simd                         100.00     105.00   1.050"));
}

TEST(CompareReportsTest, FasterAndTheSame) {
  EXPECT_EQ(Compare(Report(0.1), Report(0.09)).rows[0].verdict, Comparison::FASTER);
  EXPECT_FALSE(Compare(Report(0.1), Report(0.09)).slower);
  const ReportChange same = Compare(Report(0.1), Report(0.1));
  EXPECT_EQ(same.rows[0].verdict, Comparison::CANNOT_TELL);
  EXPECT_FALSE(same.slower);
}

TEST(CompareReportsTest, FewProcessesTellNothing) {
  const ReportChange change = Compare(Report(0.1, 3), Report(0.2, 3));
  EXPECT_EQ(change.rows[0].verdict, Comparison::CANNOT_TELL);
  EXPECT_THAT(change.rows[0].text, HasSubstr("3 and 3 blocks"));
}

TEST(CompareReportsTest, DisturbedProcessesDoNotCount) {
  BenchReport b = Report(0.2);
  for (BlockSamples& block : *b.mutable_rows(0)->mutable_blocks()) block.set_disturbed(true);
  const ReportChange change = Compare(Report(0.1), b);
  EXPECT_EQ(change.rows[0].ratio, 0);
  EXPECT_EQ(change.rows[0].text, "no undisturbed samples");
}

TEST(CompareReportsTest, ARowThatBecameWrongIsARegression) {
  BenchReport b = Report(0.1);
  b.mutable_rows(0)->set_verified(false);
  b.mutable_rows(0)->set_problem("loss is 3");
  const ReportChange change = Compare(Report(0.1), b);
  EXPECT_TRUE(change.slower);
  EXPECT_EQ(change.rows[0].text, "B: wrong: loss is 3");
  // One that was wrong before is none.
  EXPECT_FALSE(Compare(b, Report(0.1)).slower);
}

TEST(CompareReportsTest, RowsOfOneRecordOnlyAreListed) {
  BenchReport a = Report(0.1), b = Report(0.1);
  AddRow("old", 1, 5, &a);
  AddRow("new", 1, 5, &b);
  const ReportChange change = Compare(a, b);
  ASSERT_EQ(change.rows.size(), 3u);
  EXPECT_EQ(change.rows[1].implementation, "new");
  EXPECT_EQ(change.rows[1].text, "A: not in it");
  EXPECT_EQ(change.rows[2].text, "B: not in it");
  EXPECT_FALSE(change.slower);
}

TEST(CompareReportsTest, OtherWorkIsNotCompared) {
  BenchReport b = Report(0.2);
  b.mutable_rows(0)->set_scaled_frames(100);
  EXPECT_THAT(Compare(Report(0.1), b).rows[0].text, HasSubstr("measured on 0 and 100 frames"));
  b = Report(0.2);
  b.mutable_rows(0)->set_macs_per_frame(1200);
  EXPECT_THAT(Compare(Report(0.1), b).rows[0].text, HasSubstr("other work: 1000 and 1200 multiply-adds"));
  b = Report(0.2);
  b.mutable_config()->mutable_batch()->set_utterances(7);
  const absl::StatusOr<ReportChange> refused = CompareReports(Report(0.1), b);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("different work: A has nothing more, B has batch"));
}

TEST(CompareReportsTest, OtherMachinesAndDisturbancesAreWarnedAbout) {
  BenchReport b = Report(0.1);
  b.mutable_machine()->set_cpu("another CPU");
  b.set_peak_gflops(450);
  b.mutable_machine()->set_cores(2);
  b.mutable_machine()->set_run_seconds(10);
  b.mutable_machine()->set_other_cpu_seconds(10);
  EXPECT_THAT(Compare(Report(0.1), b).warnings,
              testing::ElementsAre("other CPU: a CPU and another CPU", "other number of cores: 0 and 2",
                                   "B was disturbed by other programs or the host", "other peak: 500 and 450 GFLOP/s"));
}

// Runs to 5 % in so many seconds; 0: never.
BenchReport Trainings(std::initializer_list<double> seconds) {
  BenchReport report;
  report.set_target_error(5);
  report.mutable_config()->set_name("time_to_accuracy");
  for (double one : seconds) {
    TrainingCurve* curve = report.add_curves();
    curve->set_implementation("simd");
    if (one > 0) curve->set_seconds_to_target(one);
  }
  return report;
}

// p by Welch's test is 0.001227: t = 9.80306, 3.44828 degrees of freedom, Student's density integrated numerically.
TEST(CompareReportsTest, TrainingsByTheirSecondsToTheTarget) {
  const ReportChange change = Compare(Trainings({10, 11, 12}), Trainings({20, 21, 23, 0}));
  ASSERT_EQ(change.rows.size(), 1u);
  EXPECT_EQ(change.rows[0].implementation, "simd to the target");
  EXPECT_EQ(change.rows[0].verdict, Comparison::SLOWER);
  EXPECT_NEAR(change.rows[0].ratio, 21. / 11, 1e-12);
  EXPECT_GE(change.rows[0].low, 20. / 12);
  EXPECT_LE(change.rows[0].high, 23. / 10);
  EXPECT_EQ(change.rows[0].text, "slower (p = 0.0012): A reached it in 3 of 3 runs, B in 3 of 4");
  EXPECT_TRUE(change.slower);
  EXPECT_EQ(Compare(Trainings({20, 21, 23}), Trainings({10, 11, 12})).rows[0].verdict, Comparison::FASTER);
  EXPECT_EQ(Compare(Trainings({10, 11, 12}), Trainings({10.5, 11, 12})).rows[0].verdict, Comparison::CANNOT_TELL);
  EXPECT_EQ(Compare(Trainings({10, 11}), Trainings({0, 0})).rows[0].verdict, Comparison::SLOWER);
  EXPECT_THAT(Compare(Trainings({10, 11}), Trainings({20})).rows[0].text, HasSubstr("needs two runs of each"));
}

TEST(CompareReportsTest, OtherTrainingsAreNotCompared) {
  BenchReport b = Trainings({10, 11});
  b.mutable_config()->mutable_train()->set_epochs(3);
  EXPECT_THAT(std::string(CompareReports(Trainings({10, 11}), b).status().message()),
              HasSubstr("different work: A has nothing more, B has train"));
  b = Trainings({10, 11});
  b.set_target_error(6);
  EXPECT_THAT(std::string(CompareReports(Trainings({10, 11}), b).status().message()),
              HasSubstr("A trains to 5 %, B to 6 %"));
  b = Trainings({10, 11});
  b.mutable_config()->set_summary("on other data");
  EXPECT_THAT(Compare(Trainings({10, 11}), b).warnings, testing::ElementsAre("other training:  and on other data"));
  EXPECT_THAT(std::string(CompareReports(Trainings({}), Trainings({})).status().message()),
              HasSubstr("neither timed rows nor training curves"));
}

}  // namespace
}  // namespace earshot
