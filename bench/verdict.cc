#include "bench/verdict.h"

#include "absl/strings/str_format.h"
#include "bench/mann_whitney.h"

namespace earshot {

Verdict CompareBlocks(absl::Span<const double> a, absl::Span<const double> b) {
  Verdict verdict;
  verdict.blocks_a = static_cast<int>(a.size());
  verdict.blocks_b = static_cast<int>(b.size());
  verdict.enough_blocks = SmallestPossibleP(verdict.blocks_a, verdict.blocks_b) < kVerdictAlpha;
  if (a.empty() || b.empty()) return verdict;
  const MannWhitneyResult test = MannWhitney(a, b);
  verdict.p = test.p;
  if (!verdict.enough_blocks || test.p >= kVerdictAlpha) return verdict;
  const bool a_takes_longer = test.u > 0.5 * verdict.blocks_a * verdict.blocks_b;
  verdict.kind = a_takes_longer ? VerdictKind::kFaster : VerdictKind::kSlower;
  return verdict;
}

int MinVerdictBlocks() {
  int n = 1;
  while (SmallestPossibleP(n, n) >= kVerdictAlpha) ++n;
  return n;
}

std::string VerdictText(const Verdict& verdict) {
  const std::string blocks = absl::StrFormat("%d and %d blocks", verdict.blocks_a, verdict.blocks_b);
  if (!verdict.enough_blocks) return absl::StrFormat("cannot tell (%s, needs %d of each)", blocks, MinVerdictBlocks());
  const char* const comparison = verdict.kind == VerdictKind::kFaster   ? "faster"
                                 : verdict.kind == VerdictKind::kSlower ? "slower"
                                                                             : "cannot tell";
  return absl::StrFormat("%s (p = %.2g, %s)", comparison, verdict.p, blocks);
}

}  // namespace earshot
