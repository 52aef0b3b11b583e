// From raw samples to what a report says: statistics of rows, and how they compare.
#ifndef EARSHOT_BENCH_SUMMARY_H_
#define EARSHOT_BENCH_SUMMARY_H_

#include <vector>

#include "absl/types/span.h"
#include "bench/bench.pb.h"

namespace earshot {

// One report of the blocks of a run of `config` (with its points), each as RunBlock made it, `at` set in their rows.
// Rows of the same implementation (and point) become one. In a block with a peer, the own row's samples become the
// peer's beside_step_seconds. A row that was wrong in any block is wrong, and holds no times; one whose blocks disagree
// about the losses is, too.
BenchReport MergeBlocks(const BenchConfig& config, absl::Span<const BenchReport> blocks);

// Fills in the statistics of every row from its blocks.
void SummarizeRows(BenchReport* report);

// The peak of the blocks that a row was measured in; in a sweep, of those of its point: points may differ in threads.
double PeakOfRow(const BenchReport& report, const BenchRow& row);

// Compares every own row with the fastest verified own one of its point, and every peer with the own row that took
// turns with it. Refused, with the reason, where the rows do not do the same work: wrong rows, another function, other
// multiply-adds a frame, a disturbed machine. Replaces report->comparisons.
void CompareRows(BenchReport* report);

// The configuration of a row: its point of the sweep.
BenchConfig ConfigOfRow(const BenchConfig& config, const BenchRow& row);

}  // namespace earshot

#endif  // EARSHOT_BENCH_SUMMARY_H_
