// The works' tables, made from the records: environments (B-T1), implementations (B-T2), benchmarks (B-T3); and their
// published error curves. All HTML.
#ifndef EARSHOT_BENCH_HTML_ENVIRONMENT_TABLES_H_
#define EARSHOT_BENCH_HTML_ENVIRONMENT_TABLES_H_

#include <string>

#include "bench/html/records.h"
#include "bench/published/published.h"

namespace earshot {

std::string EnvironmentTable(const Records& records);
std::string ImplementationTable(const Records& records, const Published& published);
std::string BenchmarkTable(const Records& records);
std::string PublishedErrorTable(const Published& published);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_ENVIRONMENT_TABLES_H_
