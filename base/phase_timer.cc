#include "base/phase_timer.h"

namespace earshot {

const char* PhaseName(Phase phase) {
  static constexpr const char* kNames[kNumPhases] = {"copy",  "input_gemm",         "recurrence",
                                                     "output_layer", "loss",        "recurrent_backward",
                                                     "weight_gradients", "clip",    "optimizer"};
  return kNames[static_cast<int>(phase)];
}

double PhaseTimer::total() const {
  double sum = 0;
  for (double s : seconds_) sum += s;
  return sum;
}

}  // namespace earshot
