// Horizontal bars, the shortest first, each with its time and its ratio to the best: "75 ms ::: 1.0×", as in arXiv
// 1806.01818. Panels stand below each other, each with a scale of its own: what they show was not measured together.
#ifndef EARSHOT_BENCH_HTML_BARS_H_
#define EARSHOT_BENCH_HTML_BARS_H_

#include <string>
#include <vector>

#include "bench/html/family.h"

namespace earshot {

struct Bar {
  std::string label;
  double seconds = 0;
  double low = 0, high = 0;  // interval; equal: none
  double ratio = 0;          // 0: not compared
  Family family = Family::kOwn;
  bool scaled = false;  // hatched: extrapolated from fewer frames
  bool pale = false;    // shown and not compared
  std::string note;     // behind the numbers: "another function"
  std::string hint;
};

struct BarPanel {
  std::string title;       // may be empty
  std::vector<Bar> bars;   // in the order in which they are drawn
  bool names_row = false;  // the title is a row's name, and stands out
};

// Bars that are longer than kLongestBar times the panel's shortest are cut, with a gap that says so.
constexpr double kLongestBar = 8;
std::string DrawBars(const std::vector<BarPanel>& panels, const std::string& label, double width);

// Sorts by time and sets the ratios to the fastest bar that is not pale.
void RankBars(std::vector<Bar>* bars);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_BARS_H_
