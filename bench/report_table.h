// A report as a table of text, for people.
#ifndef EARSHOT_BENCH_REPORT_TABLE_H_
#define EARSHOT_BENCH_REPORT_TABLE_H_

#include <string>

#include "bench/bench.pb.h"

namespace earshot {

// Machine and configuration, then one line a row, the fastest first, then where their time goes.
std::string ReportTable(const BenchReport& report);

}  // namespace earshot

#endif  // EARSHOT_BENCH_REPORT_TABLE_H_
