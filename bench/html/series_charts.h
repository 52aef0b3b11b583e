// Charts with lines: sweeps of a configuration, and errors of training runs.
#ifndef EARSHOT_BENCH_HTML_SERIES_CHARTS_H_
#define EARSHOT_BENCH_HTML_SERIES_CHARTS_H_

#include <string>
#include <vector>

#include "bench/html/records.h"
#include "bench/html/svg.h"

namespace earshot {

// Time of a step over the sweep's axis, a line a row; and the time of a valid frame.
Figure SweepChart(const Record& record);
Figure SweepFrameChart(const Record& record);

// Error over epochs and over seconds: the median of the seeds, and a band from the lowest to the highest.
Figure ErrorPerEpochChart(const Record& record);
Figure ErrorPerSecondChart(const Record& record);
// A line a row: seeds, epochs, seconds to the target, test error. HTML.
std::string CurveTable(const BenchReport& report);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_SERIES_CHARTS_H_
