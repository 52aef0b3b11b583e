// Renders benchmark reports as a page, its figures as files, and their steps as a table.
#include <gflags/gflags.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "base/command_line.h"
#include "base/file.h"
#include "base/program.h"
#include "base/status_macros.h"
#include "bench/html/report_files.h"
#include "bench/report_json.h"

DEFINE_string(out, "report.html", "the page; empty: none");
DEFINE_string(svg_dir, "", "folder for each figure as an SVG file; empty: none");
DEFINE_string(csv, "", "file for the steps, one row a step; empty: none");

namespace earshot {
namespace {

absl::Status Run(const std::vector<std::string>& paths) {
  std::vector<NamedReport> reports;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(BenchReport report, ReadReportJson(UserPath(path)));
    reports.push_back({path, std::move(report)});
  }
  const auto user_path = [](const std::string& flag) { return flag.empty() ? std::string() : UserPath(flag); };
  ASSIGN_OR_RETURN(const int figures,
                   WriteReportFiles(reports, {user_path(FLAGS_out), user_path(FLAGS_svg_dir), user_path(FLAGS_csv)}));
  std::cerr << paths.size() << (paths.size() == 1 ? " report, " : " reports, ") << figures << " figures\n";
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  const std::string usage =
      "renders reports of the benchmarks (bazel run //bench:NAME -- --json=FILE):\n"
      "bazel run //bench:report -- --out=report.html A.json B.json ...";
  std::vector<std::string> paths;
  const absl::optional<int> done = StartProgram(argc, argv, usage, "report_main", &paths);
  if (done.has_value()) return *done;
  if (paths.empty()) return ReportError(kUsage, "no report, expected JSON files of //bench:NAME --json=FILE");
  const absl::Status status = Run(paths);
  return status.ok() ? 0 : ReportError(kFailure, status.message());
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) { return earshot::Main(argc, argv); }
