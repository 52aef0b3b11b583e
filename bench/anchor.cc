#include "bench/anchor.h"

#include <memory>

#include "base/status_macros.h"
#include "bench/own_subjects.h"
#include "bench/plan.h"
#include "bench/probe.h"

namespace earshot {

absl::StatusOr<Trace> AnchorTrace(const BenchConfig& config, absl::Span<const float> params, const Batch& batch,
                                  ThreadPool* pool) {
  std::unique_ptr<Subject> anchor = ReferenceSubject(config, pool);
  ASSIGN_OR_RETURN(const StepCost cost, ProbeCost(config, params, anchor.get()));
  if (config.measured() == BenchConfig::TRAINING_STEP && cost.Seconds(batch.packing.rows()) > kLongStepSeconds) {
    ASSIGN_OR_RETURN(anchor, OwnSubject(config, "basic", pool));
  }
  absl::StatusOr<Trace> trace = RecordTrace(config, params, batch, anchor.get());
  if (trace.ok()) trace->utterance_losses.clear();
  return trace;
}

}  // namespace earshot
