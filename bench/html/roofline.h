// A roofline: points of work under the roofs of arithmetic and memory, on logarithmic axes (Williams, Waterman,
// Patterson: Roofline, CACM 2009).
#ifndef EARSHOT_BENCH_HTML_ROOFLINE_H_
#define EARSHOT_BENCH_HTML_ROOFLINE_H_

#include <string>
#include <vector>

#include "bench/html/family.h"

namespace earshot {

struct RooflinePoint {
  std::string label;
  Family family = Family::kOwn;
  bool part = false;  // of a step: hollow
  double flops_per_byte = 0, gflops = 0;
};

struct Roofline {
  double peak_gflops = 0, memory_gb_per_second = 0;
  std::vector<RooflinePoint> points;
};

// Whether all its numbers can be drawn: above 0 and of a machine that there may be. The caller leaves out others.
bool Drawable(double value);

// Each point has its name in a column on the right, at the end of a line, pushed apart from the others.
std::string DrawRoofline(const Roofline& roofline, const std::string& label, double width);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_ROOFLINE_H_
