#include "bench/bytes.h"

#include <vector>

#include "asr/model.h"
#include "bench/bench_config.h"
#include "lstm/lstm_params.h"

namespace earshot {
namespace {

constexpr double kFloat = sizeof(float);

// `above`: numbers in the gradient by the level's outputs.
void AddLevel(const LstmLevelConfig& level, double rows, double above, bool first, StepBytes* bytes) {
  const double width = 1.0 * level.directions * level.hidden_size;
  const double x = rows * level.input_size, gates = rows * 4 * width, cells = rows * width, outputs = cells;
  const double w_ih = 4 * width * level.input_size, w_hh = 4 * width * level.hidden_size;
  bytes->input_forward += kFloat * (x + w_ih + gates);
  bytes->recurrent_forward += kFloat * (gates + w_hh + gates + cells + outputs);
  bytes->recurrent_backward += kFloat * (above + gates + cells + w_hh + gates);
  bytes->weight_gradients += kFloat * (gates + x + outputs + w_ih + w_hh + (first ? 0 : x + w_ih));
  bytes->between_forward += kFloat * 2 * gates;
  bytes->between_backward += kFloat * 2 * gates;
}

}  // namespace

StepBytes LeastBytes(const BenchConfig& config) {
  StepBytes bytes;
  if (config.measured() == BenchConfig::LOSS) return bytes;
  const TrainConfig& train = config.train();
  const std::vector<LstmLevelConfig> levels = LstmLevels(train.model().lstm(), config.batch().input_size());
  const double rows = static_cast<double>(ValidFrames(config.batch()));
  const bool last_frame = train.loss().kind() == LossConfig::CROSS_ENTROPY_LAST_FRAME;
  const double judged = last_frame ? config.batch().utterances() : rows;
  const double width = 1.0 * levels.back().directions * levels.back().hidden_size, classes = config.batch().classes();
  double parameters = width * classes + (train.model().output_bias() ? classes : 0);
  for (size_t i = 0; i < levels.size(); ++i) {
    const double outputs = rows * levels[i].directions * levels[i].hidden_size;
    AddLevel(levels[i], rows, i + 1 < levels.size() ? outputs : judged * width, i == 0, &bytes);
    parameters += static_cast<double>(LstmParamsSize(levels[i]));
  }
  const double outputs = judged * width, logits = judged * classes, weights = width * classes;
  bytes.output_layer = kFloat * ((outputs + weights + logits) + (logits + outputs + weights + weights + outputs));
  bytes.loss = kFloat * 2 * logits;
  bytes.clip = kFloat * parameters;
  const int moments = train.optimizer().kind() == OptimizerConfig::ADAM ? 2 : 1;
  bytes.optimizer = kFloat * parameters * (1 + 2 + 2 * moments);
  return bytes;
}

}  // namespace earshot
