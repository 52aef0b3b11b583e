#include "bench/verify.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "asr/checkpoint/param_names.h"
#include "asr/model.h"
#include "base/status_macros.h"
#include "base/tolerance.h"
#include "bench/bench_config.h"
#include "lstm/lstm.h"

namespace earshot {
namespace {

constexpr double kLossTolerance = 1e-5, kTrajectoryTolerance = 1e-4;

double GradientTerms(const BenchConfig& config, absl::Span<const LstmLevelConfig> levels) {
  if (config.measured() == BenchConfig::LOSS) {
    return static_cast<double>(ValidFrames(config.batch())) * (2 * config.batch().labels_per_utterance() + 1);
  }
  double products = 0;
  for (const LstmLevelConfig& level : levels) products += level.input_size + level.hidden_size;
  return static_cast<double>(ValidFrames(config.batch())) * products;
}

absl::Status Differs(absl::string_view what, double actual, double expected, double allowed) {
  return absl::FailedPreconditionError(
      absl::StrCat(what, " is ", actual, ", expected ", expected, " of the reference within ", allowed));
}

// NaN and infinity are never near.
bool Near(double actual, double expected, double allowed) {
  const double error = std::abs(actual - expected);
  return error <= allowed && std::isfinite(error);
}

// What the gradient consists of.
std::vector<ParamTensor> GradientTensors(const BenchConfig& config, absl::Span<const LstmLevelConfig> levels,
                                         int64_t size) {
  if (config.measured() == BenchConfig::TRAINING_STEP) {
    return ParamTensors(levels, config.batch().classes(), config.train().model().output_bias());
  }
  ParamTensor logits;
  logits.name = "logits";
  logits.size = size;
  return {logits};
}

absl::Status CompareBlock(const ParamTensor& block, double terms, double factor, const Trace& expected,
                          const Trace& actual) {
  const absl::Span<const float> a = absl::MakeConstSpan(actual.gradients).subspan(block.offset, block.size);
  const absl::Span<const float> e = absl::MakeConstSpan(expected.gradients).subspan(block.offset, block.size);
  double scale = 0;
  for (float g : e) scale = std::max<double>(scale, std::abs(g));
  const double allowed = Tolerance(terms, factor, scale);
  for (size_t i = 0; i < e.size(); ++i) {
    if (Near(a[i], e[i], allowed)) continue;
    return Differs(absl::StrCat("gradient of ", block.name, ", element ", i, ","), a[i], e[i], allowed);
  }
  return absl::OkStatus();
}

absl::StatusOr<Trace> TakeSteps(const BenchConfig& config, absl::Span<const float> params, const Batch& batch,
                                Subject* subject) {
  Trace trace;
  RETURN_IF_ERROR(subject->Load(config, params));
  ASSIGN_OR_RETURN(trace.utterance_losses, subject->Losses(batch));
  for (int i = 0; i < kTraceSteps; ++i) {
    ASSIGN_OR_RETURN(const double loss, subject->Step(batch));
    trace.losses.push_back(loss);
    if (i == 0) trace.gradients.assign(subject->gradients().begin(), subject->gradients().end());
  }
  return trace;
}

}  // namespace

absl::StatusOr<Trace> RecordTrace(const BenchConfig& config, absl::Span<const float> params, const Batch& batch,
                                  Subject* subject) {
  absl::StatusOr<Trace> trace = TakeSteps(config, params, batch, subject);
  subject->Unload();
  return trace;
}

absl::Status CompareTraces(const BenchConfig& config, const Trace& expected, const Trace& actual, double factor) {
  if (actual.gradients.size() != expected.gradients.size() ||
      actual.utterance_losses.size() != expected.utterance_losses.size()) {
    return absl::FailedPreconditionError(
        absl::StrCat(actual.gradients.size(), " gradients and ", actual.utterance_losses.size(), " losses, expected ",
                     expected.gradients.size(), " and ", expected.utterance_losses.size()));
  }
  for (size_t b = 0; b < expected.utterance_losses.size(); ++b) {
    const double loss = expected.utterance_losses[b], allowed = kLossTolerance * std::abs(loss);
    if (Near(actual.utterance_losses[b], loss, allowed)) continue;
    return Differs(absl::StrCat("loss of utterance ", b), actual.utterance_losses[b], loss, allowed);
  }
  const std::vector<LstmLevelConfig> levels = LstmLevels(config.train().model().lstm(), config.batch().input_size());
  const double terms = GradientTerms(config, levels);
  for (const ParamTensor& block : GradientTensors(config, levels, static_cast<int64_t>(expected.gradients.size()))) {
    RETURN_IF_ERROR(CompareBlock(block, terms, factor, expected, actual));
  }
  return CompareLosses(expected.losses, actual.losses);
}

absl::Status CompareLosses(absl::Span<const double> expected, absl::Span<const double> actual) {
  const size_t steps = std::min({expected.size(), actual.size(), static_cast<size_t>(kTraceSteps)});
  for (size_t i = 0; i < steps; ++i) {
    const double allowed = kTrajectoryTolerance * std::abs(expected[i]);
    if (Near(actual[i], expected[i], allowed)) continue;
    return Differs(absl::StrCat("loss of step ", i), actual[i], expected[i], allowed);
  }
  return absl::OkStatus();
}

}  // namespace earshot
