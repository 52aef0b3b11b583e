// What follows from a record's samples, a line a row, and what was not compared.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bench/html/config_section.h"
#include "bench/html/escape.h"
#include "bench/html/family.h"
#include "bench/html/scale.h"
#include "bench/html/table.h"

namespace earshot {
namespace {

// "simd", "simd at 16" in a sweep.
std::string NameAt(const std::string& name, bool has_at, double at) {
  return has_at ? absl::StrCat(name, " at ", TickLabel(at)) : name;
}

std::string Item(const std::string& name, const std::string& css, const std::string& text) {
  return absl::StrCat("<li><b>", Escape(name), "</b> <span class=\"", css, "\">", Escape(text), "</span></li>\n");
}

std::string Against(const BenchReport& report, const BenchRow& row, const BenchRow* fastest) {
  if (fastest == nullptr) return "nothing to compare with";
  if (&row == fastest) return "fastest";
  if (!Comparable(row))
    return absl::StrCat("another function", row.peer().note().empty() ? "" : ": ", row.peer().note());
  const Comparison* one = FindComparison(report, row.implementation(), fastest->implementation(), row.at());
  // A framework's row took turns with one of ours, which need not be the fastest of all.
  const bool other = one == nullptr;
  if (other) one = FindComparison(report, row.implementation(), "", row.at());
  if (one == nullptr) {
    return absl::StrFormat("%.2f× by the medians; not tested", row.median_seconds() / fastest->median_seconds());
  }
  if (one->verdict() == Comparison::REFUSED) return absl::StrCat("not compared: ", one->reason());
  std::string text = absl::StrFormat("%.2f×", one->ratio());
  if (other) absl::StrAppend(&text, " of ", one->other());
  if (one->high() > one->low()) absl::StrAppendFormat(&text, " (%.2f to %.2f)", one->low(), one->high());
  if (one->verdict() == Comparison::CANNOT_TELL) {  // its reason says so in these words
    return absl::StrCat(text, ", ", one->has_reason() ? one->reason() : "cannot tell");
  }
  absl::StrAppend(&text, one->verdict() == Comparison::SLOWER ? ", slower" : ", faster");
  if (one->has_p_value()) absl::StrAppendFormat(&text, ", p %.2g", one->p_value());
  return text;
}

std::vector<std::string> Cells(const BenchReport& report, const BenchRow& row, const BenchRow* fastest) {
  const auto number = [](bool known, double value) { return known ? absl::StrFormat("%.4g", value) : std::string(); };
  std::string median = TimeText(row.median_seconds());
  if (row.high_seconds() > row.low_seconds()) {
    absl::StrAppend(&median, "<br><span class=\"muted\">", RangeText(row.low_seconds(), row.high_seconds()), "</span>");
  }
  std::string speed;
  if (row.useful_gflop() > 0) {
    speed = absl::StrFormat("%.1f<br><span class=\"muted\">%.1f %%</span>", row.useful_gflop() / row.median_seconds(),
                            100 * row.share_of_peak());
  }
  std::string seed;
  if (row.has_seed_mean_seconds()) {
    seed = absl::StrCat(TimeText(row.seed_mean_seconds()), "<br><span class=\"muted\">± ",
                        TimeText(row.seed_sd_seconds()), "</span>");
  }
  std::string n = absl::StrCat(row.n());
  if (row.blocks_size() > 0) absl::StrAppend(&n, " in ", row.blocks_size());
  std::string name = Escape(row.implementation());
  if (row.scaled_frames() > 0) absl::StrAppend(&name, "<br><span class=\"muted\">scaled</span>");
  return {name,
          median,
          absl::StrCat(TimeText(row.p10_seconds()), "<br>", TimeText(row.p90_seconds())),
          n,
          speed,
          number(row.has_microseconds_per_dependent_step(), row.microseconds_per_dependent_step()),
          number(row.has_microseconds_per_valid_frame(), row.microseconds_per_valid_frame()),
          row.has_memory_bytes() ? BytesText(static_cast<double>(row.memory_bytes())) : "",
          seed,
          Escape(Against(report, row, fastest))};
}

std::string Caption(const BenchReport& report, const BenchRow& row) {
  std::string text;
  if (!IsSweep(report)) {
    text = absl::StrFormat("%s valid frames a step; %.0f %% of a padded batch would be padding. ",
                           CountText(row.valid_frames()), 100 * row.padding_ratio());
    if (row.parameters() > 0) absl::StrAppend(&text, CountText(row.parameters()), " parameters. ");
  }
  if (row.useful_gflop() > 0) {
    absl::StrAppendFormat(&text, "GFLOP are useful ones, of valid frames only; the peak is %.0f GFLOP/s.",
                          report.peak_gflops());
  }
  return text;
}

}  // namespace

std::string LeftOut(const BenchReport& report) {
  std::string items;
  std::vector<std::string> absent;
  for (const BenchRow& row : report.rows()) {
    const std::string name = NameAt(row.implementation(), row.has_at(), row.at());
    if (row.peer().has_absent()) {
      const std::string why = absl::StrCat(row.implementation(), " (", row.peer().absent(), ")");
      if (std::find(absent.begin(), absent.end(), why) == absent.end()) absent.push_back(why);
    } else if (Wrong(row)) {
      const std::string problem = row.has_problem() ? row.problem() : "not compared with the reference";
      absl::StrAppend(&items, Item(name, "bad", absl::StrCat("wrong: ", problem)));
    } else if (!row.peer().comparable()) {
      absl::StrAppend(&items, Item(name, "", absl::StrCat("another function: ", row.peer().note())));
    }
  }
  for (const Comparison& one : report.comparisons()) {
    // What is wrong, absent or another function is listed as such.
    const auto row = std::find_if(report.rows().begin(), report.rows().end(), [&](const BenchRow& other) {
      return other.implementation() == one.row() && other.at() == one.at();
    });
    if (one.verdict() != Comparison::REFUSED || (row != report.rows().end() && !Comparable(*row))) continue;
    absl::StrAppend(&items, Item(NameAt(absl::StrCat(one.row(), " and ", one.other()), one.has_at(), one.at()), "",
                                 absl::StrCat("not compared: ", one.reason())));
  }
  if (!absent.empty()) absl::StrAppend(&items, Item("Not here:", "muted", absl::StrJoin(absent, "; ")));
  return items.empty() ? "" : absl::StrCat("<ul class=\"notes\">\n", items, "</ul>\n");
}

std::string DerivedTable(const BenchReport& report) {
  std::vector<const BenchRow*> rows;
  for (const BenchRow& row : report.rows()) {
    if (Timed(row)) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const BenchRow* a, const BenchRow* b) {
    if (a->at() != b->at()) return a->at() < b->at();
    return a->median_seconds() < b->median_seconds();
  });
  if (rows.empty()) return "";
  const bool sweep = IsSweep(report);
  HtmlTable table(Caption(report, *rows[0]));
  table.AddColumn("row", Column::kText);
  for (const char* title : {"median, 95 % interval", "p10, p90", "n in blocks", "GFLOP/s, of peak",
                            "µs a dependent step", "µs a valid frame", "memory", "works' mean ± sd"}) {
    table.AddColumn(title, Column::kNumber);
  }
  table.AddColumn("against the fastest", Column::kText);
  for (const BenchRow* row : rows) {
    std::vector<std::string> cells = Cells(report, *row, FastestRow(report, row->at()));
    if (sweep) cells[0] = absl::StrCat(Escape(report.config().axis()), " ", TickLabel(row->at()), ", ", cells[0]);
    table.AddRow(std::move(cells));
  }
  return table.Html();
}

}  // namespace earshot
