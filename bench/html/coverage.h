// Every row of the two works and what stands for it: the static table, and what of it the records at hand show. HTML.
#ifndef EARSHOT_BENCH_HTML_COVERAGE_H_
#define EARSHOT_BENCH_HTML_COVERAGE_H_

#include <string>

#include "bench/html/records.h"
#include "bench/published/published.h"

namespace earshot {

// What the records show of a row: "torch:basic on B-C2 306 ms; not in these records: B-C1". Plain text.
std::string EvidenceText(const CoverageRow& row, const Records& records);

std::string CoverageTable(const Published& published, const Records& records);  // all groups but findings and claims
std::string ClaimTable(const Published& published, const Records& records);
std::string FindingTable(const Published& published);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_COVERAGE_H_
