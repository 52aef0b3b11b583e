#include "bench/html/summary_table.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/html/escape.h"
#include "bench/html/scale.h"
#include "bench/html/table.h"
#include "bench/machine.h"

namespace earshot {
namespace {

// The fastest of our rows, or of the frameworks'; null: none.
const BenchRow* Fastest(const BenchReport& report, bool peer) {
  const BenchRow* fastest = nullptr;
  for (const BenchRow& row : report.rows()) {
    if (row.has_peer() != peer || !Comparable(row) || Refused(report, row)) continue;
    if (fastest == nullptr || row.median_seconds() < fastest->median_seconds()) fastest = &row;
  }
  return fastest;
}

// "2.14× the time, slower (p 0.0079)", from the test where the record has one.
std::string Against(const BenchReport& report, const BenchRow& peer, const BenchRow& own) {
  const Comparison* one = FindComparison(report, peer.implementation(), own.implementation(), 0);
  const double ratio = one != nullptr && one->ratio() > 0 ? one->ratio() : peer.median_seconds() / own.median_seconds();
  std::string text = absl::StrFormat("%.2f× the time of %s", ratio, own.implementation());
  if (one == nullptr || one->verdict() == Comparison::REFUSED) return absl::StrCat(text, "; not tested");
  if (one->verdict() == Comparison::CANNOT_TELL) return absl::StrCat(text, "; cannot tell");
  absl::StrAppend(&text, one->verdict() == Comparison::SLOWER ? ": slower" : ": faster");
  return one->has_p_value() ? absl::StrFormat("%s (p %.2g)", text, one->p_value()) : text;
}

}  // namespace

std::string SummaryTable(const Records& records) {
  HtmlTable table("");
  table.AddColumn("configuration", Column::kText);
  table.AddColumn("fastest own row", Column::kText);
  table.AddColumn("time", Column::kNumber);
  table.AddColumn("of the peak", Column::kNumber);
  table.AddColumn("fastest framework", Column::kText);
  table.AddColumn("time", Column::kNumber);
  table.AddColumn("against ours", Column::kText);
  for (const Record& record : records.all()) {
    const BenchReport& report = record.report;
    if (IsSweep(report)) continue;
    const BenchRow *own = Fastest(report, /*peer=*/false), *peer = Fastest(report, /*peer=*/true);
    if (own == nullptr && peer == nullptr) continue;
    std::vector<std::string> cells = {
        absl::StrCat("<a href=\"#record-", record.anchor, "\">", Escape(report.config().name()), "</a>"),
        "none",
        "",
        "",
        "none",
        "",
        ""};
    if (Disturbed(report.machine())) absl::StrAppend(&cells[0], " <span class=\"bad\">disturbed</span>");
    if (own != nullptr) {
      cells[1] = Escape(own->implementation());
      cells[2] = TimeText(own->median_seconds());
      if (own->share_of_peak() > 0) cells[3] = absl::StrFormat("%.0f %%", 100 * own->share_of_peak());
    }
    if (peer != nullptr) {
      cells[4] = Escape(peer->implementation());
      cells[5] = TimeText(peer->median_seconds());
    }
    if (own != nullptr && peer != nullptr) cells[6] = Escape(Against(report, *peer, *own));
    table.AddRow(std::move(cells));
  }
  return table.Html();
}

}  // namespace earshot
