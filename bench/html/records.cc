#include "bench/html/records.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "bench/html/escape.h"
#include "bench/html/family.h"
#include "bench/machine.h"

namespace earshot {
namespace {

// "B-C1" at the start of "B-C1: arXiv ..."; nothing in a text that does not begin with such an id.
absl::string_view LeadingId(absl::string_view text) {
  if (text.size() < 3 || (text[0] != 'B' && text[0] != 'R') || text[1] != '-') return "";
  size_t end = 2;
  while (end < text.size() && absl::ascii_isalnum(static_cast<unsigned char>(text[end]))) ++end;
  return end > 2 && absl::ascii_isupper(static_cast<unsigned char>(text[2])) ? text.substr(0, end) : "";
}

// Of two records of the same the later one, unless it was disturbed and the other not.
bool CountsMore(const BenchReport& later, const BenchReport& earlier) {
  return !Disturbed(later.machine()) || Disturbed(earlier.machine());
}

bool WholeSteps(const BenchReport& report) {
  return report.config().measured() == BenchConfig::TRAINING_STEP && !IsSweep(report) && report.rows_size() > 0;
}

}  // namespace

std::string ConfigId(const BenchConfig& config) {
  const absl::string_view text = config.stands_for(), id = LeadingId(text);
  const bool as_it_is = id.size() == text.size() || text[id.size()] == ':' || text[id.size()] == ',';
  return !id.empty() && as_it_is ? std::string(id) : config.name();
}

std::string PublishedId(const BenchConfig& config) { return std::string(LeadingId(config.stands_for())); }

bool IsSweep(const BenchReport& report) {
  return report.config().has_axis() ||
         std::any_of(report.rows().begin(), report.rows().end(), [](const BenchRow& row) { return row.has_at(); });
}

bool Timed(const BenchRow& row) { return !Wrong(row) && row.median_seconds() > 0 && !row.peer().has_absent(); }

bool Wrong(const BenchRow& row) {
  return !row.peer().has_absent() && (row.has_problem() || (!row.verified() && row.peer().comparable()));
}

bool Comparable(const BenchRow& row) { return Timed(row) && row.peer().comparable(); }

bool Refused(const BenchReport& report, const BenchRow& row) {
  int refused = 0, all = 0;
  for (const Comparison& one : report.comparisons()) {
    if (one.at() != row.at() || one.row() != row.implementation()) continue;
    ++all;
    if (one.verdict() == Comparison::REFUSED) ++refused;
  }
  return all > 0 && refused == all;
}

const BenchRow* FastestRow(const BenchReport& report, double at) {
  const BenchRow* fastest = nullptr;
  for (const BenchRow& row : report.rows()) {
    if (!Comparable(row) || row.at() != at || Refused(report, row)) continue;
    if (fastest == nullptr || row.median_seconds() < fastest->median_seconds()) fastest = &row;
  }
  return fastest;
}

const Comparison* FindComparison(const BenchReport& report, absl::string_view row, absl::string_view other, double at) {
  for (const Comparison& one : report.comparisons()) {
    if (one.row() == row && (other.empty() || one.other() == other) && one.at() == at) return &one;
  }
  return nullptr;
}

Records::Records(std::vector<Record> records) : records_(std::move(records)) {
  std::set<std::string> seen;
  for (Record& record : records_) {
    const std::string name = record.anchor;
    for (int i = 2; !seen.insert(record.anchor).second; ++i) record.anchor = absl::StrCat(name, "_", i);
  }
}

const Record* Records::Find(absl::string_view config) const {
  const Record* found = nullptr;
  for (const Record& record : records_) {
    if (record.config != config || !WholeSteps(record.report)) continue;
    if (found == nullptr || CountsMore(record.report, found->report)) found = &record;
  }
  return found;
}

const BenchRow* Records::Row(absl::string_view config, absl::string_view base_name) const {
  // Of two versions in one record the first is the framework's own name ("torch:lstm"), the other has a digit.
  const std::vector<VersionedRow> versions = Versions(config, base_name);
  for (size_t i = versions.size(); i-- > 0;) {
    if (versions[i].row->implementation() == base_name) return versions[i].row;
  }
  return versions.empty() ? nullptr : versions.back().row;
}

std::vector<VersionedRow> Records::Versions(absl::string_view config, absl::string_view base_name) const {
  std::vector<VersionedRow> rows;
  std::vector<const Record*> from;  // the records of these rows
  for (const Record& record : records_) {
    if (record.config != config || !WholeSteps(record.report)) continue;
    for (const BenchRow& row : record.report.rows()) {
      if (!Timed(row) || BaseName(row.implementation()) != base_name) continue;
      const std::string version = VersionOf(record.report, row);
      const auto known =
          std::find_if(rows.begin(), rows.end(), [&](const VersionedRow& other) { return other.version == version; });
      if (known == rows.end()) {
        rows.push_back({&row, version});
        from.push_back(&record);
        continue;
      }
      const Record*& its = from[known - rows.begin()];
      if (its != &record && !CountsMore(record.report, its->report)) continue;
      known->row = &row;
      its = &record;
    }
  }
  return rows;
}

std::vector<const Record*> Records::Sweeps(absl::string_view config) const {
  std::vector<const Record*> found;
  for (const Record& record : records_) {
    if (IsSweep(record.report) && (config.empty() || record.config == config)) found.push_back(&record);
  }
  return found;
}

std::vector<const Record*> Records::Losses() const {
  std::vector<const Record*> found;
  for (const Record& record : records_) {
    if (record.report.config().measured() == BenchConfig::LOSS) found.push_back(&record);
  }
  return found;
}

bool Records::HasCurves() const {
  return std::any_of(records_.begin(), records_.end(),
                     [](const Record& record) { return record.report.curves_size() > 0; });
}

Record MakeRecord(const std::string& file, const BenchReport& report) {
  return {file, report, ConfigId(report.config()), Slug(report.config().name())};
}

std::string VersionOf(const BenchReport& report, const BenchRow& row) {
  if (row.has_peer()) return row.peer().version().empty() ? row.implementation() : row.peer().version();
  const std::string& commit = report.machine().commit();
  return absl::StrCat("earshot ", commit.empty() ? "of an unknown commit" : commit.substr(0, 10));
}

}  // namespace earshot
