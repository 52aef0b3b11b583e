#include "bench/html/claim_lines.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bench/html/ratios.h"
#include "bench/html/scale.h"
#include "bench/html/series_charts.h"
#include "bench/training_curve.h"

namespace earshot {
namespace {

// The fastest own row with phases; null: none.
const BenchRow* OwnRow(const Record* record) {
  const BenchRow* found = nullptr;
  if (record == nullptr) return found;
  for (const BenchRow& row : record->report.rows()) {
    if (!Timed(row) || row.phases_size() == 0) continue;
    if (found == nullptr || row.median_seconds() < found->median_seconds()) found = &row;
  }
  return found;
}

double PhaseShare(const BenchRow& row, const char* phase) {
  double total = row.remainder_seconds();
  for (const auto& one : row.phases()) total += one.second;
  const auto found = row.phases().find(phase);
  return found == row.phases().end() || !(total > 0) ? 0 : found->second / total;
}

const BenchRow* FastestOf(const Record* record) { return record == nullptr ? nullptr : FastestRow(record->report); }

}  // namespace

// Rows on B-C4 against the same on B-C3: a step, and a valid frame.
ClaimAnswer VariableLength(const Records& records) {
  Parts parts;
  const Record* ragged = records.Find("B-C4");
  if (ragged != nullptr) {
    for (const BenchRow& row : ragged->report.rows()) {
      const BenchRow* fixed = records.Row("B-C3", row.implementation());
      if (!Comparable(row) || fixed == nullptr || fixed->valid_frames() == 0 || row.valid_frames() == 0) continue;
      const double step = row.median_seconds() / fixed->median_seconds();
      parts.push_back(absl::StrFormat("%s %.2f× a step, %.2f× a valid frame", row.implementation(), step,
                                      step * fixed->valid_frames() / row.valid_frames()));
    }
  }
  return Answer(parts, "B-C4 over B-C3: ", FrameworksId(records, "B-C4"), "one row on B-C3 and B-C4");
}

ClaimAnswer Deviations(const Records& records) {
  Parts parts;
  for (const char* name : {"torch:lstm", "torch:cell", "torch:basic"}) {
    const std::vector<VersionedRow> versions = records.Versions("B-C1", name);
    if (versions.size() < 2) continue;
    for (const VersionedRow& one : versions) {
      if (!(one.row->seed_mean_seconds() > 0)) continue;
      parts.push_back(absl::StrFormat("%s of %s %.1f %%", name, one.version,
                                      100 * one.row->seed_sd_seconds() / one.row->seed_mean_seconds()));
    }
  }
  return Answer(parts, "standard deviation over mean on B-C1: ", VersionsId("B-C1"),
                "two versions of a PyTorch row on B-C1");
}

ClaimAnswer RowsAConfiguration(const Records& records) {
  Parts parts;
  for (const char* config : kConfigs) {
    const Record* record = records.Find(config);
    if (record == nullptr) continue;
    const auto& rows = record->report.rows();
    parts.push_back(
        absl::StrFormat("%s %d of %d", config, std::count_if(rows.begin(), rows.end(), Timed), rows.size()));
  }
  return Answer(parts, "rows that were timed, deep nets like the others: ", FirstFigure(records),
                "any of B-C1 to B-C4");
}

ClaimAnswer Copies(const Records& records) {
  Parts parts;
  std::string figure;
  for (const char* config : kConfigs) {
    const BenchRow* row = OwnRow(records.Find(config));
    if (row == nullptr) continue;
    parts.push_back(
        absl::StrFormat("%s %.1f %% of a step of %s", config, 100 * PhaseShare(*row, "copy"), row->implementation()));
    if (row->has_assemble_seconds())
      absl::StrAppend(&parts.back(), " (batch put together in ", TimeText(row->assemble_seconds()), " besides)");
    figure = records.Find(config)->anchor + "_phases";
  }
  return Answer(parts, "copying is a phase of its own: ", figure, "own rows with phases on one of B-C1 to B-C4");
}

ClaimAnswer LossAlone(const Records& records) {
  Parts parts;
  std::string figure;
  for (const Record* record : records.Losses()) {
    for (const BenchRow& row : record->report.rows()) {
      if (!Timed(row)) continue;
      parts.push_back(absl::StrCat(record->report.config().name(), " by ", row.implementation(), " ",
                                   TimeText(row.median_seconds())));
      if (row.has_at()) absl::StrAppend(&parts.back(), " at ", TickLabel(row.at()));
    }
    figure = record->anchor + (IsSweep(record->report) ? "_sweep" : "_frameworks");
  }
  return Answer(parts, "the loss and its gradient alone: ", figure, "a configuration that measures the loss alone");
}

ClaimAnswer LossShare(const Records& records) {
  Parts parts;
  for (const char* config : {"B-C3", "B-C4"}) {
    const BenchRow* row = OwnRow(records.Find(config));
    if (row == nullptr) continue;
    parts.push_back(absl::StrFormat("%s %.2f %% of a step of %s, %s", config, 100 * PhaseShare(*row, "loss"),
                                    row->implementation(), TimeText(PhaseShare(*row, "loss") * row->median_seconds())));
  }
  const Record* ctc = records.Find("B-C4");
  return Answer(ctc == nullptr ? Parts() : parts, "the loss: ", ctc == nullptr ? "" : ctc->anchor + "_phases",
                "own rows with phases on B-C4");
}

ClaimAnswer FastestRows(const Records& records) {
  Parts parts;
  for (const char* config : kConfigs) {
    const BenchRow* row = FastestOf(records.Find(config));
    if (row != nullptr)
      parts.push_back(absl::StrCat(config, " ", row->implementation(), " ", TimeText(row->median_seconds())));
  }
  return Answer(parts, "", FirstFigure(records), "any of B-C1 to B-C4");
}

ClaimAnswer LossAndLength(const Records& records) {
  Parts parts;
  for (const char* config : kConfigs) {
    const BenchRow* row = OwnRow(records.Find(config));
    if (row == nullptr || row->valid_frames() == 0) continue;
    parts.push_back(absl::StrFormat("%s %.2f µs a valid frame, loss %.2f %%", config,
                                    row->median_seconds() * 1e6 / row->valid_frames(), 100 * PhaseShare(*row, "loss")));
  }
  return Answer(parts.size() < 2 ? Parts() : parts, "fastest own row: ", FirstFigure(records),
                "own rows with phases on two of B-C1 to B-C4");
}

// A frame's time at the smallest batch of a sweep over that at the largest.
ClaimAnswer ManySequences(const Records& records) {
  Parts parts;
  std::string figure;
  for (const Record* record : records.Sweeps("")) {
    const std::string& axis = record->report.config().axis();
    if (!absl::StartsWith(axis, "utterances")) continue;  // not "frames an utterance"
    std::set<std::string> names;
    for (const BenchRow& row : record->report.rows()) names.insert(row.implementation());
    for (const std::string& name : names) {
      const BenchRow *few = nullptr, *many = nullptr;
      for (const BenchRow& row : record->report.rows()) {
        if (row.implementation() != name || !Timed(row) || row.valid_frames() == 0) continue;
        if (few == nullptr || row.at() < few->at()) few = &row;
        if (many == nullptr || row.at() > many->at()) many = &row;
      }
      if (few == nullptr || few == many) continue;
      parts.push_back(
          absl::StrFormat("%s %.1f× from %g to %g", name,
                          few->median_seconds() / few->valid_frames() / (many->median_seconds() / many->valid_frames()),
                          few->at(), many->at()));
      figure = record->anchor + "_sweep_frame";
    }
  }
  return Answer(parts, "what a valid frame gains from more sequences at a time: ", figure, "a sweep over the batch");
}

ClaimAnswer Dynamics(const Records& records) {
  Parts parts;
  std::string figure;
  for (const Record& record : records.all()) {
    const std::vector<CurveSummary> rows = SummarizeCurves(record.report);
    for (const CurveSummary& row : rows) {
      parts.push_back(absl::StrFormat("%s %.2f ± %.2f %%", row.implementation, row.mean_test_error, row.sd_test_error));
      if (&row != &rows[0]) absl::StrAppendFormat(&parts.back(), " (p %.2g)", SameErrorP(rows[0], row));
      figure = record.anchor + "_error_per_epoch";
    }
  }
  return Answer(
      parts,
      "a seed gives all rows the same initial weights; test error, mean and spread of the seeds (p: Welch, against the "
      "first): ",
      figure, "training curves");
}

ClaimAnswer CurvesComplete(const Records& records) {
  Parts parts;
  std::string figure;
  for (const Record& record : records.all()) {
    for (const CurveSummary& one : SummarizeCurves(record.report)) {
      parts.push_back(absl::StrFormat("%s %d of %d", one.implementation, one.reached, one.seeds));
      figure = record.anchor + "_error_per_second";
    }
  }
  return Answer(parts, "runs that reached the target: ", figure, "training curves");
}

ClaimAnswer Libraries(const Records& records) {
  std::set<std::string> rows, families;
  for (const Record& record : records.all()) {
    for (const BenchRow& row : record.report.rows()) {
      if (!Timed(row)) continue;
      rows.insert(row.implementation());
      families.insert(FamilyName(FamilyOf(row.implementation())));
    }
  }
  if (rows.empty()) return {"", "", "timed rows"};
  return {absl::StrCat(rows.size(), " rows timed, of ", absl::StrJoin(families, ", ")), FirstFigure(records), ""};
}

}  // namespace earshot
