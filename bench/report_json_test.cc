#include "bench/report_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/textproto.h"

namespace earshot {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

BenchReport Example() {
  BenchReport report;
  const absl::Status status = ParseTextproto(
      R"(machine { cpu: "A CPU" } peak_gflops: 200 config { name: "example" }
         rows { config: "example" implementation: "slow" verified: true median_seconds: 2 p10_seconds: 1.75
                p90_seconds: 2.5 n: 3 useful_gflop: 100 share_of_peak: 0.25 parameters: 571520 valid_frames: 4000
                scaled_frames: 400 phases { key: "loss" value: 0.5 } }
         rows { config: "example" implementation: "wrong" verified: false problem: "loss" scaled_frames: 0 })",
      "report", &report);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return report;
}

std::string ErrorOf(const std::string& json) { return std::string(ParseReportJson(json, "a.json").status().message()); }

// A report with one row that has these fields.
std::string WithRow(const std::string& fields) {
  return R"({"config": {"name": "x"}, "rows": [{"implementation": "simd", "verified": true)" +
         (fields.empty() ? "" : ", " + fields) + "}]}";
}

// Other programs read these names.
TEST(ReportJsonTest, HoldsTheFieldsOfTheContract) {
  const absl::StatusOr<std::string> json = ReportJson(Example());
  ASSERT_TRUE(json.ok()) << json.status().ToString();
  for (const char* text :
       {"\"machine\": {", "\"peak_gflops\": 200", "\"rows\": [", "\"config\": \"example\"",
        "\"implementation\": \"slow\"", "\"verified\": true", "\"verified\": false", "\"median_seconds\": 2",
        "\"p10_seconds\": 1.75", "\"p90_seconds\": 2.5", "\"n\": 3", "\"useful_gflop\": 100", "\"share_of_peak\": 0.25",
        "\"parameters\": 571520", "\"valid_frames\": 4000", "\"scaled_frames\": 400", "\"scaled_frames\": 0",
        "\"phases\": {", "\"loss\": 0.5"}) {
    EXPECT_THAT(*json, HasSubstr(text));
  }
}

TEST(ReportJsonTest, ReadsWhatItWrote) {
  const absl::StatusOr<BenchReport> report = ReadReportJson("bench/testdata/report_ce_long.json");
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->rows_size(), 20);
  EXPECT_EQ(report->rows(0).blocks_size(), 5);
  const absl::StatusOr<BenchReport> again = ParseReportJson(*ReportJson(*report), "again");
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(PrintTextproto(*again), PrintTextproto(*report));
}

TEST(ReportJsonTest, SaysWhereATextIsNoJson) {
  EXPECT_EQ(ErrorOf("{\"config\": {\"name\": \"x\"}"),
            "a.json: byte 24: expected ',' or '}', found the end of the JSON");
  EXPECT_THAT(ErrorOf("{'config': 1}"), StartsWith("a.json: byte 1: "));
  EXPECT_THAT(ErrorOf("{} x"), StartsWith("a.json: byte 3: "));
  EXPECT_THAT(ErrorOf(""), StartsWith("a.json: byte 0: "));
}

TEST(ReportJsonTest, SaysWhereATextIsNoReport) {
  EXPECT_EQ(ErrorOf(R"({"confg": {}})"), "a.json: byte 1: expected a field of BenchReport, found \"confg\"");
  EXPECT_EQ(ErrorOf(R"({"rows": [{"medianSeconds": 1}]})"),
            "a.json: byte 11: expected a field of BenchRow, found \"medianSeconds\"");
  EXPECT_EQ(ErrorOf(R"({"peak_gflops": 1, "peak_gflops": 2})"),
            "a.json: byte 19: expected every field once, found \"peak_gflops\" again");
  EXPECT_EQ(ErrorOf(R"({"config": {"measured": "STEP"}})"),
            "a.json: byte 24: expected a value of Measured, found \"STEP\"");
  EXPECT_EQ(ErrorOf(R"({"rows": [{"phases": {"loss": 1, "loss": 2}}]})"),
            "a.json: byte 33: expected every key once, found \"loss\" again");
  EXPECT_EQ(ErrorOf(R"({"rows": [{"n": 99999999999}]})"),
            "a.json: byte 16: expected at most 2147483647, found 99999999999");
  EXPECT_EQ(ErrorOf(R"({"config": {"seed": "11x"}})"), "a.json: byte 20: expected a whole number, found \"11x\"");
  const auto error_at = [](const std::string& field) {
    return absl::StrCat("a.json: byte ", WithRow(field + "@").find('@'), ": expected ");
  };
  for (const char* wrong : {"\"many\"", "-1", "null", "true", "[1]"}) {
    EXPECT_THAT(ErrorOf(WithRow(absl::StrCat("\"n\": ", wrong))), StartsWith(error_at("\"n\": "))) << wrong;
  }
  EXPECT_THAT(ErrorOf(WithRow("\"n\": 1.5")), StartsWith(error_at("\"n\": 1")));
  for (const char* wrong : {"\"NaN\"", "1e999", "\"1\"", "null"}) {
    EXPECT_THAT(ErrorOf(WithRow(absl::StrCat("\"median_seconds\": ", wrong))),
                StartsWith(error_at("\"median_seconds\": ")))
        << wrong;
  }
  EXPECT_THAT(ErrorOf(R"({"config": {"train": {"optimizer": {"learning_rate": 1e39}}}})"),
              HasSubstr("expected a float, found 1e+39"));
}

