#include "bench/html/page.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/html/config_section.h"
#include "bench/html/coverage.h"
#include "bench/html/environment_tables.h"
#include "bench/html/escape.h"
#include "bench/html/family.h"
#include "bench/html/scale.h"
#include "bench/html/series_charts.h"
#include "bench/html/style.h"
#include "bench/html/summary_table.h"
#include "bench/machine.h"

namespace earshot {
namespace {

class PageWriter {
 public:
  PageWriter(const Records& records, const Published& published) : records_(records), published_(published) {}

  Page Write() {
    Header();
    Claims();
    for (const Record& record : records_.all()) RecordSection(record);
    Versions();
    Tables();
    Append(
        "</main>\n<footer>Made by <code>bazel run //bench:report</code>. Every number comes from the records named "
        "above or, "
        "where it says so, from the published works.</footer>\n</body></html>\n");
    return std::move(page_);
  }

 private:
  template <typename... Parts>
  void Append(const Parts&... parts) {
    absl::StrAppend(&page_.html, parts...);
  }

  // Nothing for a figure without a title: there was nothing to draw.
  void Add(Figure figure) {
    if (figure.title.empty()) return;
    Append("<figure id=\"", figure.id, "\">\n<h3>", Escape(figure.title), "</h3>\n<div class=\"wide\">", figure.wide,
           "</div>\n<div class=\"narrow\">", figure.narrow, "</div>\n<figcaption>", figure.caption,
           "</figcaption>\n</figure>\n");
    page_.figures.push_back(std::move(figure));
  }

  void Header();
  void Claims();
  void RecordSection(const Record& record);
  void Steps(const Record& record);
  void Versions();
  void Tables();

