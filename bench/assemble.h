// What the trainer does before a step: putting a batch together from its utterances.
#ifndef EARSHOT_BENCH_ASSEMBLE_H_
#define EARSHOT_BENCH_ASSEMBLE_H_

#include "bench/bench.pb.h"

namespace earshot {

// Median seconds in which the trainer's batcher (data/batcher.h) puts the configuration's batch together from
// utterances in memory, on one thread. The trainer does this beside the step before; the frameworks' steps get their
// tensors ready. It is therefore shown, and no part of a step's time.
double AssembleSeconds(const BenchConfig& config);

}  // namespace earshot

#endif  // EARSHOT_BENCH_ASSEMBLE_H_
