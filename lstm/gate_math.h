// The element-wise part of one LSTM step in vector code (Highway, best instruction set of the machine at run time), for
// a range of hidden units so that threads can share a step.
#ifndef EARSHOT_LSTM_GATE_MATH_H_
#define EARSHOT_LSTM_GATE_MATH_H_

#include <cstdint>

namespace earshot {

// One step of one direction over the `batch` utterances that are alive. Matrices are row-major with one row an
// utterance. Weights and optional parts as in lstm.h; absent ones are null.
struct GateStep {
  int64_t batch = 0;
  int64_t hidden = 0;                                              // H
  const float *w_ci = nullptr, *w_cf = nullptr, *w_co = nullptr;   // [H]
  const float* mask = nullptr;                                     // [batch, H] recurrent mask
  // Forward: in, the pre-activations without bias; out, the activations i f g o. Backward: in, the activations; out, the
  // gradients at the pre-activations.
  float* gates = nullptr;         // [batch, 4H]
  const float* c_prev = nullptr;  // [batch, H]
  float* c = nullptr;             // [batch, H], out in Forward, in in Backward
  // Where the step's h (forward) or its gradient (backward) lies: row rows[b] of a matrix with `stride` floats a row.
  const int64_t* rows = nullptr;  // [batch]
  int64_t stride = 0;
};

struct GateForward : GateStep {
  const float* bias = nullptr;  // [4H]
  float* y = nullptr;           // out: h
  int64_t next_batch = 0;       // utterances still alive at the next step
  float* h_next = nullptr;      // out [next_batch, H]: mask * h
};

struct GateBackward : GateStep {
  const float* dy = nullptr;  // gradient by h from above
  const float* dh = nullptr;  // [batch, H] gradient by mask * h from the next step
  float* dc = nullptr;        // [batch, H] in: gradient by c from the next step; out: by c_prev
  float* dbias = nullptr;     // [4H], added to
  float *dw_ci = nullptr, *dw_cf = nullptr, *dw_co = nullptr;  // [H], added to; null without peepholes
};

// Units [begin, end) of a step.
void ComputeGates(const GateForward& step, int64_t begin, int64_t end);
void ComputeGateGradients(const GateBackward& step, int64_t begin, int64_t end);

// The two functions alone, over arrays of n; out may be in.
void ComputeSigmoid(const float* in, int64_t n, float* out);
void ComputeTanh(const float* in, int64_t n, float* out);

}  // namespace earshot

#endif  // EARSHOT_LSTM_GATE_MATH_H_
