#include "bench/compare_reports.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "bench/bench_config.h"
#include "bench/bootstrap.h"
#include "bench/machine.h"
#include "bench/stats.h"
#include "bench/verdict.h"
#include "bench/welch.h"

namespace earshot {
namespace {

constexpr double kAlpha = 0.01;  // of the curves; of rows: bench/verdict.h

using Samples = std::vector<std::vector<double>>;

// Steady samples, a vector a process that nobody disturbed.
Samples SteadyBlocks(const BenchRow& row) {
  Samples blocks;
  for (const BlockSamples& block : row.blocks()) {
    const auto& seconds = block.step_seconds();
    if (block.disturbed() || block.warm_up() >= seconds.size()) continue;
    blocks.emplace_back(seconds.begin() + block.warm_up(), seconds.end());
  }
  return blocks;
}

std::vector<double> Medians(const Samples& blocks) {
  std::vector<double> medians;
  for (const std::vector<double>& block : blocks) medians.push_back(Quantile(block, 0.5));
  return medians;
}

double MedianOfAll(const Samples& blocks) {
  std::vector<double> all;
  for (const std::vector<double>& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return Quantile(all, 0.5);
}

std::string RowState(const BenchRow* row) {
  if (row == nullptr) return "not in it";
  if (row->peer().has_absent()) return absl::StrCat("not here: ", row->peer().absent());
  if (row->has_problem()) return absl::StrCat("wrong: ", row->problem());
  return row->verified() && row->median_seconds() > 0 ? "" : "not timed";
}

const BenchRow* FindRow(const BenchReport& report, const BenchRow& like) {
  for (const BenchRow& row : report.rows()) {
    if (row.implementation() == like.implementation() && row.at() == like.at()) return &row;
  }
  return nullptr;
}

// Why the times of the two are not of the same work; empty: they are.
std::string OtherWork(const BenchRow& a, const BenchRow& b) {
  if (a.scaled_frames() != b.scaled_frames()) {
    return absl::StrCat("measured on ", a.scaled_frames(), " and ", b.scaled_frames(), " frames (0: all)");
  }
  if (a.macs_per_frame() != b.macs_per_frame()) {
    return absl::StrCat("other work: ", a.macs_per_frame(), " and ", b.macs_per_frame(), " multiply-adds a frame");
  }
  return "";
}

void Judge(const Samples& a, const Samples& b, uint64_t seed, RowChange* change) {
  if (a.empty() || b.empty()) {
    change->text = "no undisturbed samples";
    return;
  }
  change->ratio = MedianOfAll(b) / MedianOfAll(a);
  const Interval interval = MedianRatioInterval(b, a, seed);
  change->low = interval.low;
  change->high = interval.high;
  const Verdict verdict = CompareBlocks(Medians(a), Medians(b));
  change->text = VerdictText(verdict);
  change->verdict = verdict.kind == VerdictKind::kSlower   ? Comparison::SLOWER
                    : verdict.kind == VerdictKind::kFaster ? Comparison::FASTER
                                                           : Comparison::CANNOT_TELL;
}

RowChange Change(const BenchRow* a, const BenchRow* b, uint64_t seed) {
  const BenchRow& any = b != nullptr ? *b : *a;
  RowChange change;
  change.implementation = any.implementation();
  change.at = any.at();
  change.has_at = any.has_at();
  const std::string before = RowState(a), after = RowState(b);
  if (before.empty()) change.a_seconds = a->median_seconds();
  if (after.empty()) change.b_seconds = b->median_seconds();
  if (!before.empty() || !after.empty()) {
    change.text = absl::StrCat(before.empty() ? "" : "A: " + before, !before.empty() && !after.empty() ? "; " : "",
                               after.empty() ? "" : "B: " + after);
    if (before.empty() && b != nullptr && b->has_problem() && !b->peer().has_absent())
      change.verdict = Comparison::SLOWER;
    return change;
  }
  change.text = OtherWork(*a, *b);
  if (change.text.empty()) Judge(SteadyBlocks(*a), SteadyBlocks(*b), seed, &change);
  return change;
}

// Of the runs of an implementation that reached the target; *runs: how many there are.
std::vector<double> SecondsToTarget(const BenchReport& report, const std::string& implementation, int* runs) {
  std::vector<double> seconds;
  *runs = 0;
  for (const TrainingCurve& curve : report.curves()) {
    if (curve.implementation() != implementation) continue;
    ++*runs;
    if (curve.seconds_to_target() > 0) seconds.push_back(curve.seconds_to_target());
  }
  return seconds;
}

// Runs are few and their times nearly normal: Welch's test, as for their errors.
void JudgeCurves(const std::vector<double>& a, const std::vector<double>& b, uint64_t seed, RowChange* change) {
  const auto blocks = [](const std::vector<double>& seconds) {  // each run is a process of its own
    Samples samples;
    for (double one : seconds) samples.push_back({one});
    return samples;
  };
  change->ratio = change->b_seconds / change->a_seconds;
  const Interval interval = MedianRatioInterval(blocks(b), blocks(a), seed);
  change->low = interval.low;
  change->high = interval.high;
  const WelchResult test = WelchTest(b, a);
  const bool differ = test.p < kAlpha;
  change->verdict = !differ ? Comparison::CANNOT_TELL : test.t > 0 ? Comparison::SLOWER : Comparison::FASTER;
  change->text = absl::StrFormat("%s (p = %.2g)", !differ ? "cannot tell" : test.t > 0 ? "slower" : "faster", test.p);
}

RowChange CurveChange(const std::string& implementation, const BenchReport& a, const BenchReport& b) {
  RowChange change;
  change.implementation = implementation + " to the target";
  int a_runs = 0, b_runs = 0;
  const std::vector<double> before = SecondsToTarget(a, implementation, &a_runs);
  const std::vector<double> after = SecondsToTarget(b, implementation, &b_runs);
  if (!before.empty()) change.a_seconds = Quantile(before, 0.5);
  if (!after.empty()) change.b_seconds = Quantile(after, 0.5);
  if (before.size() >= 2 && after.size() >= 2) {
    JudgeCurves(before, after, b.config().seed(), &change);
  } else if (before.size() >= 2 && b_runs >= 2 && after.empty()) {
    change.verdict = Comparison::SLOWER;
    change.text = "slower";
  } else {
    change.text = "needs two runs of each";
  }
  absl::StrAppend(&change.text, ": A reached it in ", before.size(), " of ", a_runs, " runs, B in ", after.size(),
                  " of ", b_runs);
  return change;
}

// In the order of `b`, then what only `a` has.
std::vector<RowChange> CurveChanges(const BenchReport& a, const BenchReport& b) {
  std::vector<std::string> names;
  for (const BenchReport* report : {&b, &a}) {
    for (const TrainingCurve& curve : report->curves()) {
      if (std::find(names.begin(), names.end(), curve.implementation()) == names.end()) {
        names.push_back(curve.implementation());
      }
    }
  }
  std::vector<RowChange> changes;
  for (const std::string& name : names) changes.push_back(CurveChange(name, a, b));
  return changes;
}

std::vector<std::string> Warnings(const BenchReport& a, const BenchReport& b) {
  std::vector<std::string> warnings;
  const auto differ = [&](const char* what, const std::string& before, const std::string& after) {
    if (before != after) warnings.push_back(absl::StrCat("other ", what, ": ", before, " and ", after));
  };
  const MachineRecord &m = a.machine(), &n = b.machine();
  differ("CPU", m.cpu(), n.cpu());
  differ("number of cores", absl::StrCat(m.cores()), absl::StrCat(n.cores()));
  differ("number of threads", ThreadsText(m), ThreadsText(n));
  differ("instruction set", m.instruction_set(), n.instruction_set());
  differ("OpenBLAS kernels", m.openblas_kernels(), n.openblas_kernels());
  differ("governor", m.governor(), n.governor());
  differ("kernel", m.kernel(), n.kernel());
  differ("handling of denormals", m.flush_denormals() ? "flushed" : "kept", n.flush_denormals() ? "flushed" : "kept");
  // The corpus is in no field of the configuration.
  if (b.curves_size() > 0) differ("training", a.config().summary(), b.config().summary());
  if (Disturbed(m)) warnings.push_back("A was disturbed by other programs or the host");
  if (Disturbed(n)) warnings.push_back("B was disturbed by other programs or the host");
  const double peak = a.peak_gflops() > 0 ? b.peak_gflops() / a.peak_gflops() : 1;
  if (peak < 0.97 || peak > 1.03) {
    warnings.push_back(absl::StrFormat("other peak: %.0f and %.0f GFLOP/s", a.peak_gflops(), b.peak_gflops()));
  }
  return warnings;
}

}  // namespace

absl::StatusOr<ReportChange> CompareReports(const BenchReport& a, const BenchReport& b) {
  const std::string before = PrintTextproto(WorkOf(a.config())), after = PrintTextproto(WorkOf(b.config()));
  if (before != after) {
    size_t line = 0;  // the start of the first that differs
    for (size_t i = 0; i < std::min(before.size(), after.size()) && before[i] == after[i]; ++i) {
      if (before[i] == '\n') line = i + 1;
    }
    const auto first = [line](const std::string& text) {
      return line < text.size() ? text.substr(line, text.find('\n', line) - line) : std::string("nothing more");
    };
    return absl::InvalidArgumentError(
        absl::StrCat("the records are of different work: A has ", first(before), ", B has ", first(after)));
  }
  if (a.target_error() != b.target_error()) {
    return absl::InvalidArgumentError(absl::StrCat("the records are of different work: A trains to ", a.target_error(),
                                                   " %, B to ", b.target_error(), " %"));
  }
  if (a.rows().empty() && b.rows().empty() && a.curves().empty() && b.curves().empty()) {
    return absl::InvalidArgumentError("the records have neither timed rows nor training curves to compare");
  }
  ReportChange change;
  change.warnings = Warnings(a, b);
  for (const BenchRow& row : b.rows()) change.rows.push_back(Change(FindRow(a, row), &row, b.config().seed()));
  for (const BenchRow& row : a.rows()) {
    if (FindRow(b, row) == nullptr) change.rows.push_back(Change(&row, nullptr, b.config().seed()));
  }
  for (RowChange& curve : CurveChanges(a, b)) change.rows.push_back(std::move(curve));
  change.slower = std::any_of(change.rows.begin(), change.rows.end(),
                              [](const RowChange& row) { return row.verdict == Comparison::SLOWER; });
  return change;
}

std::string ChangeTable(const ReportChange& change) {
  std::string table;
  for (const std::string& warning : change.warnings) absl::StrAppend(&table, "WARNING: ", warning, "\n");
  absl::StrAppendFormat(&table, "%-24s %10s %10s %7s %15s  %s\n", "row", "A, ms", "B, ms", "B / A", "95 % interval",
                        "B is");
  for (const RowChange& row : change.rows) {
    const auto ms = [](double seconds) { return seconds > 0 ? absl::StrFormat("%.2f", seconds * 1e3) : "-"; };
    std::string name = row.implementation;
    if (row.has_at) absl::StrAppend(&name, " at ", row.at);
    absl::StrAppendFormat(&table, "%-24s %10s %10s ", name, ms(row.a_seconds), ms(row.b_seconds));
    if (row.ratio > 0) {
      absl::StrAppendFormat(&table, "%7.3f %6.3f to %5.3f  ", row.ratio, row.low, row.high);
    } else {
      absl::StrAppendFormat(&table, "%7s %15s  ", "-", "-");
    }
    absl::StrAppend(&table, row.text, "\n");
  }
  return table;
}

}  // namespace earshot