// A configuration may hold others, as points of a sweep.
TEST(ReportJsonTest, NestingHasALimit) {
  std::string json = "{\"config\": {\"name\": \"x\"";
  for (int i = 0; i < 100000; ++i) json += ", \"point\": [{\"change\": {\"name\": \"x\"";
  EXPECT_THAT(ErrorOf(json), HasSubstr("expected at most 64 messages in each other, found more"));
}

TEST(ReportJsonTest, ValuesThatNobodyCanDrawAreErrors) {
  EXPECT_THAT(ErrorOf(WithRow("\"n\": 3")), HasSubstr("rows[0].median_seconds: expected more than 0 of a row with"));
  EXPECT_THAT(ErrorOf(WithRow("\"phases\": {\"loss\": -1}")),
              HasSubstr("rows[0].phases.loss: expected 0 or more, found -1"));
  EXPECT_THAT(ErrorOf(R"({"config": {"name": "x"}, "memory_gb_per_second": -1})"),
              HasSubstr("memory_gb_per_second: expected 0 or more, found -1"));
  EXPECT_THAT(ErrorOf(WithRow("\"p10_seconds\": 2, \"p90_seconds\": 1")),
              HasSubstr("rows[0].p10_seconds: expected 0 to"));
  EXPECT_THAT(ErrorOf(WithRow("\"low_seconds\": 2, \"high_seconds\": 1")), HasSubstr("rows[0].low_seconds"));
  EXPECT_EQ(ErrorOf(WithRow("\"median_seconds\": 9, \"p10_seconds\": 1, \"p90_seconds\": 2")),
            "a.json: rows[0].median_seconds: expected p10_seconds to p90_seconds, 1 to 2, found 9");
  EXPECT_EQ(ErrorOf(R"({"config": {"name": "x"}, "rows": [{"implementation": "a"}, {"implementation": "a"}]})"),
            "a.json: rows[1]: expected each row once, found a again");
  EXPECT_EQ(ErrorOf(R"({"config": {"name": "x"}, "rows": [{"implementation": "a"}],
                        "comparisons": [{"row": "a", "other": "b"}]})"),
            "a.json: comparisons[0]: expected a row of this report, found b");
  EXPECT_EQ(ErrorOf(WithRow("\"blocks\": [{\"step_seconds\": [1], \"warm_up\": 2}]")),
            "a.json: rows[0].blocks[0].warm_up: expected 0 to 1 steps, found 2");
  EXPECT_EQ(ErrorOf(WithRow("\"blocks\": [{\"step_seconds\": [1, 0]}]")),
            "a.json: rows[0].blocks[0].step_seconds: expected more than 0, found 0");
  EXPECT_EQ(ErrorOf("{\"config\": {}}"), "a.json: config.name: expected a name, found none");
  EXPECT_EQ(ErrorOf(R"({"config": {"name": "x"}, "rows": [{}]})"),
            "a.json: rows[0].implementation: expected a name, found none");
  EXPECT_EQ(ErrorOf(R"({"config": {"name": "x"}, "curves": [{"seed": "1"}]})"),
            "a.json: curves[0].implementation: expected a name, found none");
  EXPECT_EQ(ErrorOf(WithRow("")), "");
}

TEST(ReportJsonTest, AFileThatIsNotThereIsNamed) {
  EXPECT_THAT(std::string(ReadReportJson("nothing.json").status().message()), HasSubstr("nothing.json"));
}

}  // namespace
}  // namespace earshot
