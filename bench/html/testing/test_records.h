// Reports for tests of the page: those in bench/testdata, and small ones as text.
#ifndef EARSHOT_BENCH_HTML_TESTING_TEST_RECORDS_H_
#define EARSHOT_BENCH_HTML_TESTING_TEST_RECORDS_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/textproto.h"
#include "bench/html/page.h"
#include "bench/report_json.h"

namespace earshot {

// bench/testdata/report_NAME.json of each (make_reports.py).
inline Records Read(const std::vector<std::string>& names) {
  std::vector<Record> all;
  for (const std::string& name : names) {
    const absl::StatusOr<BenchReport> report = ReadReportJson(absl::StrCat("bench/testdata/report_", name, ".json"));
    EXPECT_TRUE(report.ok()) << report.status().ToString();
    if (report.ok()) all.push_back(MakeRecord(name + ".json", *report));
  }
  return Records(std::move(all));
}

// All but the hostile one.
inline const std::vector<std::string>& AllNames() {
  static const auto* const kNames =
      new std::vector<std::string>{"ce_long_before", "ce_long", "ctc", "sweep", "loss_alone", "curves"};
  return *kNames;
}

inline BenchReport Parse(const std::string& text) {
  BenchReport report;
  const absl::Status status = ParseTextproto(text, "report", &report);
  EXPECT_TRUE(status.ok()) << status.ToString();
  const absl::Status checked = CheckReport(report, "report");
  EXPECT_TRUE(checked.ok()) << checked.ToString();
  return report;
}

inline Page Render(const Records& records) {
  const absl::StatusOr<Published> published = ReadPublished();
  EXPECT_TRUE(published.ok()) << published.status().ToString();
  return RenderPage(records, *published);
}

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_TESTING_TEST_RECORDS_H_
