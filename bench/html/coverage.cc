#include "bench/html/coverage.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "bench/html/claims.h"
#include "bench/html/escape.h"
#include "bench/html/family.h"
#include "bench/html/scale.h"
#include "bench/html/table.h"

namespace earshot {
namespace {

constexpr int kMostShown = 4;  // of one row's evidence

std::string StatusName(CoverageRow::Status status) {
  switch (status) {
    case CoverageRow::REPRODUCED:
      return "reproduced by";
    case CoverageRow::ANSWERED:
      return "answered by";
    case CoverageRow::CANNOT:
      return "cannot";
  }
  return "";
}

std::string RowEvidence(const CoverageRow::Evidence& evidence, const Records& records) {
  if (evidence.config().empty()) return records.all().empty() ? "" : absl::StrCat(records.all().size(), " records");
  if (evidence.row().empty()) {
    const Record* record = records.Find(evidence.config());
    if (record == nullptr) return "";
    const auto& rows = record->report.rows();
    return absl::StrCat(evidence.config(), ": ", std::count_if(rows.begin(), rows.end(), Timed), " rows timed");
  }
  const BenchRow* row = records.Row(evidence.config(), evidence.row());
  if (row == nullptr) return "";
  return absl::StrCat(evidence.row(), " on ", evidence.config(), " ", TimeText(row->median_seconds()));
}

std::string VersionEvidence(const CoverageRow::Evidence& evidence, const Records& records) {
  for (const Record& record : records.all()) {
    if (!evidence.config().empty() && record.config != evidence.config()) continue;
    for (const BenchRow& row : record.report.rows()) {
      const std::vector<VersionedRow> versions = records.Versions(record.config, BaseName(row.implementation()));
      if (versions.size() < 2) continue;
      return absl::StrCat(BaseName(row.implementation()), " of ", versions[0].version, " and ", versions[1].version,
                          " on ", record.config);
    }
  }
  return "";
}

// Nothing when the records do not show it.
std::string OneEvidence(const CoverageRow::Evidence& evidence, const Records& records) {
  switch (evidence.kind()) {
    case CoverageRow::Evidence::ROW:
      return RowEvidence(evidence, records);
    case CoverageRow::Evidence::LOSS:
      return records.Losses().empty() ? "" : records.Losses()[0]->report.config().name();
    case CoverageRow::Evidence::SWEEP: {
      for (const Record* sweep : records.Sweeps(evidence.config())) {
        const std::string& axis = sweep->report.config().axis();
        if (absl::StrContains(axis, evidence.axis())) return absl::StrCat("sweep over ", axis);
      }
      return "";
    }
    case CoverageRow::Evidence::CURVES:
      return records.HasCurves() ? "training curves" : "";
    case CoverageRow::Evidence::VERSIONS:
      return VersionEvidence(evidence, records);
  }
  return "";
}

const char* GroupName(CoverageRow::Group group) {
  switch (group) {
    case CoverageRow::SYSTEM:
      return "Systems";
    case CoverageRow::VARIANT:
      return "Variants";
    case CoverageRow::CONFIGURATION:
      return "Configurations";
    case CoverageRow::MEASUREMENT:
      return "Measurements";
    case CoverageRow::CLAIM:
      return "Claims";
    case CoverageRow::FIGURE:
      return "Tables, figures and outputs";
    case CoverageRow::FINDING:
      return "Findings";
  }
  return "";
}

// What of a kind the records lack, where neither a configuration nor a row is named.
std::string MissingText(const CoverageRow::Evidence& evidence) {
  switch (evidence.kind()) {
    case CoverageRow::Evidence::ROW:
      return "any record";
    case CoverageRow::Evidence::LOSS:
      return "a loss that was timed alone";
    case CoverageRow::Evidence::SWEEP:
      return absl::StrCat("a sweep over ", evidence.axis());
    case CoverageRow::Evidence::CURVES:
      return "training curves";
    case CoverageRow::Evidence::VERSIONS:
      return "two versions of a row";
  }
  return "";
}

std::string Command(const CoverageRow& row) {
  return row.has_command() ? absl::StrCat(" <code>", Escape(row.command()), "</code>") : "";
}

}  // namespace

std::string EvidenceText(const CoverageRow& row, const Records& records) {
  std::vector<std::string> shown, missing;
  for (const CoverageRow::Evidence& evidence : row.evidence()) {
    const std::string text = OneEvidence(evidence, records);
    if (!text.empty()) {
      if (std::find(shown.begin(), shown.end(), text) == shown.end()) shown.push_back(text);
    } else if (evidence.has_config() || evidence.has_row()) {
      missing.push_back(absl::StrCat(evidence.row(), evidence.has_row() ? " on " : "", evidence.config()));
    } else {
      missing.push_back(MissingText(evidence));
    }
  }
  const int more = std::max<int>(0, static_cast<int>(shown.size()) - kMostShown);
  shown.resize(shown.size() - more);
  std::string text = absl::StrJoin(shown, "; ");
  if (more > 0) absl::StrAppend(&text, "; and ", more, " more");
  if (!shown.empty() || missing.empty()) return text;
  return absl::StrCat("not in these records: ", absl::StrJoin(missing, ", "));
}

std::string CoverageTable(const Published& published, const Records& records) {
  std::string html;
  for (CoverageRow::Group group : {CoverageRow::SYSTEM, CoverageRow::VARIANT, CoverageRow::CONFIGURATION,
                                   CoverageRow::MEASUREMENT, CoverageRow::FIGURE}) {
    HtmlTable table(GroupName(group));
    for (const char* title : {"id", "what", "here", "in these records"}) table.AddColumn(title, Column::kText);
    for (const CoverageRow& row : published.coverage.row()) {
      if (row.group() != group) continue;
      const std::string evidence = EvidenceText(row, records);
      const bool missing = absl::string_view(evidence).substr(0, 6) == "not in";
      table.AddRow({Escape(row.id()), Escape(row.what()),
                    absl::StrCat("<b>", StatusName(row.status()), ":</b> ", Escape(row.how())),
                    absl::StrCat(Escape(evidence), missing ? Command(row) : "")});
    }
    absl::StrAppend(&html, table.Html());
  }
  return html;
}

std::string ClaimTable(const Published& published, const Records& records) {
  HtmlTable table("");
  for (const char* title : {"id", "claim or question", "what these records say"}) table.AddColumn(title, Column::kText);
  for (const CoverageRow& row : published.coverage.row()) {
    if (row.group() != CoverageRow::CLAIM) continue;
    const ClaimAnswer answer = AnswerClaim(row.id(), records);
    std::string text;
    if (answer.text.empty()) {
      text = absl::StrCat("<span class=\"muted\">Not answered by these records: needs ", Escape(answer.needs), ".",
                          Command(row), "</span>");
    } else {
      text = Escape(answer.text);
      if (!answer.figure.empty()) absl::StrAppend(&text, " <a href=\"#", answer.figure, "\">figure</a>");
    }
    table.AddRow({Escape(row.id()), Escape(row.what()), text});
  }
  return table.Html();
}

std::string FindingTable(const Published& published) {
  HtmlTable table("");
  for (const char* title : {"id", "what went wrong there", "the rule here", "what enforces it"}) {
    table.AddColumn(title, Column::kText);
  }
  for (const CoverageRow& row : published.coverage.row()) {
    if (row.group() == CoverageRow::FINDING) {
      table.AddRow({Escape(row.id()), Escape(row.what()), Escape(row.how()), Escape(row.where())});
    }
  }
  return table.Html();
}

}  // namespace earshot
