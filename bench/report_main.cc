// Renders benchmark reports as a page, its figures as files, and their steps as a table.
#include <gflags/gflags.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/program.h"
#include "base/status_macros.h"
#include "bench/html/page.h"
#include "bench/html/records.h"
#include "bench/html/style.h"
#include "bench/published/published.h"
#include "bench/report_json.h"
#include "bench/steps_csv.h"

DEFINE_string(out, "report.html", "the page; empty: none");
DEFINE_string(svg_dir, "", "folder for each figure as an SVG file; empty: none");
DEFINE_string(csv, "", "file for the steps, one row a step; empty: none");

namespace earshot {
namespace {

absl::Status WriteFigures(const Page& page, const std::string& folder) {
  RETURN_IF_ERROR(MakeDirectories(folder));
  for (const Figure& figure : page.figures) {
    const std::string path = absl::StrCat(folder, "/", figure.id, ".svg");
    RETURN_IF_ERROR(WriteFileAtomically(path, {StandaloneSvg(figure)}));
  }
  return absl::OkStatus();
}

absl::Status Run(const std::vector<std::string>& paths) {
  std::vector<Record> all;
  std::string csv = StepsCsvHeader();
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(BenchReport report, ReadReportJson(UserPath(path)));
    csv += StepsCsv(report);
    all.push_back(MakeRecord(path, std::move(report), static_cast<int>(all.size())));
  }
  ASSIGN_OR_RETURN(const Published published, ReadPublished());
  const Page page = RenderPage(Records(std::move(all)), published);
  if (!FLAGS_out.empty()) RETURN_IF_ERROR(WriteFileAtomically(UserPath(FLAGS_out), {page.html}));
  if (!FLAGS_svg_dir.empty()) RETURN_IF_ERROR(WriteFigures(page, UserPath(FLAGS_svg_dir)));
  if (!FLAGS_csv.empty()) RETURN_IF_ERROR(WriteFileAtomically(UserPath(FLAGS_csv), {csv}));
  std::cerr << paths.size() << (paths.size() == 1 ? " report, " : " reports, ") << page.figures.size() << " figures\n";
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
