// One direction of a level: its packed weights, what Forward saves for Backward, and the work on parts of both.
#ifndef EARSHOT_LSTM_SIMD_DIRECTION_H_
#define EARSHOT_LSTM_SIMD_DIRECTION_H_

#include <cstdint>

#include "absl/types/span.h"
#include "base/tensor.h"
#include "base/thread_pool.h"
#include "lstm/lstm.h"
#include "lstm/lstm_params.h"
#include "lstm/simd/kernels.h"
#include "lstm/simd/pair_barrier.h"
#include "lstm/simd/schedule.h"

namespace earshot {

// A thread's place in the team that works on a part.
struct TeamMember {
  int member = 0;                  // 0 or 1
  PairBarrier* barrier = nullptr;  // null: a team of one, which does both halves
  int32_t* rows = nullptr;         // scratch of 2 * ChunkRows(B) numbers
};

// Rows of the input products that are computed at a time, of a batch of B utterances at most.
int64_t ChunkRows(int64_t batch);

class SimdDirection {
 public:
  SimdDirection(const Kernels& kernels, const LstmLevelConfig& config, int direction);

  // Memory that the three passes below (forward, recurrent backward, gradient by the input) take turns with, in floats.
  // Between them it is free.
  int64_t PassFloats(int64_t batch) const;

  // Sizes what is saved for Backward and packs the weights.
  void StartForward(ThreadPool* pool, const LstmInput& in, float* pass);
  // Of a batch of few frames, the input products of the blocks [first, last) of `blocks()`.
  static bool FewFrames(const Packing& packing);
  void InputProducts(const LstmInput& in, int64_t first_block, int64_t last_block);
  // Input (if not yet) and recurrent products and gates of a part. Returns the seconds of the input products.
  double ForwardPart(const LstmInput& in, const Part& part, const TeamMember& self, TensorView<float, 2> y);
  void CopyFinal(const Packing& packing, TensorView<const float, 2> y, LstmState* final) const;

  // The gates become the gradients at the pre-activations, part by part.
  void StartBackward(ThreadPool* pool, const LstmInput& in, bool with_initial, float* pass);
  // dy as Lstm::Backward takes it.
  void BackwardPart(const LstmInput& in, const Part& part, const TeamMember& self, TensorView<const float, 2> dy);
  // Then, over all parts: gradients of the peepholes and by the initial state, ...
  void FinishBackward(ThreadPool* pool, const LstmInput& in, const LstmDirectionParams<float>& dp, LstmState* dinitial);
  // ... of the gate vectors [first, last) of `vectors()`, ...
  void AddWeightGradients(const LstmInput& in, TensorView<const float, 2> y, int64_t first, int64_t last,
                          float* scratch, const LstmDirectionParams<float>& dp);
  // ... and by x, which direction 0 sets and direction 1 adds to: of the frames [first, last), or, of few frames, of
  // the panels [first, last) of `input_panels()`, 4L columns each.
  void StartInputGradient(ThreadPool* pool, const LstmInput& in, float* pass);
  void InputGradient(int64_t first, int64_t last, TensorView<float, 2> dx) const;
  void InputGradientPanels(const LstmInput& in, int64_t first_panel, int64_t last_panel, TensorView<float, 2> dx);

  int64_t blocks() const { return blocks_; }
  int64_t vectors() const { return 4 * blocks_; }
  int64_t input_panels() const;

 private:
  int64_t half_begin(int half) const { return half == 0 ? 0 : half == 1 ? (blocks_ + 1) / 2 : blocks_; }  // 2: the end
  void ListFrames(const Packing& packing);
  // The rows of the part's steps [first, last), and the frames of x that they read; returns how many.
  int64_t ListRows(const Packing& packing, const Part& part, int first, int last, int32_t* rows, int32_t* frames) const;
  GateRows StepRows(const LstmInput& in, int s, int64_t first, int64_t rows);
  // The gradient by the input of the recurrent product of step s: a half of its sum [B, dh_stride].
  float* Dh(int s, int half) { return dh_ + ((s & 1) * 2 + half) * batch_ * dh_stride_; }

  const Kernels& kernels_;
  const LstmLevelConfig config_;
  const int direction_;
  const int64_t blocks_, hp_, dh_stride_;  // blocks of units, their units, and these in whole panels
  int64_t batch_ = 0;
  bool from_zero_ = false;     // h is 0 before the first step: it has no recurrent product
  bool with_initial_ = false;  // the gradient by the initial state is wanted
  // Of the pass at hand: packed weights, and of the recurrent backward dh [2 of steps, 2 halves, B, dh_stride].
  float *w_ih_ = nullptr, *w_hh_ = nullptr;      // for the forward products
  float *w_hh_t_ = nullptr, *w_ih_t_ = nullptr;  // for the gradients by h (a half after the other) and by x
  float* dh_ = nullptr;
  Tensor<float, 1> bias_, peepholes_;  // packed
  Tensor<float, 2> gates_, c_;         // [N, 4 Hp], [N, Hp]: in the order of the steps
  // Input of the recurrent product where it is no row of y: of the first step, and with a mask of all. [B or N, Hp]
  Tensor<float, 2> h_own_;
  Tensor<float, 2> c0_, mask_, dc_;   // [B, Hp]
  Tensor<float, 1> peephole_sums_;    // [3, Hp]
  Tensor<int32_t, 1> frames_;         // [N] the frame that a row of a step reads; its own inverse
  Tensor<int32_t, 1> frames_before_;  // [N] that of its step before; nothing in the first step
  Tensor<int32_t, 1> utterances_;     // [B] 0, 1, ...: row of dy where it has one an utterance
};

}  // namespace earshot

#endif  // EARSHOT_LSTM_SIMD_DIRECTION_H_
