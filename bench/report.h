// A report as JSON, for other programs, and as a table, for people.
#ifndef EARSHOT_BENCH_REPORT_H_
#define EARSHOT_BENCH_REPORT_H_

#include <string>

#include "absl/status/statusor.h"
#include "bench/bench.pb.h"

namespace earshot {

// Field names as in bench.proto.
absl::StatusOr<std::string> ReportJson(const BenchReport& report);

// Machine and configuration, then one line a row, the fastest first, then where their time goes.
std::string ReportTable(const BenchReport& report);

}  // namespace earshot

#endif  // EARSHOT_BENCH_REPORT_H_
