// The reports at hand, and what is asked of them.
#ifndef EARSHOT_BENCH_HTML_RECORDS_H_
#define EARSHOT_BENCH_HTML_RECORDS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "bench/bench.pb.h"

namespace earshot {

struct Record {
  std::string file;  // as the user named it
  BenchReport report;
  std::string config;  // what it reproduces, "B-C1", else the configuration's name (ConfigId)
  std::string
      anchor;  // its configuration's name; the beginning of its figures' ids. Its part of the page is record-ANCHOR
};

// "B-C1" of a configuration with stands_for "B-C1: arXiv 1806.01818, ..."; else its name, also with "B-C1 as
// published".
std::string ConfigId(const BenchConfig& config);
// The id at the beginning of stands_for whatever follows it: whose published figures belong beside it.
std::string PublishedId(const BenchConfig& config);
bool IsSweep(const BenchReport& report);

// Has a median that may be shown: verified, or of another function (which nobody verifies).
bool Timed(const BenchRow& row);
bool Wrong(const BenchRow& row);                               // found to be wrong, or ended in an error
bool Comparable(const BenchRow& row);                          // timed, and the same function as the others
bool Refused(const BenchReport& report, const BenchRow& row);  // it has comparisons, and all were refused
// The fastest row that is comparable and not refused at a point of a sweep (0 without a sweep); null: none.
const BenchRow* FastestRow(const BenchReport& report, double at = 0);
// How `row` compares with `other` (empty: with any) at `at`; null: not in the report.
const Comparison* FindComparison(const BenchReport& report, absl::string_view row, absl::string_view other, double at);

struct VersionedRow {
  const BenchRow* row;
  std::string version;
};

class Records {
 public:
  // Makes the anchors different: the second record of a configuration gets NAME_2.
  explicit Records(std::vector<Record> records);

  const std::vector<Record>& all() const { return records_; }
  // The last record of whole training steps of `config`, no sweep; null: none. What follows looks there, or, where it
  // takes a base name (family.h: "torch:lstm"), in the last such record that has it.
  const Record* Find(absl::string_view config) const;
  const BenchRow* Row(absl::string_view config, absl::string_view base_name) const;
  // Timed rows of this base name, one a version, oldest record first.
  std::vector<VersionedRow> Versions(absl::string_view config, absl::string_view base_name) const;
  std::vector<const Record*> Sweeps(absl::string_view config) const;  // empty config: any
  std::vector<const Record*> Losses() const;                          // the loss alone
  bool HasCurves() const;

 private:
  std::vector<Record> records_;
};

Record MakeRecord(const std::string& file, const BenchReport& report);

// "torch 2.15.0" of a peer, "earshot 1a2b3c4d5e" of our own row.
std::string VersionOf(const BenchReport& report, const BenchRow& row);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_RECORDS_H_
