#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/html/bars.h"
#include "bench/html/config_section.h"
#include "bench/html/escape.h"
#include "bench/html/family.h"
#include "bench/html/scale.h"
#include "bench/machine.h"

namespace earshot {
namespace {

// Raffel's training set: what an epoch is.
constexpr double kEpochFrames = 148668;

// To the fastest row: as compared in turns where the record has that, else by the medians.
double RatioTo(const BenchReport& report, const BenchRow& row, const BenchRow& fastest) {
  const Comparison* one = FindComparison(report, row.implementation(), fastest.implementation(), row.at());
  if (one != nullptr && one->ratio() > 0) return one->ratio();
  if (row.peer().has_times_slower() && row.peer().beside() == fastest.implementation()) {
    return row.peer().times_slower();
  }
  return row.median_seconds() / fastest.median_seconds();
}

Bar RowBar(const Record& record, const BenchRow& row, const BenchRow* fastest) {
  Bar bar;
  bar.label = row.implementation();
  bar.seconds = row.median_seconds();
  bar.low = row.low_seconds();
  bar.high = row.high_seconds();
  bar.family = FamilyOf(row.implementation());
  bar.scaled = row.scaled_frames() > 0;
  bar.pale = !Comparable(row) || Refused(record.report, row);
  if (fastest != nullptr && !bar.pale) bar.ratio = RatioTo(record.report, row, *fastest);
  if (!Comparable(row)) {
    bar.note = "another function";
  } else if (bar.pale) {
    bar.note = "not compared";
  } else if (bar.scaled) {
    bar.note = absl::StrCat("from ", CountText(row.scaled_frames()), " frames");
  }
  if ((record.config == "R-N" || record.config == "R-S2") && row.valid_frames() > 0) {
    absl::StrAppend(&bar.note, bar.note.empty() ? "" : "; ",
                    absl::StrFormat("%.3g s an epoch", row.median_seconds() * kEpochFrames / row.valid_frames()));
  }
  bar.hint = absl::StrCat(row.implementation(), ": ", TimeText(row.median_seconds()), ", p10 ",
                          TimeText(row.p10_seconds()), ", p90 ", TimeText(row.p90_seconds()), ", n ", row.n());
  return bar;
}

Bar PublishedBar(const PublishedResult& result, const std::string& label) {
  Bar bar;
  bar.label = label;
  bar.seconds = result.seconds();
  if (result.has_high_seconds()) {
    bar.seconds = (result.seconds() + result.high_seconds()) / 2;
    bar.low = result.seconds();
    bar.high = result.high_seconds();
  } else if (result.has_sd_seconds()) {
    bar.low = result.seconds() - result.sd_seconds();
    bar.high = result.seconds() + result.sd_seconds();
  }
  bar.family = Family::kPublished;
  bar.ratio = result.ratio();
  bar.note = result.note();
  bar.hint = absl::StrCat(result.row(), ": ", result.implementation(), " ", result.version());
  return bar;
}

BarPanel WorkPanel(const PublishedWork& work, const std::string& config) {
  BarPanel panel;
  bool epoch = false;
  for (const PublishedResult& result : work.result()) {
    if (result.config() != config || result.versions_only() || !result.has_seconds()) continue;
    epoch = result.epoch();
    panel.bars.push_back(PublishedBar(result, absl::StrCat(result.implementation(), " ", result.version())));
  }
  // A work's own ratios are of times that had more digits.
  const std::vector<Bar> bars = panel.bars;
  RankBars(&panel.bars);
  for (const Bar& bar : bars) {
    for (Bar& ranked : panel.bars) {
      if (bar.ratio > 0 && ranked.label == bar.label) ranked.ratio = bar.ratio;
    }
  }
  panel.title =
      absl::StrCat(work.name(), epoch ? ", seconds an epoch" : "", ": ", work.hardware(), ". ", work.caveat());
  return panel;
}

// The works' row whose versions these are.
const char* PublishedRow(const std::string& base) {
  const std::pair<const char*, const char*> kRows[] = {
      {"torch:lstm", "B-L3"}, {"torch:packed", "B-L3"}, {"torch:cell", "B-L2"}, {"torch:basic", "B-L1"}};
  for (const auto& [name, row] : kRows) {
    if (base == name) return row;
  }
  return "";
}

BarPanel PublishedVersions(const Published& published, const std::string& config, const std::string& row) {
  BarPanel panel;
  for (const PublishedWork& work : published.works) {
    for (const PublishedResult& result : work.result()) {
      if (result.config() != config || result.row() != row || !result.has_seconds() || result.epoch()) continue;
      panel.bars.push_back(PublishedBar(result, absl::StrCat("PyTorch ", result.version())));
      panel.title = absl::StrCat("Published: ", work.name(), ", ", result.implementation(), ": ", work.hardware(), ".");
    }
  }
  RankBars(&panel.bars);
  return panel;
}

std::vector<std::string> BaseNames(const Records& records, const std::string& config) {
  std::vector<std::string> names;
  for (const Record& record : records.all()) {
    if (record.config != config) continue;
    for (const BenchRow& row : record.report.rows()) {
      const std::string name = BaseName(row.implementation());
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

Bar VersionBar(const VersionedRow& versioned) {
  const BenchRow& row = *versioned.row;
  Bar bar;
  bar.label = versioned.version;
  bar.seconds = row.median_seconds();
  bar.low = row.low_seconds();
  bar.high = row.high_seconds();
  bar.family = FamilyOf(row.implementation());
  bar.scaled = row.scaled_frames() > 0;
  bar.pale = !Comparable(row);
  if (bar.pale) bar.note = "another function";
  return bar;
}

}  // namespace

Figure FrameworkChart(const Record& record, const Published& published) {
  std::vector<BarPanel> panels(1);
  const BenchRow* fastest = FastestRow(record.report);
  bool scaled = false;
  for (const BenchRow& row : record.report.rows()) {
    if (!Timed(row)) continue;
    panels[0].bars.push_back(RowBar(record, row, fastest));
    scaled = scaled || row.scaled_frames() > 0;
  }
  std::stable_sort(panels[0].bars.begin(), panels[0].bars.end(),
                   [](const Bar& a, const Bar& b) { return a.seconds < b.seconds; });
  for (const PublishedWork& work : published.works) {
    BarPanel panel = WorkPanel(work, PublishedId(record.report.config()));
    if (!panel.bars.empty()) panels.push_back(std::move(panel));
  }
  const MachineRecord& m = record.report.machine();
  std::string caption =
      absl::StrCat("Median time and its ratio to the fastest row; whiskers: 95 % bootstrap interval. ", Escape(m.cpu()),
                   ", ", ThreadsText(m), m.has_commit() ? ", commit " : "", Escape(m.commit().substr(0, 10)), ". ");
  if (scaled) absl::StrAppend(&caption, "<b>Hatched:</b> measured on fewer frames and extrapolated. ");
  absl::StrAppend(&caption, "A bar with a gap is cut; its numbers are right.");
  const bool loss = record.report.config().measured() == BenchConfig::LOSS;
  const std::string title = absl::StrCat(loss ? "Time of the loss and its gradient, " : "Time of a training step, ",
                                         record.report.config().name());
  return MakeFigure(record.anchor + "_frameworks", title, caption,
                    [&](double width) { return DrawBars(panels, title, width); });
}

Figure VersionChart(const Records& records, const std::string& config, const Published& published) {
  std::vector<BarPanel> panels;
  for (const std::string& base : BaseNames(records, config)) {
    const std::vector<VersionedRow> rows = records.Versions(config, base);
    if (rows.size() < 2) continue;
    BarPanel panel;
    panel.title = base;
    panel.names_row = true;
    for (const VersionedRow& row : rows) panel.bars.push_back(VersionBar(row));
    RankBars(&panel.bars);
    panels.push_back(std::move(panel));
    BarPanel past = PublishedVersions(published, config, PublishedRow(base));
    if (!past.bars.empty()) panels.push_back(std::move(past));
  }
  if (panels.empty()) return {};
  const std::string title = absl::StrCat("Versions, ", config);
  return MakeFigure(
      absl::StrCat(Slug(config), "_versions"), title,
      "The same row at two versions. Grey: published figures of another machine. Versions of ours come from "
      "different runs; <code>//bench:compare</code> tests whether they differ.",
      [&](double width) { return DrawBars(panels, title, width); });
}

}  // namespace earshot
