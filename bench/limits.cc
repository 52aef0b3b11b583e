#include "bench/limits.h"

#include "absl/strings/str_format.h"
#include "bench/bytes.h"
#include "bench/flops.h"

namespace earshot {
namespace {

double Seconds(const BenchRow& row, Phase phase) {
  const auto found = row.phases().find(PhaseName(phase));
  return found == row.phases().end() ? 0 : found->second;
}

std::string Line(const std::string& name, double seconds, double flops, double peak_gflops) {
  constexpr double kMs = 1e3;
  std::string line = absl::StrFormat("%-20s %9.2f", name, seconds * kMs);
  if (flops == 0) return line + "\n";
  const double least = flops * 1e-9 / peak_gflops;
  return absl::StrFormat("%s %9.2f %9.2f %6.1f %%\n", line, flops * 1e-9, least * kMs, 100 * least / seconds);
}

}  // namespace

std::array<double, kNumPhases> PhaseFlops(const BenchConfig& config, const BenchRow& row) {
  const StepFlops flops = UsefulFlops(config);
  std::array<double, kNumPhases> of = {};
  const auto add = [&](Phase own, Phase otherwise, double amount) {
    of[static_cast<int>(Seconds(row, own) > 0 ? own : otherwise)] += amount;
  };
  of[static_cast<int>(Phase::kRecurrence)] = flops.recurrent_forward;
  of[static_cast<int>(Phase::kRecurrentBackward)] = flops.recurrent_backward;
  of[static_cast<int>(Phase::kOutputLayer)] = flops.output_layer;
  add(Phase::kInputGemm, Phase::kRecurrence, flops.input_forward);
  add(Phase::kWeightGradients, Phase::kRecurrentBackward,
      flops.input_weights + flops.recurrent_weights + flops.input_gradient);
  return of;
}

std::array<double, kNumPhases> PhaseBytes(const BenchConfig& config, const BenchRow& row) {
  const StepBytes bytes = LeastBytes(config);
  std::array<double, kNumPhases> of = {};
  const auto set = [&](Phase phase, double amount) { of[static_cast<int>(phase)] = amount; };
  // `own`, or else within `otherwise`, which then saves what would have passed between the two.
  const auto book = [&](Phase own, double amount, Phase otherwise, double between) {
    if (Seconds(row, own) > 0) return set(own, amount);
    of[static_cast<int>(otherwise)] += amount - between;
  };
  set(Phase::kRecurrence, bytes.recurrent_forward);
  set(Phase::kOutputLayer, bytes.output_layer);
  set(Phase::kLoss, bytes.loss);
  set(Phase::kRecurrentBackward, bytes.recurrent_backward);
  set(Phase::kClip, bytes.clip);
  set(Phase::kOptimizer, bytes.optimizer);
  book(Phase::kInputGemm, bytes.input_forward, Phase::kRecurrence, bytes.between_forward);
  book(Phase::kWeightGradients, bytes.weight_gradients, Phase::kRecurrentBackward, bytes.between_backward);
  return of;
}

std::string LimitTable(const BenchConfig& config, double peak_gflops, const BenchRow& row) {
  const std::array<double, kNumPhases> flops = PhaseFlops(config, row);
  std::string text =
      absl::StrFormat("%-20s %9s %9s %9s %8s\n", row.implementation(), "ms", "GFLOP", "least ms", "of peak");
  double seconds = row.remainder_seconds(), all_flops = 0;
  for (int i = 0; i < kNumPhases; ++i) {
    const Phase phase = static_cast<Phase>(i);
    seconds += Seconds(row, phase);
    all_flops += flops[i];
    if (Seconds(row, phase) > 0) text += Line(PhaseName(phase), Seconds(row, phase), flops[i], peak_gflops);
  }
  text += Line("remainder", row.remainder_seconds(), 0, peak_gflops);
  return text + Line("step", seconds, all_flops, peak_gflops);
}

}  // namespace earshot
