// Bytes that a training step must move at least: compulsory traffic, by phase (base/phase_timer.h), for the roofline
// (Williams, Waterman, Patterson: Roofline, CACM 2009). The model, single precision throughout:
// - Every tensor that a phase reads or writes counts once for the phase, whatever its size. Weights, read at each time
//   step, are taken to stay in a cache as long as the phase lasts; a time step streams its rows of the others.
// - Nothing stays in a cache from one phase to the next, so that small nets may move less.
// - Forward saves for backward the four gates, the cell and the output of each frame and unit.
// - Vectors (biases but in the optimiser, peepholes, initial states, labels), repacking and scratch count nothing.
#ifndef EARSHOT_BENCH_BYTES_H_
#define EARSHOT_BENCH_BYTES_H_

#include "bench/bench.pb.h"

namespace earshot {

struct StepBytes {
  double input_forward = 0;       // reads x, w_ih; writes z, the gates before their functions
  double recurrent_forward = 0;   // reads z, w_hh; writes gates, cells, outputs
  double output_layer = 0;        // judged rows; forward: outputs, weights, logits; back: these, and both gradients
  double loss = 0;                // reads the logits, writes their gradient
  double recurrent_backward = 0;  // reads the outputs' gradient, gates, cells, w_hh; writes dgates
  double weight_gradients = 0;  // reads dgates, x, outputs; writes dw_ih, dw_hh; from the second level on also dx, w_ih
  double clip = 0;              // reads the gradients
  double optimizer = 0;         // reads gradients; reads and writes parameters and moments (Adam two, SGD one)
  // z and dgates, written in one phase and read in the next: what is saved where a row does both in one phase.
  double between_forward = 0, between_backward = 0;
  double total() const {
    return input_forward + recurrent_forward + output_layer + loss + recurrent_backward + weight_gradients + clip +
           optimizer;
  }
};

// Of a step of the full configuration. Nothing of a configuration that measures the loss alone.
StepBytes LeastBytes(const BenchConfig& config);

}  // namespace earshot

#endif  // EARSHOT_BENCH_BYTES_H_
