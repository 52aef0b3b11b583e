// Is one row faster than another? The verdict of a Mann-Whitney test on one number a block (process), its median step
// time: steps of one process are not independent of each other, processes are.
#ifndef EARSHOT_BENCH_VERDICT_H_
#define EARSHOT_BENCH_VERDICT_H_

#include <string>

#include "absl/types/span.h"

namespace earshot {

constexpr double kVerdictAlpha = 0.01;  // chance of a verdict where there is no difference

enum class VerdictKind { kFaster, kSlower, kCannotTell };

struct Verdict {
  VerdictKind kind = VerdictKind::kCannotTell;
  double p = 1;  // two-sided
  int blocks_a = 0, blocks_b = 0;
  bool enough_blocks = false;  // whether any samples of so many blocks could lead to a verdict
};

// Of row b against row a: kFaster when b's times are the smaller ones. Block medians in any unit, the same for both;
// either may be empty.
Verdict CompareBlocks(absl::Span<const double> a, absl::Span<const double> b);

// Blocks that either row needs at least, when both have as many: 5, with which p can be 0.0079.
int MinVerdictBlocks();

// "faster (p = 0.0079, 5 and 5 blocks)", "cannot tell (p = 0.15, 5 and 5 blocks)" or "cannot tell (4 and 4 blocks,
// needs 5 of each)".
std::string VerdictText(const Verdict& verdict);

}  // namespace earshot

#endif  // EARSHOT_BENCH_VERDICT_H_
