// Compares two reports of a benchmark: bazel run //bench:compare -- BEFORE.json AFTER.json
#include <gflags/gflags.h>

#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/program.h"
#include "base/status_macros.h"
#include "bench/compare_reports.h"
#include "bench/report_json.h"

namespace earshot {
namespace {

constexpr int kSlower = 3;  // exit code

absl::StatusOr<bool> Run(const std::vector<std::string>& paths) {
  ASSIGN_OR_RETURN(const BenchReport before, ReadReportJson(UserPath(paths[0])));
  ASSIGN_OR_RETURN(const BenchReport after, ReadReportJson(UserPath(paths[1])));
  ASSIGN_OR_RETURN(const ReportChange change, CompareReports(before, after));
  std::cout << ChangeTable(change) << std::flush;
  if (!std::cout) return absl::DataLossError("cannot write the results to stdout");
  return change.slower;
}

int Main(int argc, char** argv) {
  const std::string usage =
      "compares two reports of one benchmark, row by row (Mann-Whitney on the medians of the processes, alpha 0.01), "
      "and "
      "of trainings the seconds to the target (Welch's test over the runs, alpha 0.01):\n"
      "bazel run //bench:compare -- BEFORE.json AFTER.json\n"
      "exit code 0: no row got slower; 3: a row got slower, or wrong; 1: error; 2: usage";
  std::vector<std::string> paths;
  const absl::optional<int> done = StartProgram(argc, argv, usage, "compare_main", &paths);
  if (done.has_value()) return *done;
  if (paths.size() != 2) return ReportError(kUsage, absl::StrCat(paths.size(), " reports, expected two"));
  const absl::StatusOr<bool> slower = Run(paths);
  if (!slower.ok()) return ReportError(kFailure, slower.status().message());
  return *slower ? kSlower : 0;
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) { return earshot::Main(argc, argv); }
