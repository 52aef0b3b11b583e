// The page in a few lines: of each configuration the fastest own row and the fastest framework.
#ifndef EARSHOT_BENCH_HTML_SUMMARY_TABLE_H_
#define EARSHOT_BENCH_HTML_SUMMARY_TABLE_H_

#include <string>

#include "bench/html/records.h"

namespace earshot {

// HTML; empty where no record is of whole steps without a sweep.
std::string SummaryTable(const Records& records);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_SUMMARY_TABLE_H_
