// The memory of a training step, beside what any implementation has to save between its passes.
#ifndef EARSHOT_BENCH_STEP_MEMORY_H_
#define EARSHOT_BENCH_STEP_MEMORY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/thread_pool.h"
#include "bench/bench.pb.h"
#include "lstm/registry.h"

namespace earshot {

// Bytes. (Of an implementation that keeps its activations elsewhere than in tensors, as `reference`, too few.)
struct StepMemory {
  double saved = 0;       // gates, cells and inputs of all levels, [N, 4H], [N, H] and [N, I], as Backward needs them
  double parameters = 0;  // with their gradients and the optimizer's moments: they do not grow with the batch
  double peak = 0;        // of all tensors, those of the batch and the parameters included
  double ratio() const { return peak / saved; }
  double ratio_without_parameters() const { return (peak - parameters) / saved; }
};

// Of two steps, which take all the memory that there will be.
absl::StatusOr<StepMemory> MeasureStepMemory(const BenchConfig& config, const LstmImplementation& implementation,
                                             ThreadPool* pool);

// The same, of a configuration too large to be run: from two with few frames, as all that grows with a batch's frames
// grows in proportion.
absl::StatusOr<StepMemory> ExtrapolateStepMemory(const BenchConfig& config, const LstmImplementation& implementation,
                                                 ThreadPool* pool);

// A table, in megabytes.
std::string MemoryHeader();
std::string MemoryLine(absl::string_view config, absl::string_view implementation, const StepMemory& memory);

}  // namespace earshot

#endif  // EARSHOT_BENCH_STEP_MEMORY_H_
