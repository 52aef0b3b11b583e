// Lines over an axis, each named at its end, with bands where there is more than one run.
#ifndef EARSHOT_BENCH_HTML_LINES_H_
#define EARSHOT_BENCH_HTML_LINES_H_

#include <string>
#include <vector>

#include "bench/html/family.h"
#include "bench/html/svg.h"

namespace earshot {

struct Series {
  std::string label;
  Family family = Family::kOwn;
  int dash = 0;                  // tells series of one family apart, 0 to 4
  std::vector<Point> points;     // values, x rising
  std::vector<Point> low, high;  // of the band, with the x of `points`; may be empty
};

struct LineChart {
  std::string x_label, y_label;
  bool log_x = false, log_y = false;  // then all values are above 0
  bool y_from_zero = false;
  std::vector<double> x_ticks;  // empty: chosen
  bool name_below = false;      // names stand below the ends of lines that fall and end at different x
  bool y_is_time = false;       // seconds, written as TimeText
  double target = 0;            // a dashed line across at this y; 0: none
  std::string target_label;
  std::vector<Series> series;
};

std::string DrawLines(const LineChart& chart, const std::string& label, double width);

// The dash of each series in turn, so that no two of a family have the same (up to five).
void SetDashes(std::vector<Series>* series);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_LINES_H_
