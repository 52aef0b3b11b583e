// Whether a subject computes what the reference computes: checked before it is timed.
#ifndef EARSHOT_BENCH_VERIFY_H_
#define EARSHOT_BENCH_VERIFY_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "bench/bench.pb.h"
#include "bench/subject.h"
#include "data/batch.h"

namespace earshot {

// What a subject did in its first steps.
struct Trace {
  std::vector<float> utterance_losses;  // [B], before the first step
  std::vector<double> losses;           // of each step
  std::vector<float> gradients;         // of the first step
};

constexpr int kTraceSteps = 3;

// Loads the subject with `params`, takes kTraceSteps steps on `batch` and unloads it.
absl::StatusOr<Trace> RecordTrace(const BenchConfig& config, absl::Span<const float> params, const Batch& batch,
                                  Subject* subject);

// Ok when `actual` agrees with `expected`, else what differs and by how much:
// - every utterance's loss, so that lengths, labels and frames belong together, within 1e-5 relative;
// - the losses of the steps within 1e-4 relative;
// - every tensor of the first gradient (as asr/checkpoint/param_names.h divides and names them) within
//   base/tolerance.h's Tolerance(terms, factor, max|expected tensor|); `terms` counts the products that reach one
//   element: over the batch's frames, through all levels.
absl::Status CompareTraces(const BenchConfig& config, const Trace& expected, const Trace& actual, double factor);

// Ok when the losses of the first kTraceSteps steps, as far as both have them, agree within 1e-4 relative.
absl::Status CompareLosses(absl::Span<const double> expected, absl::Span<const double> actual);

}  // namespace earshot

#endif  // EARSHOT_BENCH_VERIFY_H_
