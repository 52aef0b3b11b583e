#include "bench/html/claims.h"

#include <algorithm>
#include <set>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/check.h"
#include "bench/html/claim_lines.h"
#include "bench/html/ratios.h"

namespace earshot {
namespace {

// `slow` over `fast`, each chosen from the record of a configuration.
using Choice = const BenchRow* (*)(const Records&, const char* config);
ClaimAnswer ChoiceAnswer(const Records& records, const std::string& what, Choice slow, Choice fast,
                         const std::string& needs) {
  Parts parts;
  for (const char* config : kConfigs) {
    const BenchRow *above = slow(records, config), *below = fast(records, config);
    if (above == nullptr || below == nullptr) continue;
    parts.push_back(absl::StrFormat("%s %.1f× (%s over %s)", config, above->median_seconds() / below->median_seconds(),
                                    above->implementation(), below->implementation()));
  }
  return Answer(parts, what, FirstFigure(records), needs);
}

const BenchRow* FastestOfAll(const Records& records, const char* config) {
  const Record* record = records.Find(config);
  return record == nullptr ? nullptr : FastestRow(record->report);
}
const BenchRow* FastestFlexible(const Records& records, const char* config) {
  return Fastest(RowsOfKind(records, config, Kind::kFlexible));
}
const BenchRow* SlowestFlexible(const Records& records, const char* config) {
  return Slowest(RowsOfKind(records, config, Kind::kFlexible));
}
// Of the frameworks, whole sequences in one operation.
std::vector<const BenchRow*> LibraryRows(const Records& records, const char* config) {
  std::vector<const BenchRow*> rows = RowsOfKind(records, config, Kind::kOptimised);
  rows.erase(std::remove_if(rows.begin(), rows.end(), [](const BenchRow* row) { return !row->has_peer(); }),
             rows.end());
  return rows.size() < 2 ? std::vector<const BenchRow*>() : rows;
}
// Flexible rows of frameworks but for TensorFlow's.
const BenchRow* FlexibleOfOthers(const Records& records, const char* config) {
  std::vector<const BenchRow*> rows = RowsOfKind(records, config, Kind::kFlexible);
  const auto excluded = [](const BenchRow* row) {
    return !row->has_peer() || FamilyOf(row->implementation()) == Family::kTensorFlow;
  };
  rows.erase(std::remove_if(rows.begin(), rows.end(), excluded), rows.end());
  return Fastest(rows);
}
const BenchRow* TensorFlowCell(const Records& records, const char* config) {
  const BenchRow* row = records.Row(config, "tf:while");
  return row != nullptr && Comparable(*row) ? row : nullptr;
}

struct Claim {
  const char* id;
  ClaimAnswer (*answer)(const Records& records);
};
const std::vector<std::string>& AllConfigs() {
  static const auto* const kAll = new std::vector<std::string>(std::begin(kConfigs), std::end(kConfigs));
  return *kAll;
}

const Claim kClaims[] = {
    {"B-O1",
     [](const Records& r) {
       return ChoiceAnswer(r, "slowest flexible over fastest: ", SlowestFlexible, FastestOfAll,
                           "a flexible row on one of B-C1 to B-C4");
     }},
    {"B-O2",
     [](const Records& r) {
       return ChoiceAnswer(
           r, "frameworks' whole-sequence rows, slowest over fastest: ",
           [](const Records& all, const char* c) { return Slowest(LibraryRows(all, c)); },
           [](const Records& all, const char* c) { return Fastest(LibraryRows(all, c)); },
           "whole-sequence rows of two frameworks on one of B-C1 to B-C4");
     }},
    {"B-O3",
     [](const Records& r) {
       return ChoiceAnswer(r, "TensorFlow's cell in a loop over the fastest flexible row of others: ", TensorFlowCell,
                           FlexibleOfOthers, "tf:while and a flexible row of another framework");
     }},
    {"B-O4", [](const Records& r) { return VersionAnswer(r, {"torch:basic"}, AllConfigs()); }},
    {"B-O5", [](const Records& r) { return RatioAnswer(r, "tf:keras", "pytensor:scan"); }},
    {"B-O6", [](const Records& r) { return RatioAnswer(r, "tf:keras", "tf:while"); }},
    {"B-O7", VariableLength},
    {"B-O8", Deviations},
    {"B-O9",
     [](const Records& r) {
       return VersionAnswer(r, {"torch:packed", "torch:lstm"}, {"B-C4"});
     }},
    {"B-O10", RowsAConfiguration},
    {"B-O11", Copies},
    {"B-O12", LossAlone},
    {"B-O13", LossShare},
    {"B-RQ1", FastestRows},
    {"B-RQ2",
     [](const Records& r) {
       return ChoiceAnswer(r, "fastest flexible over fastest: ", FastestFlexible, FastestOfAll,
                           "a flexible row on one of B-C1 to B-C4");
     }},
    {"B-RQ3",
     [](const Records& r) {
       return VersionAnswer(r, {"torch:lstm", "torch:packed", "torch:cell", "torch:basic", "simd"}, AllConfigs());
     }},
    {"B-RQ4", LossAndLength},
    {"B-RQ5", [](const Records& r) { return RatioAnswer(r, "tf:keras", "tf:block"); }},
    {"R-O1", ManySequences},
    {"R-O2", Dynamics},
    {"R-O3", CurvesComplete},
    {"R-Q", Libraries},
};

const Claim* FindClaim(absl::string_view id) {
  for (const Claim& claim : kClaims) {
    if (claim.id == id) return &claim;
  }
  return nullptr;
}

}  // namespace

bool KnowsClaim(absl::string_view id) { return FindClaim(id) != nullptr; }

ClaimAnswer AnswerClaim(absl::string_view id, const Records& records) {
  const Claim* claim = FindClaim(id);
  CHECK(claim != nullptr);
  return claim->answer(records);
}

}  // namespace earshot
