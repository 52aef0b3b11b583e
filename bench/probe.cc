#include "bench/probe.h"

#include "base/status_macros.h"
#include "bench/bench_config.h"
#include "bench/measure.h"

namespace earshot {

absl::StatusOr<StepCost> ProbeCost(const BenchConfig& config, absl::Span<const float> params, Subject* subject) {
  constexpr double kEnoughSeconds = 0.1;
  BenchConfig probe = config;
  Measurement measured(subject);
  // Some frameworks compile for every number of frames.
  for (int frames = subject->peer() == nullptr ? 4 : 64;; frames *= 4) {
    *probe.mutable_batch() = WithMaxFrames(config.batch(), frames);
    const Batch batch = MakeBatch(probe);
    RETURN_IF_ERROR(measured.Load(probe, params));
    RETURN_IF_ERROR(measured.Step(batch));
    // The first step also takes the memory; when it is slow anyway, that does not matter.
    if (measured.last().seconds < 1) RETURN_IF_ERROR(measured.Step(batch));
    const StepSample last = measured.last();
    if (last.seconds <= kEnoughSeconds && 4 * frames < config.batch().max_frames()) continue;
    measured.Unload();
    return CostFromStep(last.seconds, last.fixed_seconds(), batch.packing.rows());
  }
}

}  // namespace earshot
