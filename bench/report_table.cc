#include "bench/report_table.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/phase_timer.h"
#include "bench/limits.h"
#include "bench/machine.h"
#include "bench/summary.h"

namespace earshot {
namespace {

std::string Header(const BenchReport& report) {
  const MachineRecord& m = report.machine();
  const BenchConfig& c = report.config();
  std::string text = absl::StrFormat("%s: %s\n", c.name(), c.summary());
  absl::StrAppendFormat(&text, "%s, %s on %d cores, %s; load %.2f before, %.2f after\n", m.cpu(), ThreadsText(m),
                        m.cores(), m.instruction_set(), m.load_before(), m.load_after());
  if (Disturbed(m)) {
    absl::StrAppendFormat(&text, "DISTURBED: in %.0f s, other programs computed for %.1f s and the host took %.1f s\n",
                          m.run_seconds(), m.other_cpu_seconds(), m.steal_seconds());
  }
  absl::StrAppendFormat(&text, "peak %.1f GFLOP/s (multiply-adds), %.1f (matrix product, OpenBLAS %s)\n",
                        report.peak_gflops(), report.gemm_gflops(), m.openblas_kernels());
  if (report.memory_gb_per_second() > 0) {
    absl::StrAppendFormat(&text, "memory %.1f GB/s\n", report.memory_gb_per_second());
  }
  if (report.rows_size() > 0) {
    const BenchRow& row = report.rows(0);
    absl::StrAppendFormat(&text, "%d parameters (one bias a gate), %d valid frames a step, %.1f GFLOP a step\n",
                          row.parameters(), row.valid_frames(), row.useful_gflop());
  }
  return text;
}

const Comparison* ComparisonOf(const BenchReport& report, const BenchRow& row) {
  for (const Comparison& comparison : report.comparisons()) {
    if (comparison.row() == row.implementation() && comparison.at() == row.at()) return &comparison;
  }
  return nullptr;
}

// How a row compares with another, below the table.
std::string ComparisonText(const BenchReport& report, const BenchRow& row) {
  const Comparison* c = ComparisonOf(report, row);
  if (c == nullptr) return "not compared: no row of ours beside it";
  if (!c->has_ratio()) return absl::StrCat("not compared: ", c->reason());
  std::string text =
      absl::StrFormat("%.2f times the time of %s [%.2f, %.2f]", c->ratio(), c->other(), c->low(), c->high());
  if (c->has_reason()) return absl::StrCat(text, ": ", c->reason());
  return absl::StrFormat("%s: %s (p = %.2g, %d processes)", text,
                         c->verdict() == Comparison::FASTER ? "faster" : "slower", c->p_value(), c->blocks());
}

std::string PeerLine(const BenchReport& report, const BenchRow& row) {
  const PeerRecord& peer = row.peer();
  std::string line = absl::StrFormat("%-16s ", row.implementation());
  if (peer.has_absent()) return absl::StrCat(line, "not here: ", peer.absent(), "\n");
  if (row.has_problem()) return absl::StrCat(line, "not compared: wrong\n");
  absl::StrAppend(&line, ComparisonText(report, row));
  absl::StrAppendFormat(&line, "; %s, %d parameters", peer.version(), peer.parameters());
  if (peer.redundant_parameters() > 0) {
    absl::StrAppendFormat(&line, " and %d redundant ones, fixed at 0", peer.redundant_parameters());
  }
  if (!peer.flush_denormals()) absl::StrAppend(&line, "; does NOT flush denormals");
  if (peer.clock_disagreements() > 0) {
    absl::StrAppendFormat(&line, "; CLOCKS DISAGREE in %d steps, by up to %.1f ms", peer.clock_disagreements(),
                          peer.clock_gap_seconds() * 1e3);
  }
  return line + "\n";
}

// "simd" or, of a sweep, "simd @ 64".
std::string RowName(const BenchRow& row) {
  return row.has_at() ? absl::StrCat(row.implementation(), " @ ", row.at()) : row.implementation();
}

std::string RowLine(const BenchRow& row) {
  if (row.has_problem()) return absl::StrFormat("%-16s WRONG, not timed: %s\n", RowName(row), row.problem());
  const double ms = 1e3;
  std::string line = absl::StrFormat(
      "%-16s %9.1f %9.1f %9.1f %9.1f %9.1f %4d %3d %8.1f %6.1f %% %9.2f %8.2f", RowName(row), row.median_seconds() * ms,
      row.low_seconds() * ms, row.high_seconds() * ms, row.p10_seconds() * ms, row.p90_seconds() * ms, row.n(),
      row.blocks_size(), row.useful_gflop() / row.median_seconds(), row.share_of_peak() * 100,
      row.microseconds_per_valid_frame(), row.microseconds_per_dependent_step());
  if (row.scaled_frames() > 0) absl::StrAppendFormat(&line, "  from %d frames", row.scaled_frames());
  return line + "\n";
}

std::string PhaseLine(const BenchRow& row) {
  std::string line = absl::StrFormat("%-16s", row.implementation());
  double step = row.remainder_seconds();
  for (const auto& phase : row.phases()) step += phase.second;
  const auto share = [step](double seconds) { return 100 * seconds / step; };
  for (int i = 0; i < kNumPhases; ++i) {
    const std::string name = PhaseName(static_cast<Phase>(i));
    const auto found = row.phases().find(name);
    const double seconds = found == row.phases().end() ? 0 : found->second;
    absl::StrAppendFormat(&line, " %*.1f", static_cast<int>(name.size()), share(seconds));
  }
  return absl::StrFormat("%s %9.2f\n", line, share(row.remainder_seconds()));
}

}  // namespace

std::string ReportTable(const BenchReport& report) {
  std::vector<const BenchRow*> rows;
  for (const BenchRow& row : report.rows()) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const BenchRow* a, const BenchRow* b) {
    if (a->has_problem() != b->has_problem()) return b->has_problem();
    return a->median_seconds() < b->median_seconds();
  });
  std::string text = Header(report);
  absl::StrAppendFormat(&text, "\n%-16s %9s %9s %9s %9s %9s %4s %3s %8s %8s %9s %8s\n", "implementation", "median ms",
                        "low ms", "high ms", "p10 ms", "p90 ms", "n", "run", "GFLOP/s", "of peak", "us/frame",
                        "us/step");
  for (const BenchRow* row : rows) {
    if (!row->peer().has_absent()) text += RowLine(*row);
  }
  absl::StrAppend(&text,
                  "(low, high: 95 % bootstrap interval of the median; n: steady steps of so many runs, each a process; "
                  "us/frame: a valid frame, padding does not count; us/step: a dependent step, frames of the longest "
                  "utterance times levels, there and back)\n\n");
  std::vector<std::string> names;
  for (int i = 0; i < kNumPhases; ++i) names.push_back(PhaseName(static_cast<Phase>(i)));
  absl::StrAppendFormat(&text, "%-16s %s remainder\n", "% of the step", absl::StrJoin(names, " "));
  for (const BenchRow* row : rows) {
    if (row->phases_size() > 0) text += PhaseLine(*row);
  }
  for (const BenchRow* row : rows) {
    if (row->memory_bytes() > 0) {
      absl::StrAppendFormat(&text, "%s: %.0f MB of memory at its peak", RowName(*row), row->memory_bytes() * 1e-6);
      if (row->assemble_seconds() > 0) {
        absl::StrAppendFormat(&text, "; putting the batch together, beside the step: %.1f ms",
                              row->assemble_seconds() * 1e3);
      }
      absl::StrAppend(&text, "\n");
    }
    for (absl::string_view line : absl::StrSplit(row->note(), '\n', absl::SkipEmpty())) {
      absl::StrAppend(&text, row->implementation(), ", ", line, "\n");
    }
  }
  const auto fastest =
      std::find_if(rows.begin(), rows.end(), [](const BenchRow* row) { return row->phases_size() > 0; });
  if (fastest != rows.end())
    text += "\n" + LimitTable(ConfigOfRow(report.config(), **fastest), report.peak_gflops(), **fastest);
  absl::StrAppend(&text, "\n");
  for (const BenchRow* row : rows) {
    if (row->has_peer() || row->has_problem() || ComparisonOf(report, *row) == nullptr) continue;
    absl::StrAppendFormat(&text, "%-16s %s\n", RowName(*row), ComparisonText(report, *row));
  }
  if (std::none_of(rows.begin(), rows.end(), [](const BenchRow* row) { return row->has_peer(); })) return text;
  std::stable_sort(rows.begin(), rows.end(), [](const BenchRow* a, const BenchRow* b) {
    if (a->peer().has_times_slower() != b->peer().has_times_slower()) return a->peer().has_times_slower();
    return a->peer().times_slower() < b->peer().times_slower();
  });
  absl::StrAppend(&text, "\npeers, each in turns with a row of ours on the same frames\n");
  for (const BenchRow* row : rows) {
    if (row->has_peer()) text += PeerLine(report, *row);
  }
  return text;
}

}  // namespace earshot
