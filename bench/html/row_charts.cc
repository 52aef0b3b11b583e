// Phases, speeds and raw steps of a record's rows.
#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "base/phase_timer.h"
#include "bench/html/config_section.h"
#include "bench/html/stacks.h"
#include "bench/html/strips.h"
#include "bench/limits.h"

namespace earshot {
namespace {

std::vector<const BenchRow*> FastestFirst(const BenchReport& report) {
  std::vector<const BenchRow*> rows;
  for (const BenchRow& row : report.rows()) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const BenchRow* a, const BenchRow* b) { return a->median_seconds() < b->median_seconds(); });
  return rows;
}

std::vector<const BenchRow*> RowsWithPhases(const BenchReport& report) {
  std::vector<const BenchRow*> rows = FastestFirst(report);
  const auto none = [](const BenchRow* row) { return !Timed(*row) || row->phases_size() == 0; };
  rows.erase(std::remove_if(rows.begin(), rows.end(), none), rows.end());
  return rows;
}

Stack RowStack(const BenchRow& row) {
  Stack stack;
  stack.label = row.implementation();
  for (int i = 0; i < kNumPhases; ++i) {
    const auto found = row.phases().find(PhaseName(static_cast<Phase>(i)));
    if (found != row.phases().end() && found->second > 0) stack.parts.push_back({found->first, found->second});
  }
  // A record of another version may have phases that this program does not know; none gets lost.
  for (const auto& phase : row.phases()) {
    const bool drawn = std::any_of(stack.parts.begin(), stack.parts.end(),
                                   [&](const StackPart& part) { return part.phase == phase.first; });
    if (!drawn && phase.second > 0) stack.parts.push_back({phase.first, phase.second});
  }
  stack.remainder_seconds = std::max(0.0, row.remainder_seconds());
  return stack;
}

}  // namespace

Figure PhaseChart(const Record& record) {
  std::vector<Stack> stacks;
  for (const BenchRow* row : RowsWithPhases(record.report)) stacks.push_back(RowStack(*row));
  if (stacks.empty()) return {};
  const std::string title = absl::StrCat("Where the time of a step goes, ", record.report.config().name());
  return MakeFigure(
      record.anchor + "_phases", title,
      "Shares of the step whose time is the median, own rows. Phases follow each other on one thread, so "
      "that their sum can be checked: what is missing is the remainder (red, drawn at least two pixels wide).",
      [&](double width) { return DrawStacks(stacks, title, width); });
}

Figure SpeedChart(const Record& record) {
  const std::vector<const BenchRow*> rows = RowsWithPhases(record.report);
  if (rows.empty() || !(record.report.peak_gflops() > 0)) return {};
  const BenchRow& row = *rows[0];
  const std::array<double, kNumPhases> flops = PhaseFlops(record.report.config(), row);
  std::vector<PhaseSpeed> speeds;
  for (int i = 0; i < kNumPhases; ++i) {
    const auto found = row.phases().find(PhaseName(static_cast<Phase>(i)));
    if (found == row.phases().end() || found->second <= 0 || flops[i] <= 0) continue;
    speeds.push_back({found->first, found->second, flops[i] * 1e-9});
  }
  if (speeds.empty()) return {};
  const std::string title =
      absl::StrCat("Share of the peak by phase, ", row.implementation(), " on ", record.report.config().name());
  return MakeFigure(
      record.anchor + "_speeds", title,
      "Useful floating-point operations of each phase a second, against the roof of fused multiply-adds on all "
      "threads, measured in the same process. Behind each bar: its time, and the time at the roof.",
      [&](double width) { return DrawSpeeds(speeds, record.report.peak_gflops(), title, width); });
}

Figure StepsChart(const Record& record) {
  std::vector<Strip> strips;
  for (const BenchRow* one : FastestFirst(record.report)) {
    const BenchRow& row = *one;
    Strip strip{row.implementation(), FamilyOf(row.implementation()), {}};
    for (const BlockSamples& block : row.blocks()) {
      if (block.step_seconds_size() == 0) continue;
      StripBlock one;
      one.seconds.assign(block.step_seconds().begin(), block.step_seconds().end());
      one.warm_up = block.warm_up();
      one.disturbed = block.disturbed();
      for (const BlockRecord& known : record.report.blocks()) {
        if (known.block() == block.block()) one.disturbed = one.disturbed || known.disturbed();
      }
      strip.blocks.push_back(std::move(one));
    }
    if (!strip.blocks.empty()) strips.push_back(std::move(strip));
  }
  if (strips.empty()) return {};
  const std::string title = absl::StrCat("Raw steps, ", record.report.config().name());
  return MakeFigure(
      record.anchor + "_steps", title,
      "Every step as measured, not extrapolated, in its order; a rule between processes. Hollow: before the "
      "steady state, or in a process that others disturbed; these count for nothing. Each strip has its own "
      "scale, from the fastest to the slowest step that counts, both printed; slower ones lie on its edge.",
      [&](double width) { return DrawStrips(strips, title, width); });
}

}  // namespace earshot
