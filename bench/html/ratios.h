// What the answers to the claims are made of: ratios between rows of one record, in words.
#ifndef EARSHOT_BENCH_HTML_RATIOS_H_
#define EARSHOT_BENCH_HTML_RATIOS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "bench/html/claims.h"
#include "bench/html/family.h"
#include "bench/html/records.h"

namespace earshot {

extern const char* const kConfigs[4];  // "B-C1" to "B-C4"

// Ids of figures, as config_section.h and series_charts.h make them.
std::string FrameworksId(const Records& records, absl::string_view config);
std::string VersionsId(absl::string_view config);

// The figure of one of these that the records have.
std::string FirstFigure(const Records& records);

// What a line of an answer consists of; no parts: not answered, `needs` says what would.
using Parts = std::vector<std::string>;
ClaimAnswer Answer(const Parts& parts, const std::string& what, const std::string& figure, const std::string& needs);

// Comparable rows of the last record of `config` whose kind is `kind`, no older versions; of `family` only, unless
// null.
std::vector<const BenchRow*> RowsOfKind(const Records& records, absl::string_view config, Kind kind,
                                        const Family* family = nullptr);
const BenchRow* Fastest(const std::vector<const BenchRow*>& rows);  // null: none
const BenchRow* Slowest(const std::vector<const BenchRow*>& rows);

// "B-C1 1.2×, B-C2 1.4×": median of row `slow` over that of row `fast` (base names) in the records of `configs` that
// have both; and that figure. Not answered where none has.
ClaimAnswer RatioAnswer(const Records& records, absl::string_view slow, absl::string_view fast);

// The same of the slowest version of a row over its fastest one.
ClaimAnswer VersionAnswer(const Records& records, const std::vector<std::string>& base_names,
                          const std::vector<std::string>& configs);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_RATIOS_H_
