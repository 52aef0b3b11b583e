// Where the parameters of a level lie in its flat vector. For each direction, one after the other:
//   w_ih [4H, I], w_hh [4H, H], bias [4H], then w_ci, w_cf, w_co [H] with peepholes, then h0, c0 [H] with a trainable
//   initial state. All row-major, gates in the order i f g o.
#ifndef EARSHOT_LSTM_LSTM_PARAMS_H_
#define EARSHOT_LSTM_LSTM_PARAMS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "base/check.h"
#include "base/tensor.h"
#include "lstm/lstm.h"

namespace earshot {

// The parameters (or their gradients) of one direction; T is a constant type for reading. Absent parts are null.
template <typename T>
struct LstmDirectionParams {
  TensorView<T, 2> w_ih, w_hh;                               // [4H, I], [4H, H]
  T* bias = nullptr;                                         // [4H]
  T *w_ci = nullptr, *w_cf = nullptr, *w_co = nullptr;       // [H]
  T *h0 = nullptr, *c0 = nullptr;                            // [H]
};

inline int64_t LstmDirectionSize(const LstmLevelConfig& c) {
  const int64_t h = c.hidden_size;
  return 4 * h * (c.input_size + h + 1) + (c.peepholes ? 3 * h : 0) + (c.trainable_initial_state ? 2 * h : 0);
}

// Number of parameters of the level, all directions.
inline int64_t LstmParamsSize(const LstmLevelConfig& c) { return c.directions * LstmDirectionSize(c); }

template <typename T>
LstmDirectionParams<T> LstmDirection(const LstmLevelConfig& c, absl::Span<T> params, int direction) {
  CHECK_EQ(static_cast<int64_t>(params.size()), LstmParamsSize(c));
  const int64_t h = c.hidden_size, i = c.input_size;
  T* at = params.data() + direction * LstmDirectionSize(c);
  const auto take = [&at](int64_t n) {
    T* part = at;
    at += n;
    return part;
  };
  LstmDirectionParams<T> p;
  p.w_ih = TensorView<T, 2>(take(4 * h * i), {4 * h, i});
  p.w_hh = TensorView<T, 2>(take(4 * h * h), {4 * h, h});
  p.bias = take(4 * h);
  if (c.peepholes) {
    p.w_ci = take(h);
    p.w_cf = take(h);
    p.w_co = take(h);
  }
  if (c.trainable_initial_state) {
    p.h0 = take(h);
    p.c0 = take(h);
  }
  return p;
}

}  // namespace earshot

#endif  // EARSHOT_LSTM_LSTM_PARAMS_H_
