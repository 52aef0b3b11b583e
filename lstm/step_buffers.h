// What the CPU implementations that work step by step keep of one direction between Forward and Backward.
//
// Step order: row offset(s) + b holds step s of utterance b. For direction 0 that is the packed order; direction 1 has
// the same batch sizes, with each utterance's frames from its last to its first. In step order both directions are the
// same left-to-right recurrence over contiguous blocks.
#ifndef EARSHOT_LSTM_STEP_BUFFERS_H_
#define EARSHOT_LSTM_STEP_BUFFERS_H_

#include <cstdint>

#include "base/packing.h"
#include "base/tensor.h"
#include "base/thread_pool.h"
#include "lstm/gate_math.h"
#include "lstm/lstm.h"
#include "lstm/lstm_params.h"

namespace earshot {

class StepBuffers {
 public:
  StepBuffers(const LstmLevelConfig& config, int direction) : config_(config), direction_(direction) {}

  // Sizes the buffers, brings x into step order and fills in the state before the first step.
  void StartForward(ThreadPool* pool, const LstmInput& in);
  // Copies the state after each utterance's last step into its slice of `final`.
  void CopyFinal(const Packing& packing, TensorView<const float, 2> y, LstmState* final) const;
  // Clears the carried gradients.
  void StartBackward(const LstmInput& in);
  // Turns the gradients that arrived before the first step into the initial state's: of `dp`, and of dinitial.
  void FinishBackward(const LstmInput& in, const LstmDirectionParams<float>& dp, LstmState* dinitial) const;

  // The element-wise part of step s, ready for ComputeGates and ComputeGateGradients. The gradients of the bias and the
  // peepholes will be added to `dp`.
  GateForward ForwardStep(const LstmInput& in, int s, TensorView<float, 2> y);
  GateBackward BackwardStep(const LstmInput& in, int s, TensorView<const float, 2> dy,
                            const LstmDirectionParams<float>& dp);

  // Adds a matrix in step order to dx, which is in packed order (direction 0: nothing to reorder, so not needed).
  void AddToPackedRows(ThreadPool* pool, TensorView<const float, 2> steps, TensorView<float, 2> dx) const;

  int direction() const { return direction_; }
  const float* x() const { return x_; }                  // [N, I] in step order
  float* x_scratch() { return gathered_x_.data(); }      // direction 1: its memory, once x is no longer needed
  float* gates() { return gates_.data(); }               // [N, 4H]
  float* h_prev() { return h_prev_.data(); }             // [N, H] mask * h of the step before
  float* dh() { return dh_.data(); }                     // [B, H] gradient by h_prev of the step at hand

 private:
  void FillStep(const LstmInput& in, int s, GateStep* step);

  const LstmLevelConfig config_;
  const int direction_;
  const float* x_ = nullptr;
  Tensor<int64_t, 1> rows_;        // [N] packed row of each step-order row
  Tensor<float, 2> gathered_x_;    // [N, I]; direction 1 only
  Tensor<float, 2> gates_, c_, h_prev_;
  Tensor<float, 2> c0_, dh_, dc_;  // [B, H]
};

}  // namespace earshot

#endif  // EARSHOT_LSTM_STEP_BUFFERS_H_
