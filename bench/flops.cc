#include "bench/flops.h"

#include "asr/model.h"
#include "bench/bench_config.h"

namespace earshot {

StepFlops UsefulFlops(absl::Span<const LstmLevelConfig> levels, int64_t rows, int64_t judged_rows, int classes) {
  StepFlops flops;
  for (size_t i = 0; i < levels.size(); ++i) {
    const LstmLevelConfig& level = levels[i];
    const double gates = 4.0 * level.hidden_size * level.directions;
    const double input = 2.0 * rows * gates * level.input_size;
    const double recurrent = 2.0 * rows * gates * level.hidden_size;
    flops.input_forward += input;
    flops.recurrent_forward += recurrent;
    if (i > 0) flops.input_gradient += input;
    flops.recurrent_backward += recurrent;
    flops.input_weights += input;
    flops.recurrent_weights += recurrent;
  }
  const double width = levels.back().directions * levels.back().hidden_size;
  flops.output_layer = 3 * 2.0 * judged_rows * width * classes;
  return flops;
}

StepFlops UsefulFlops(const BenchConfig& config) {
  if (config.measured() == BenchConfig::LOSS) return {};
  const BenchBatch& batch = config.batch();
  const int64_t rows = ValidFrames(batch);
  const bool last_frame = config.train().loss().kind() == LossConfig::CROSS_ENTROPY_LAST_FRAME;
  return UsefulFlops(LstmLevels(config.train().model().lstm(), batch.input_size()), rows,
                     last_frame ? batch.utterances() : rows, batch.classes());
}

double MacsPerFrame(const BenchConfig& config) {
  if (config.measured() == BenchConfig::LOSS) return 0;
  const auto levels = LstmLevels(config.train().model().lstm(), config.batch().input_size());
  const StepFlops flops = UsefulFlops(levels, /*rows=*/1, /*judged_rows=*/1, config.batch().classes());
  return (flops.input_forward + flops.recurrent_forward + flops.output_layer / 3) / 2;
}

int64_t DependentSteps(const BenchConfig& config) {
  if (config.measured() == BenchConfig::LOSS) return 0;
  const auto levels = LstmLevels(config.train().model().lstm(), config.batch().input_size());
  return 2 * static_cast<int64_t>(levels.size()) * config.batch().max_frames();
}

}  // namespace earshot
