// The definition of the LSTM that every implementation is measured against: the equations of lstm.h and their
// derivatives as plain loops over one utterance at a time, for float, double and std::complex<double>.
#ifndef EARSHOT_LSTM_REFERENCE_RECURSION_H_
#define EARSHOT_LSTM_REFERENCE_RECURSION_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/packing.h"
#include "base/tensor.h"
#include "lstm/lstm.h"
#include "lstm/lstm_params.h"

namespace earshot {

// LstmInput for any type of number; shapes and meaning as there.
template <typename T>
struct RecursionInput {
  absl::Span<const T> params;
  TensorView<const T, 2> x;
  const Packing* packing = nullptr;
  TensorView<const T, 3> h0, c0, recurrent_mask;
};

// Hidden and cell state [D, B, H]; empty views are not written.
template <typename T>
struct RecursionState {
  TensorView<T, 3> h, c;
};

template <typename T>
class Recursion {
 public:
  explicit Recursion(const LstmLevelConfig& config) : config_(config) {}

  void Forward(const RecursionInput<T>& in, TensorView<T, 2> y, RecursionState<T> final);
  // After Forward(in): dx is overwritten (or empty), dparams added to, dinitial overwritten (or empty).
  void Backward(const RecursionInput<T>& in, TensorView<const T, 2> dy, TensorView<T, 2> dx, absl::Span<T> dparams,
                RecursionState<T> dinitial);

 private:
  // Where the utterance's step s of a direction lies in packed tensors.
  static int64_t Row(const Packing& p, int direction, int s, int b) {
    return direction == 0 ? p.row(s, b) : p.reversed_row(s, b);
  }
  // Sets h_prev_ (times the recurrent mask) and c_prev_ to the state before step s.
  void LoadPrevious(const RecursionInput<T>& in, int direction, int s, int b);
  void ForwardUtterance(const RecursionInput<T>& in, int direction, int b, TensorView<T, 2> y);
  void BackwardUtterance(const RecursionInput<T>& in, int direction, int b, TensorView<const T, 2> dy,
                         TensorView<T, 2> dx, absl::Span<T> dparams);
  // Gradients at the four pre-activations of one step into dgates_, and dc_ moved to the step before.
  void BackwardGates(const LstmDirectionParams<const T>& p, int direction, int64_t row, LstmDirectionParams<T>* dp);
  // What the pre-activations' gradients mean for the parameters, for x and for the h before.
  void BackwardProducts(const LstmDirectionParams<const T>& p, absl::Span<const T> x, LstmDirectionParams<T>* dp,
                        T* dx);

  const LstmLevelConfig config_;
  std::vector<T> gates_, c_, h_;     // [D, N, 4H] activations i f g o, [D, N, H], [D, N, H] of the last Forward
  std::vector<T> h_prev_, c_prev_;   // [H] of the step at hand
  std::vector<T> dgates_, dh_, dc_;  // [4H], [H], [H] of the step at hand
  int64_t rows_ = 0;                 // N of the last Forward
};

}  // namespace earshot

#endif  // EARSHOT_LSTM_REFERENCE_RECURSION_H_
