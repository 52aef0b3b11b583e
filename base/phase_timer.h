// Where the time of a training step goes. The phases follow each other on the calling thread, so their sum and the
// step's own time can be compared.
#ifndef EARSHOT_BASE_PHASE_TIMER_H_
#define EARSHOT_BASE_PHASE_TIMER_H_

#include <array>
#include <chrono>

namespace earshot {

enum class Phase {
  kCopy,               // repacking of weights, gathering and scattering of rows, dropout
  kInputGemm,          // x * w_ih^T, forward
  kRecurrence,         // recurrent products and gates, forward
  kOutputLayer,        // logits and their backward products
  kLoss,               // softmax, loss and its gradient
  kRecurrentBackward,  // gates and recurrent products, backward
  kWeightGradients,    // products over time for the parameters, and the gradient to the level's input
  kClip,               // norm of the gradient, clipping, the check for numbers that are not finite
  kOptimizer,
  kCount
};
constexpr int kNumPhases = static_cast<int>(Phase::kCount);
// In snake_case, as in reports: "copy", "input_gemm", ...
const char* PhaseName(Phase phase);

// Adds up seconds a phase. Not thread-safe: only the thread that runs the step touches it.
class PhaseTimer {
 public:
  void Clear() { seconds_.fill(0); }
  void Add(Phase phase, double seconds) { seconds_[static_cast<int>(phase)] += seconds; }
  double seconds(Phase phase) const { return seconds_[static_cast<int>(phase)]; }
  double total() const;

 private:
  std::array<double, kNumPhases> seconds_ = {};
};

// Adds the time of its scope to a phase; a null timer measures nothing. Scopes must not nest.
class ScopedPhase {
 public:
  ScopedPhase(PhaseTimer* timer, Phase phase) : timer_(timer), phase_(phase) {
    if (timer_ != nullptr) start_ = std::chrono::steady_clock::now();
  }
  ~ScopedPhase() {
    if (timer_ == nullptr) return;
    timer_->Add(phase_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
  }
  ScopedPhase(const ScopedPhase&) = delete;
  ScopedPhase& operator=(const ScopedPhase&) = delete;

 private:
  PhaseTimer* timer_;
  Phase phase_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace earshot

#endif  // EARSHOT_BASE_PHASE_TIMER_H_
