// A report as JSON: field names as in bench.proto.
#ifndef EARSHOT_BENCH_REPORT_JSON_H_
#define EARSHOT_BENCH_REPORT_JSON_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "bench/bench.pb.h"

namespace earshot {

constexpr int64_t kReportMaxBytes = 32 << 20;

absl::StatusOr<std::string> ReportJson(const BenchReport& report);

// Reads what ReportJson wrote, or another program in the same form. Errors name `name` and the place: the byte of what is
// no JSON or no field of bench.proto or no value that fits (json_message.h); the path of a value that CheckReport refuses
// ("rows[2].n").
absl::StatusOr<BenchReport> ParseReportJson(absl::string_view json, absl::string_view name);
absl::StatusOr<BenchReport> ReadReportJson(const std::string& path);

// What a report must be for anybody to draw it: numbers finite, times and counts not negative, a timed row with a
// median, a percentile or interval in order, warm-up steps among the steps, rows and comparisons with names. Errors
// begin with "NAME: ".
absl::Status CheckReport(const BenchReport& report, absl::string_view name);

}  // namespace earshot

#endif  // EARSHOT_BENCH_REPORT_JSON_H_
