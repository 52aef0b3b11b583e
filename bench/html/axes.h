// The two axes of a chart with a grid, numbers and labels.
#ifndef EARSHOT_BENCH_HTML_AXES_H_
#define EARSHOT_BENCH_HTML_AXES_H_

#include <string>
#include <vector>

#include "bench/html/scale.h"
#include "bench/html/svg.h"

namespace earshot {

// Where a chart's values lie, in pixels.
struct Frame {
  Scale x, y;
  double left, right, top, bottom;
};

struct Axes {
  std::string x_label, y_label;
  std::vector<double> x_ticks;
  bool y_is_time = false;  // seconds, written as TimeText does
};

void DrawAxes(const Axes& axes, const Frame& frame, Svg* svg);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_AXES_H_