  const Records& records_;
  const Published& published_;
  Page page_;
};

// "AMD EPYC, 2 threads; commit 1a2b3c4d5e" of every machine that the records name.
std::string Machines(const Records& records) {
  std::vector<std::string> seen;
  for (const Record& record : records.all()) {
    const MachineRecord& m = record.report.machine();
    const std::string text = absl::StrCat(Escape(m.cpu().empty() ? "unknown machine" : m.cpu()), ", ", ThreadsText(m),
                                          "; commit ", Escape(m.has_commit() ? m.commit().substr(0, 10) : "unknown"));
    if (std::find(seen.begin(), seen.end(), text) == seen.end()) seen.push_back(text);
  }
  std::string html;
  for (const std::string& text : seen) absl::StrAppend(&html, html.empty() ? "" : "<br>", text);
  return html;
}

// The configuration's name; with the number of the record where several have it.
std::string Heading(const Records& records, const Record& record) {
  int same = 0, number = 0;
  for (const Record& other : records.all()) {
    if (other.report.config().name() != record.report.config().name()) continue;
    ++same;
    if (&other == &record) number = same;
  }
  return same > 1 ? absl::StrCat(record.report.config().name(), ", record ", number) : record.report.config().name();
}

std::string DisturbedRecords(const Records& records) {
  std::string names;
  for (const Record& record : records.all()) {
    if (Disturbed(record.report.machine())) absl::StrAppend(&names, names.empty() ? "" : ", ", Escape(record.file));
  }
  return names;
}

std::string ColourKey(const Records& records) {
  std::string key = "<ul class=\"key\">";
  for (Family family :
       {Family::kOwn, Family::kPyTorch, Family::kTensorFlow, Family::kJax, Family::kTheano, Family::kOther}) {
    const bool used = std::any_of(records.all().begin(), records.all().end(), [&](const Record& record) {
      const auto& rows = record.report.rows();
      return std::any_of(rows.begin(), rows.end(),
                         [&](const BenchRow& row) { return FamilyOf(row.implementation()) == family; });
    });
    if (used) {
      absl::StrAppend(
          &key, "<li><svg width=\"11\" height=\"11\" aria-hidden=\"true\"><rect width=\"11\" height=\"11\" class=\"",
          FillClass(family), "\"/></svg>", FamilyName(family), "</li>");
    }
  }
  return absl::StrCat(
      key, "<li><svg width=\"11\" height=\"11\" aria-hidden=\"true\"><rect width=\"11\" height=\"11\" class=\"",
      FillClass(Family::kPublished), "\"/></svg>published figures</li></ul>\n");
}

void PageWriter::Header() {
  Append(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      // No script, no network: not even by a mistake of this program.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
      "data:\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>Earshot: LSTM training benchmarks</title>\n<style>",
      PageStyle(), "</style></head>\n<body>\n<header>\n<h1>LSTM training, measured</h1>\n<p class=\"lead\">",
      records_.all().size(), records_.all().size() == 1 ? " record" : " records",
      " of Earshot's benchmarks, beside the figures of the two works that they follow: "
      "Braun 2018 (arXiv 1806.01818) and Raffel 2014/15 (lstm_benchmarks).</p>\n<p class=\"muted\">",
      Machines(records_), "</p>\n");
  const std::string disturbed = DisturbedRecords(records_);
  if (!disturbed.empty()) {
    Append("<p class=\"warning\"><b>Disturbed:</b> other programs or the host took part of the machine during ",
           disturbed, ". Take no figure from there.</p>\n");
  }
  Append("<nav aria-label=\"Parts of this page\"><ul><li><a href=\"#claims\">Claims</a></li>");
  for (const Record& record : records_.all())
    Append("<li><a href=\"#record-", record.anchor, "\">", Escape(Heading(records_, record)), "</a></li>");
  Append(
      "<li><a href=\"#versions\">Versions</a></li><li><a href=\"#tables\">Tables</a></li><li><a "
      "href=\"#findings\">Findings</a></li>"
      "<li><a href=\"#coverage\">Coverage</a></li></ul></nav>\n",
      ColourKey(records_), "</header>\n<main>\n");
}

void PageWriter::Claims() {
  const std::string summary = SummaryTable(records_);
  if (!summary.empty()) Append("<h2 id=\"summary\">At a glance</h2>\n", summary);
  Append("<h2 id=\"claims\">What the records say to the works' claims</h2>\n");
  if (!DisturbedRecords(records_).empty()) {
    Append(
        "<p class=\"warning\">Disturbed records, named above, answer where there is no other record of the "
        "same.</p>\n");
  }
  Append(ClaimTable(published_, records_));
}

void PageWriter::RecordSection(const Record& record) {
  const BenchReport& report = record.report;
  Append("<h2 id=\"record-", record.anchor, "\">", Escape(Heading(records_, record)), "</h2>\n<p>",
         Escape(report.config().summary()));
  if (report.config().has_stands_for())
    Append(" <span class=\"muted\">Stands for ", Escape(report.config().stands_for()), ".</span>");
  Append("</p>\n<p class=\"muted\">", Escape(record.file), "</p>\n");
  if (IsSweep(report)) {
    Add(SweepChart(record));
    Add(SweepFrameChart(record));
    Append(LeftOut(report), "<details><summary>Derived table</summary>\n", DerivedTable(report), "</details>\n");
  } else if (report.rows_size() > 0) {
    Steps(record);
  }
  if (report.curves_size() == 0) return;
  Add(ErrorPerEpochChart(record));
  Add(ErrorPerSecondChart(record));
  Append(CurveTable(report));
}

void PageWriter::Steps(const Record& record) {
  Add(FrameworkChart(record, published_));
  Append(LeftOut(record.report), DerivedTable(record.report));
  if (record.report.config().measured() == BenchConfig::TRAINING_STEP) {
    Add(PhaseChart(record));
    Add(SpeedChart(record));
    Add(RooflineChart(record));
  }
  Add(StepsChart(record));
}

void PageWriter::Versions() {
  Append("<h2 id=\"versions\">Versions</h2>\n");
  std::vector<std::string> configs;
  const size_t before = page_.figures.size();
  for (const Record& record : records_.all()) {
    if (std::find(configs.begin(), configs.end(), record.config) != configs.end()) continue;
    configs.push_back(record.config);
    Add(VersionChart(records_, record.config, published_));
  }
  if (page_.figures.size() == before) Append("<p class=\"muted\">No row is in these records in two versions.</p>\n");
}

void PageWriter::Tables() {
  Append("<h2 id=\"tables\">Tables</h2>\n", EnvironmentTable(records_), ImplementationTable(records_, published_),
         BenchmarkTable(records_), PublishedErrorTable(published_));
  Append("<h2 id=\"findings\">Errors of the works, and the rule that keeps each out</h2>\n", FindingTable(published_));
  Append("<h2 id=\"coverage\">Coverage: every row of the two works</h2>\n", CoverageTable(published_, records_));
}

}  // namespace

Page RenderPage(const Records& records, const Published& published) { return PageWriter(records, published).Write(); }

}  // namespace earshot
