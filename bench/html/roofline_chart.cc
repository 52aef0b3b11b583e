// Phases and whole steps of a record under the machine's roofs.
#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/phase_timer.h"
#include "bench/bytes.h"
#include "bench/html/config_section.h"
#include "bench/html/escape.h"
#include "bench/html/roofline.h"
#include "bench/html/stacks.h"
#include "bench/limits.h"

namespace earshot {
namespace {

void Add(const RooflinePoint& point, Roofline* roofline) {
  if (Drawable(point.flops_per_byte) && Drawable(point.gflops)) roofline->points.push_back(point);
}

// The fastest own row that has phases; null: none.
const BenchRow* FastestWithPhases(const BenchReport& report) {
  const BenchRow* fastest = nullptr;
  for (const BenchRow& row : report.rows()) {
    if (!Timed(row) || row.has_peer() || row.phases_size() == 0) continue;
    if (fastest == nullptr || row.median_seconds() < fastest->median_seconds()) fastest = &row;
  }
  return fastest;
}

// Adds the row's phases that have products; what there is to say of the others, which have no place on the axis.
std::string AddPhases(const BenchReport& report, const BenchRow& row, Roofline* roofline) {
  const std::array<double, kNumPhases> flops = PhaseFlops(report.config(), row),
                                       bytes = PhaseBytes(report.config(), row);
  std::string others;
  for (int i = 0; i < kNumPhases; ++i) {
    const auto found = row.phases().find(PhaseName(static_cast<Phase>(i)));
    if (found == row.phases().end() || found->second <= 0 || bytes[i] <= 0) continue;
    const std::string name = PhaseLabel(found->first);
    if (flops[i] > 0) {
      Add({name, Family::kOwn, /*part=*/true, flops[i] / bytes[i], flops[i] * 1e-9 / found->second}, roofline);
    } else if (bytes[i] >= 1e6) {  // less fits into a cache
      absl::StrAppend(&others, others.empty() ? "" : ", ", name,
                      absl::StrFormat(" %.3g MB at %.3g GB/s", bytes[i] * 1e-6, bytes[i] * 1e-9 / found->second));
    }
  }
  return others;
}

// Whether it does the work that our count is of.
bool SameWork(const BenchRow& row) {
  return Comparable(row) && (!row.peer().has_macs_per_frame() || row.peer().macs_per_frame() == row.macs_per_frame());
}

}  // namespace

Figure RooflineChart(const Record& record) {
  const BenchReport& report = record.report;
  const BenchRow* fastest = FastestWithPhases(report);
  Roofline roofline = {report.peak_gflops(), report.memory_gb_per_second(), {}};
  if (fastest == nullptr || !Drawable(roofline.peak_gflops) || !Drawable(roofline.memory_gb_per_second)) return {};
  const std::string others = AddPhases(report, *fastest, &roofline);
  const double step_bytes = LeastBytes(report.config()).total();
  for (const BenchRow& row : report.rows()) {
    if (!SameWork(row)) continue;
    Add({row.implementation(), FamilyOf(row.implementation()), /*part=*/false, row.useful_gflop() * 1e9 / step_bytes,
         row.useful_gflop() / row.median_seconds()},
        &roofline);
  }
  if (roofline.points.empty()) return {};
  const std::string title = absl::StrCat("Roofline, ", report.config().name());
  std::string caption = absl::StrCat(
      "Both axes are logarithmic. <b>Rings:</b> phases of ", Escape(fastest->implementation()),
      "; <b>dots:</b> whole steps, all with the same operations and bytes. Bytes are those that a phase must move at "
      "least: every tensor once, nothing kept in a cache from one phase to the next. A point above the slope found its "
      "tensors in a cache. Both roofs were measured in the same processes as the rows: multiply-adds on all threads, "
      "and the fastest stream through memory. ");
  if (!others.empty()) absl::StrAppend(&caption, "Without products, so without a place here: ", others, ".");
  return MakeFigure(record.anchor + "_roofline", title, caption,
                    [&](double width) { return DrawRoofline(roofline, title, width); });
}

}  // namespace earshot
