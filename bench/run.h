// A whole run of a benchmark: which rows take turns in which process, and how often, within the time.
#ifndef EARSHOT_BENCH_RUN_H_
#define EARSHOT_BENCH_RUN_H_

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/bench.pb.h"

namespace earshot {

struct BenchRows {
  std::vector<std::string> own;    // LSTM implementations, or "loss"
  std::vector<std::string> peers;  // frameworks' rows
};

// Measures one block (bench/block.h), in a process of its own where it matters.
using BlockRunner = std::function<absl::StatusOr<BenchReport>(const BlockRequest&)>;

// The own rows take turns in one block, as far as they fit into memory together; then each peer with the fastest of
// them. The first round finds out how many frames fit and compares with the reference; further rounds, each of which
// visits the groups in another random order, repeat that in new processes, up to config.blocks, as long as there is
// time. Rows whose steps are still long with few frames are measured once. A block that fails is a problem of its rows;
// one that is Cancelled ends the run: the report is that of the blocks before, marked as interrupted, or the error
// where there are none. InvalidArgument for a configuration that cannot be run, before anything is.
absl::StatusOr<BenchReport> RunBench(const BenchConfig& config, const BenchRows& rows, const BlockRunner& run,
                                     std::ostream* progress);

}  // namespace earshot

#endif  // EARSHOT_BENCH_RUN_H_
