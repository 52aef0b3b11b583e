#include "bench/verify.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "asr/model.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "base/tolerance.h"
#include "bench/bench_config.h"
#include "lstm/lstm_params.h"

namespace earshot {
namespace {

constexpr double kLossTolerance = 1e-5, kTrajectoryTolerance = 1e-4;

struct Block {
  std::string name;
  int64_t begin = 0, end = 0;  // in the flat parameter vector
};

// The parameter vector of the configuration's network in its parts.
std::vector<Block> ParameterBlocks(const BenchConfig& config) {
  std::vector<Block> blocks;
  int64_t at = 0;
  const auto add = [&](std::string name, int64_t size) {
    if (size > 0) blocks.push_back({std::move(name), at, at + size});
    at += size;
  };
  const std::vector<LstmLevelConfig> levels = LstmLevels(config.train().model().lstm(), config.batch().input_size());
  for (size_t i = 0; i < levels.size(); ++i) {
    const int64_t h = levels[i].hidden_size;
    for (int d = 0; d < levels[i].directions; ++d) {
      const std::string place = absl::StrCat("level ", i, d == 0 ? "" : " reverse", " ");
      const int64_t before = at;
      add(place + "w_ih", 4 * h * levels[i].input_size);
      add(place + "w_hh", 4 * h * h);
      add(place + "bias", 4 * h);
      add(place + "peepholes", levels[i].peepholes ? 3 * h : 0);
      add(place + "initial state", levels[i].trainable_initial_state ? 2 * h : 0);
      CHECK_EQ(at - before, LstmDirectionSize(levels[i]));
    }
  }
  const int64_t width = levels.back().directions * levels.back().hidden_size;
  add("output weight", config.batch().classes() * width);
  add("output bias", config.train().model().output_bias() ? config.batch().classes() : 0);
  return blocks;
}

double GradientTerms(const BenchConfig& config) {
  double products = 0;
  for (const LstmLevelConfig& level : LstmLevels(config.train().model().lstm(), config.batch().input_size())) {
    products += level.input_size + level.hidden_size;
  }
  return static_cast<double>(ValidFrames(config.batch())) * products;
}

absl::Status Differs(absl::string_view what, double actual, double expected, double allowed) {
  return absl::FailedPreconditionError(
      absl::StrCat(what, " is ", actual, ", expected ", expected, " of the reference within ", allowed));
}

// NaN and infinity are never near.
bool Near(double actual, double expected, double allowed) { return std::abs(actual - expected) <= allowed; }

absl::Status CompareBlock(const Block& block, double terms, double factor, const Trace& expected, const Trace& actual) {
  double scale = 0;
  for (int64_t i = block.begin; i < block.end; ++i) scale = std::max<double>(scale, std::abs(expected.gradients[i]));
  const double allowed = Tolerance(terms, factor, scale);
  for (int64_t i = block.begin; i < block.end; ++i) {
    if (Near(actual.gradients[i], expected.gradients[i], allowed)) continue;
    return Differs(absl::StrCat("gradient of ", block.name, ", element ", i - block.begin, ","), actual.gradients[i],
                   expected.gradients[i], allowed);
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
        absl::StrCat(actual.gradients.size(), " gradients and ", actual.utterance_losses.size(),
                     " losses, expected ", expected.gradients.size(), " and ", expected.utterance_losses.size()));
  }
  for (size_t b = 0; b < expected.utterance_losses.size(); ++b) {
    const double loss = expected.utterance_losses[b], allowed = kLossTolerance * std::abs(loss);
    if (Near(actual.utterance_losses[b], loss, allowed)) continue;
    return Differs(absl::StrCat("loss of utterance ", b), actual.utterance_losses[b], loss, allowed);
  }
  for (const Block& block : ParameterBlocks(config)) {
    RETURN_IF_ERROR(CompareBlock(block, GradientTerms(config), factor, expected, actual));
  }
  for (size_t i = 0; i < expected.losses.size(); ++i) {
    const double loss = expected.losses[i], allowed = kTrajectoryTolerance * std::abs(loss);
    if (Near(actual.losses[i], loss, allowed)) continue;
    return Differs(absl::StrCat("loss of step ", i), actual.losses[i], loss, allowed);
  }
  return absl::OkStatus();
}

}  // namespace earshot
