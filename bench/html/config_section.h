// The part of the page that a record of whole steps gets: charts, what was not compared and why, the derived table.
#ifndef EARSHOT_BENCH_HTML_CONFIG_SECTION_H_
#define EARSHOT_BENCH_HTML_CONFIG_SECTION_H_

#include <string>
#include <vector>

#include "bench/html/records.h"
#include "bench/html/svg.h"
#include "bench/published/published.h"

namespace earshot {

// Bars of all timed rows, and a panel of the published figures of this configuration.
Figure FrameworkChart(const Record& record, const Published& published);
// Each row that the records have in two versions or more; nothing to show: an empty title.
Figure VersionChart(const Records& records, const std::string& config, const Published& published);
Figure PhaseChart(const Record& record);  // own rows
Figure SpeedChart(const Record& record);  // phases of the fastest own row against the peak
// Phases of the fastest own row and all whole steps under the machine's roofs; an empty title where the record has no
// bandwidth.
Figure RooflineChart(const Record& record);
Figure StepsChart(const Record& record);  // raw steps

// What is not in the chart: wrong rows, absent ones in one line, refused comparisons with their reason. HTML.
std::string LeftOut(const BenchReport& report);
// A line a row; HTML.
std::string DerivedTable(const BenchReport& report);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_CONFIG_SECTION_H_
