// One LSTM level in one or two directions, over packed batches.
//
//   i, f, g, o = w_ih x[t] + w_hh h[t-1] + bias                 gate order i f g o, bias [4H]
//   i = sigmoid(i + w_ci c[t-1])   f = sigmoid(f + w_cf c[t-1])   g = tanh(g)
//   c[t] = f c[t-1] + i g
//   o = sigmoid(o + w_co c[t])                                  peepholes w_c* [H] where the level has them
//   h[t] = o tanh(c[t])
//
// (Hochreiter and Schmidhuber 1997; peepholes and forget gates: Gers, Schraudolph and Schmidhuber 2002.)
#ifndef EARSHOT_LSTM_LSTM_H_
#define EARSHOT_LSTM_LSTM_H_

#include <string>

#include "absl/types/span.h"
#include "base/packing.h"
#include "base/phase_timer.h"
#include "base/tensor.h"
#include "base/thread_pool.h"

namespace earshot {

// The shape of one level.
struct LstmLevelConfig {
  int input_size = 0;   // I
  int hidden_size = 0;  // H, of each direction
  int directions = 1;   // D: 1 left to right, 2 both (their outputs side by side)
  bool peepholes = false;
  bool trainable_initial_state = false;  // parameters h0, c0 [H] a direction, the same for every utterance
};

// What an implementation is given to work with. The pointers outlive the Lstm.
struct LstmContext {
  ThreadPool* pool = nullptr;    // never null
  PhaseTimer* phases = nullptr;  // may be null
};

// Hidden and cell state of every utterance, [D, B, H].
struct LstmState {
  Tensor<float, 3> h, c;
};

struct LstmInput {
  absl::Span<const float> params;  // of this level, laid out as lstm_params.h says
  TensorView<const float, 2> x;    // [N, I]
  const Packing* packing = nullptr;
  // State before each utterance's first frame (its last one for direction 1), [D, B, H] each. Empty: the trainable
  // initial state if the level has one, else 0. Given: used in place of the trainable one.
  TensorView<const float, 3> h0, c0;
  // Multiplies h[t-1] inside the recurrent product, the same at every step, [D, B, H] (Gal and Ghahramani 2016).
  TensorView<const float, 3> recurrent_mask;
};

class Lstm {
 public:
  explicit Lstm(const LstmLevelConfig& config) : config_(config) {}
  virtual ~Lstm() = default;
  Lstm(const Lstm&) = delete;
  Lstm& operator=(const Lstm&) = delete;

  const LstmLevelConfig& config() const { return config_; }
  // How the level runs on this machine, where that is chosen by trial, for records; empty until it is known.
  virtual std::string note() const { return ""; }

  // y [N, D*H]: h of direction 0 in the first H columns, of direction 1 in the last. `final` (may be null) receives the
  // state after each utterance's last step: frame length-1 for direction 0, frame 0 for direction 1.
  void Forward(const LstmInput& in, TensorView<float, 2> y, LstmState* final);

  // Call once after Forward(in, y) with the same `in` and y, whose arrays still hold the same values; what Forward
  // saved is used up. dy is the gradient of the loss by y, [N, D*H], or [B, D*H]: by each utterance's last frame, where
  // the loss looks at no other. dx [N, I] is overwritten; empty: not computed. dparams is added to. `dinitial` (may be
  // null) receives the gradient by h0 and c0 when these were given.
  void Backward(const LstmInput& in, TensorView<const float, 2> y, TensorView<const float, 2> dy,
                TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial);

 private:
  virtual void DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) = 0;
  virtual void DoBackward(const LstmInput& in, TensorView<const float, 2> y, TensorView<const float, 2> dy,
                          TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) = 0;
  // Whether DoBackward takes dy [B, D*H] too; if not, it is filled up with zeros before.
  virtual bool takes_last_frames() const { return false; }
  void CheckInput(const LstmInput& in) const;

  const LstmLevelConfig config_;
  Tensor<float, 2> filled_dy_;  // [N, D*H]
};

}  // namespace earshot

#endif  // EARSHOT_LSTM_LSTM_H_
