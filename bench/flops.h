// Floating-point operations that a training step needs, 2 a multiply-add: matrix products over real frames only.
// Element-wise work, the loss and the optimiser are not counted.
#ifndef EARSHOT_BENCH_FLOPS_H_
#define EARSHOT_BENCH_FLOPS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "bench/bench.pb.h"
#include "lstm/lstm.h"

namespace earshot {

struct StepFlops {
  double input_forward = 0;       // x w_ih^T
  double recurrent_forward = 0;   // h w_hh^T
  double input_gradient = 0;      // dgates w_ih, from the second level on: nobody needs the gradient of the features
  double recurrent_backward = 0;  // dgates w_hh
  double input_weights = 0;       // dgates^T x
  double recurrent_weights = 0;   // dgates^T h
  double output_layer = 0;        // logits, their weights' and their inputs' gradients
  double total() const {
    return input_forward + recurrent_forward + input_gradient + recurrent_backward + input_weights + recurrent_weights +
           output_layer;
  }
};

// `rows` N frames, `judged_rows` of which the loss looks at.
StepFlops UsefulFlops(absl::Span<const LstmLevelConfig> levels, int64_t rows, int64_t judged_rows, int classes);

// Of a step of the full configuration. Nothing of a configuration that measures the loss alone.
StepFlops UsefulFlops(const BenchConfig& config);

// Multiply-adds of one frame's forward pass through LSTM and output layer: the size of their weights.
double MacsPerFrame(const BenchConfig& config);

// Steps that wait for each other, whatever the hardware: frames of the longest utterance times levels, there and back.
// (Directions do not wait for each other.) 0 of a configuration that measures the loss alone.
int64_t DependentSteps(const BenchConfig& config);

}  // namespace earshot

#endif  // EARSHOT_BENCH_FLOPS_H_
