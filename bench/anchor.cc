#include "bench/anchor.h"

#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "bench/bench_config.h"
#include "bench/loss_subject.h"
#include "bench/plan.h"
#include "bench/probe.h"
#include "lstm/registry.h"

namespace earshot {

std::unique_ptr<Subject> ReferenceSubject(const BenchConfig& config, ThreadPool* pool) {
  if (config.measured() == BenchConfig::LOSS) return std::make_unique<LossDefinitionSubject>();
  return std::make_unique<TrainerSubject>(&LstmImplementations()[0], pool);
}

absl::StatusOr<Trace> AnchorTrace(const BenchConfig& config, absl::Span<const float> params, const Batch& batch,
                                  ThreadPool* pool) {
  std::unique_ptr<Subject> anchor = ReferenceSubject(config, pool);
  ASSIGN_OR_RETURN(const StepCost cost, ProbeCost(config, params, anchor.get()));
  if (config.measured() == BenchConfig::TRAINING_STEP && cost.Seconds(batch.packing.rows()) > kLongStepSeconds) {
    ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Subject>> basic, TrainerSubjects({"basic"}, pool));
    anchor = std::move(basic.front());
  }
  absl::StatusOr<Trace> trace = RecordTrace(config, params, batch, anchor.get());
  if (trace.ok()) trace->utterance_losses.clear();
  return trace;
}

}  // namespace earshot
