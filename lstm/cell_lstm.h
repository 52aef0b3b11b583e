// The frame of the implementations that work cell by cell, as a framework's recurrent cell does in a loop over time:
// each step joins x[t] and h[t-1] to one matrix and multiplies it by [w_ih w_hh]; nothing is batched over time. What a
// step does with it is the subclass's.
#ifndef EARSHOT_LSTM_CELL_LSTM_H_
#define EARSHOT_LSTM_CELL_LSTM_H_

#include <vector>

#include "base/phase_timer.h"
#include "base/tensor.h"
#include "base/thread_pool.h"
#include "lstm/gate_math.h"
#include "lstm/lstm.h"
#include "lstm/step_buffers.h"

namespace earshot {

class CellLstm : public Lstm {
 public:
  CellLstm(const LstmLevelConfig& config, const LstmContext& context);

 protected:
  // The matrices of one step; rows are the utterances that are alive, K = I + H.
  struct Cell {
    const float* xh;  // [batch, K]
    const float* w;   // [4H, K]
    float* dw;        // [4H, K] added to; null in Forward
    float* dxh;       // [batch, K] out; null in Forward
    int64_t k;
  };

  ThreadPool* pool() const { return pool_; }

 private:
  // Fills step.c, step.y and step.h_next; step.gates is the implementation's own memory between the two passes.
  virtual void ForwardCell(const Cell& cell, const GateForward& step) = 0;
  // Updates step.dc and the parameters' gradients that step names, and fills cell.dw and cell.dxh.
  virtual void BackwardCell(const Cell& cell, const GateBackward& step) = 0;

  void DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) override;
  void DoBackward(const LstmInput& in, TensorView<const float, 2> y, TensorView<const float, 2> dy,
                  TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) override;
  // Makes w_ the direction's [w_ih w_hh].
  void JoinWeights(const LstmInput& in, int direction);
  // Makes xh_ the step's [x h_prev].
  void JoinInput(const LstmInput& in, StepBuffers* buffers, int s);
  // Hands a step's dxh_ on: the x part is added to dx, the h part becomes the gradient by h_prev.
  void SplitInputGradient(const GateBackward& step, StepBuffers* buffers, TensorView<float, 2> dx);

  ThreadPool* const pool_;
  PhaseTimer* const phases_;
  const int64_t k_;  // I + H
  std::vector<StepBuffers> directions_;
  Tensor<float, 2> w_, dw_;    // [4H, K] of the direction at hand
  Tensor<float, 2> xh_, dxh_;  // [B, K] of the step at hand
};

}  // namespace earshot

#endif  // EARSHOT_LSTM_CELL_LSTM_H_
