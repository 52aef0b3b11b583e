// The raw steps of each row, one strip a row: a dot a step in its order, hollow before the steady state.
#ifndef EARSHOT_BENCH_HTML_STRIPS_H_
#define EARSHOT_BENCH_HTML_STRIPS_H_

#include <string>
#include <vector>

#include "bench/html/family.h"

namespace earshot {

struct StripBlock {
  std::vector<double> seconds;
  int warm_up = 0;
  bool disturbed = false;
};

struct Strip {
  std::string label;
  Family family = Family::kOwn;
  std::vector<StripBlock> blocks;
};

// Blocks of a strip stand beside each other, with a rule between them. Each strip has a scale of its own, from the
// fastest to the slowest step that counts, both printed; slower ones that do not count lie on its upper edge.
std::string DrawStrips(const std::vector<Strip>& strips, const std::string& label, double width);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_STRIPS_H_
