// Two records of one configuration against each other, row by row: did anything get slower?
#ifndef EARSHOT_BENCH_COMPARE_REPORTS_H_
#define EARSHOT_BENCH_COMPARE_REPORTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/bench.pb.h"

namespace earshot {

// A row that either record has; `a` before, `b` after.
struct RowChange {
  std::string implementation;
  double at = 0;
  bool has_at = false;
  double a_seconds = 0, b_seconds = 0;  // medians; 0: not timed there
  double ratio = 0, low = 0, high = 0;  // b over a and its 95 % bootstrap interval; ratio 0: not compared
  // At alpha 0.01, of a row on the medians of the processes. SLOWER also where a row was timed before and is now wrong.
  Comparison::Verdict verdict = Comparison::REFUSED;
  std::string text;  // the verdict in words, or why there is none
};

struct ReportChange {
  std::vector<RowChange> rows;        // in the order of `b`, then what only `a` has
  std::vector<std::string> warnings;  // differences of the machines, disturbances
  bool slower = false;                // any row got slower, or wrong
};

// Rows by their steps; training curves by their seconds to the target, with Welch's test over the runs that reach it
// (SLOWER also when none does any more). InvalidArgument when the records are of different work (model, loss, batch,
// seed, sweep, recipe, target) or have nothing to compare.
absl::StatusOr<ReportChange> CompareReports(const BenchReport& a, const BenchReport& b);

// A table for people.
std::string ChangeTable(const ReportChange& change);

}  // namespace earshot

#endif  // EARSHOT_BENCH_COMPARE_REPORTS_H_
