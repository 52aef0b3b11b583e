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

// Of the curves of a row: mean and standard deviation of their test errors, and how many reached the target.
struct CurveSummary {
  std::string implementation;
  int seeds = 0, reached = 0;
  double median_seconds_to_target = 0;  // of those that reached it
  double mean_test_error = 0, sd_test_error = 0;
  double epochs = 0;                // most
  std::vector<double> test_errors;  // percent, a seed each
};
std::vector<CurveSummary> SummarizeCurves(const BenchReport& report);

// Whether two rows converge alike: p of Welch's t-test on the test errors of their seeds; 1 with fewer than two seeds.
double SameErrorP(const CurveSummary& a, const CurveSummary& b);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_SERIES_CHARTS_H_
