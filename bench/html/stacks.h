// Where a step's time goes: a bar a row, a part a phase, the remainder always visible; and what share of the machine's
// peak each phase reaches.
#ifndef EARSHOT_BENCH_HTML_STACKS_H_
#define EARSHOT_BENCH_HTML_STACKS_H_

#include <string>
#include <vector>

namespace earshot {

// In the order in which they follow each other; "remainder" is the last. Others are refused by the caller.
struct StackPart {
  std::string phase;
  double seconds = 0;
};

struct Stack {
  std::string label;
  std::vector<StackPart> parts;
  double remainder_seconds = 0;
  double assemble_seconds = 0;  // not in the step's time; 0: not measured
};
std::string DrawStacks(const std::vector<Stack>& stacks, const std::string& label, double width);

struct PhaseSpeed {
  std::string phase;
  double seconds = 0, gflop = 0;
};
// Bars against the roof, `peak_gflops`, with the time that the phase would take there.
std::string DrawSpeeds(const std::vector<PhaseSpeed>& phases, double peak_gflops, const std::string& label,
                       double width);

// "input_gemm" -> "input GEMM".
std::string PhaseLabel(const std::string& phase);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_STACKS_H_
