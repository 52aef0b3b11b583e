#include "bench/step_memory.h"

#include "absl/strings/str_format.h"
#include "asr/model.h"
#include "asr/train_step.h"
#include "base/status_macros.h"
#include "base/tensor_memory.h"
#include "bench/bench_config.h"
#include "data/batch.h"

namespace earshot {
namespace {

double SavedBytes(const BenchConfig& config) {
  double floats = 0;  // of a frame
  for (const LstmLevelConfig& level : LstmLevels(config.train().model().lstm(), config.batch().input_size())) {
    floats += 5.0 * level.directions * level.hidden_size + level.input_size;
  }
  return sizeof(float) * floats * static_cast<double>(ValidFrames(config.batch()));
}

}  // namespace

absl::StatusOr<StepMemory> MeasureStepMemory(const BenchConfig& config, const LstmImplementation& implementation,
                                             ThreadPool* pool) {
  const int64_t before = TensorBytes();
  ResetPeakTensorBytes();
  const Batch batch = MakeBatch(config);
  TrainConfig train = config.train();
  train.mutable_model()->mutable_lstm()->set_implementation(std::string(implementation.name));
  ASSIGN_OR_RETURN(const std::unique_ptr<TrainStep> step,
                   TrainStep::Create(train, config.batch().input_size(), config.batch().classes(), pool));
  step->model().Initialize(config.seed());
  for (uint64_t i = 0; i < 2; ++i) {
    RETURN_IF_ERROR(step->Run(batch, train.optimizer().learning_rate(), i).status());
  }
  StepMemory memory;
  memory.saved = SavedBytes(config);
  const size_t copies = 2 + step->optimizer().state().size();
  memory.parameters = static_cast<double>(sizeof(float) * copies * step->model().params().size());
  memory.peak = static_cast<double>(PeakTensorBytes() - before);
  return memory;
}

absl::StatusOr<StepMemory> ExtrapolateStepMemory(const BenchConfig& config, const LstmImplementation& implementation,
                                                 ThreadPool* pool) {
  constexpr int kFrames = 4;
  StepMemory few[2];
  for (int i = 0; i < 2; ++i) {
    BenchConfig smaller = config;
    *smaller.mutable_batch() = WithMaxFrames(config.batch(), kFrames * (i + 1));
    ASSIGN_OR_RETURN(few[i], MeasureStepMemory(smaller, implementation, pool));
  }
  StepMemory memory = few[0];
  memory.saved = SavedBytes(config);
  memory.peak += (few[1].peak - few[0].peak) / (few[1].saved - few[0].saved) * (memory.saved - few[0].saved);
  return memory;
}

std::string MemoryHeader() {
  return absl::StrFormat("%-16s %-16s %9s %9s %10s %7s %s\n", "configuration", "implementation", "peak MB", "saved MB",
                         "parameters", "ratio", "without parameters");
}

std::string MemoryLine(absl::string_view config, absl::string_view implementation, const StepMemory& memory) {
  constexpr double kMega = 1e6;
  return absl::StrFormat("%-16s %-16s %9.2f %9.2f %10.2f %7.3f %.3f\n", config, implementation, memory.peak / kMega,
                         memory.saved / kMega, memory.parameters / kMega, memory.ratio(),
                         memory.ratio_without_parameters());
}

}  // namespace earshot
