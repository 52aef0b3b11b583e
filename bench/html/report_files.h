// Reports as files: the page, its figures, their steps.
#ifndef EARSHOT_BENCH_HTML_REPORT_FILES_H_
#define EARSHOT_BENCH_HTML_REPORT_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/bench.pb.h"

namespace earshot {

struct NamedReport {
  std::string file;  // as the page names it
  BenchReport report;
};

struct ReportFiles {  // paths; empty: not written
  std::string page;
  std::string svg_dir;  // each figure as FIGURE.svg
  std::string csv;      // one row a step
};

// Of at least one report. Returns how many figures the page has.
absl::StatusOr<int> WriteReportFiles(const std::vector<NamedReport>& reports, const ReportFiles& files);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_REPORT_FILES_H_
