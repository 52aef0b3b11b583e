#include "lstm/reference/recursion.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace earshot {
namespace {

template <typename T>
T Sigmoid(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

}  // namespace

template <typename T>
void Recursion<T>::Forward(const RecursionInput<T>& in, TensorView<T, 2> y, RecursionState<T> final) {
  const int64_t h = config_.hidden_size;
  rows_ = in.packing->rows();
  gates_.resize(config_.directions * rows_ * 4 * h);
  c_.resize(config_.directions * rows_ * h);
  h_.resize(config_.directions * rows_ * h);
  h_prev_.resize(h);
  c_prev_.resize(h);
  for (int d = 0; d < config_.directions; ++d) {
    for (int b = 0; b < in.packing->batch(); ++b) {
      ForwardUtterance(in, d, b, y);
      const int64_t last = d * rows_ + Row(*in.packing, d, in.packing->lengths()[b] - 1, b);
      if (!final.h.empty()) std::copy_n(&h_[last * h], h, &final.h(d, b, 0));
      if (!final.c.empty()) std::copy_n(&c_[last * h], h, &final.c(d, b, 0));
    }
  }
}

template <typename T>
void Recursion<T>::LoadPrevious(const RecursionInput<T>& in, int direction, int s, int b) {
  const int64_t h = config_.hidden_size;
  const LstmDirectionParams<const T> p = LstmDirection(config_, in.params, direction);
  for (int64_t u = 0; u < h; ++u) {
    if (s > 0) {
      const int64_t at = (direction * rows_ + Row(*in.packing, direction, s - 1, b)) * h + u;
      h_prev_[u] = h_[at];
      c_prev_[u] = c_[at];
    } else if (!in.h0.empty()) {
      h_prev_[u] = in.h0(direction, b, u);
      c_prev_[u] = in.c0(direction, b, u);
    } else {
      h_prev_[u] = p.h0 != nullptr ? p.h0[u] : T(0);
      c_prev_[u] = p.c0 != nullptr ? p.c0[u] : T(0);
    }
    if (!in.recurrent_mask.empty()) h_prev_[u] *= in.recurrent_mask(direction, b, u);
  }
}

template <typename T>
void Recursion<T>::ForwardUtterance(const RecursionInput<T>& in, int direction, int b, TensorView<T, 2> y) {
  const int64_t h = config_.hidden_size;
  const LstmDirectionParams<const T> p = LstmDirection(config_, in.params, direction);
  const auto peephole = [](const T* w, int64_t u, T c) { return w != nullptr ? w[u] * c : T(0); };
  for (int s = 0; s < in.packing->lengths()[b]; ++s) {
    const int64_t row = Row(*in.packing, direction, s, b);
    const absl::Span<const T> x = in.x.row(row);
    LoadPrevious(in, direction, s, b);
    T* gates = &gates_[(direction * rows_ + row) * 4 * h];
    for (int64_t r = 0; r < 4 * h; ++r) {
      T sum = p.bias[r];
      const T* w_ih = p.w_ih.row(r).data();
      for (int64_t k = 0; k < config_.input_size; ++k) sum += w_ih[k] * x[k];
      const T* w_hh = p.w_hh.row(r).data();
      for (int64_t k = 0; k < h; ++k) sum += w_hh[k] * h_prev_[k];
      gates[r] = sum;
    }
    for (int64_t u = 0; u < h; ++u) {
      T &i = gates[u], &f = gates[h + u], &g = gates[2 * h + u], &o = gates[3 * h + u];
      i = Sigmoid(i + peephole(p.w_ci, u, c_prev_[u]));
      f = Sigmoid(f + peephole(p.w_cf, u, c_prev_[u]));
      g = std::tanh(g);
      const T c = f * c_prev_[u] + i * g;
      o = Sigmoid(o + peephole(p.w_co, u, c));
      c_[(direction * rows_ + row) * h + u] = c;
      h_[(direction * rows_ + row) * h + u] = y(row, direction * h + u) = o * std::tanh(c);
    }
  }
}

template <typename T>
void Recursion<T>::Backward(const RecursionInput<T>& in, TensorView<const T, 2> dy, TensorView<T, 2> dx,
                            absl::Span<T> dparams, RecursionState<T> dinitial) {
  const int64_t h = config_.hidden_size;
  if (!dx.empty()) std::fill_n(dx.data(), dx.size(), T(0));
  dgates_.resize(4 * h);
  for (int d = 0; d < config_.directions; ++d) {
    LstmDirectionParams<T> dp = LstmDirection(config_, dparams, d);
    for (int b = 0; b < in.packing->batch(); ++b) {
      BackwardUtterance(in, d, b, dy, dx, dparams);  // leaves the gradient by the initial state in dh_ and dc_
      if (!dinitial.h.empty()) std::copy_n(dh_.data(), h, &dinitial.h(d, b, 0));
      if (!dinitial.c.empty()) std::copy_n(dc_.data(), h, &dinitial.c(d, b, 0));
      if (dp.h0 == nullptr || !in.h0.empty()) continue;
      for (int64_t u = 0; u < h; ++u) {
        dp.h0[u] += dh_[u];
        dp.c0[u] += dc_[u];
      }
    }
  }
}

template <typename T>
void Recursion<T>::BackwardUtterance(const RecursionInput<T>& in, int direction, int b, TensorView<const T, 2> dy,
                                     TensorView<T, 2> dx, absl::Span<T> dparams) {
  const int64_t h = config_.hidden_size;
  const LstmDirectionParams<const T> p = LstmDirection(config_, in.params, direction);
  LstmDirectionParams<T> dp = LstmDirection(config_, dparams, direction);
  dh_.assign(h, T(0));
  dc_.assign(h, T(0));
  for (int s = in.packing->lengths()[b] - 1; s >= 0; --s) {
    const int64_t row = Row(*in.packing, direction, s, b);
    LoadPrevious(in, direction, s, b);
    for (int64_t u = 0; u < h; ++u) dh_[u] += dy(row, direction * h + u);
    BackwardGates(p, direction, row, &dp);
    BackwardProducts(p, in.x.row(row), &dp, dx.empty() ? nullptr : dx.row(row).data());
    if (in.recurrent_mask.empty()) continue;
    for (int64_t u = 0; u < h; ++u) dh_[u] *= in.recurrent_mask(direction, b, u);
  }
}

template <typename T>
void Recursion<T>::BackwardGates(const LstmDirectionParams<const T>& p, int direction, int64_t row,
                                 LstmDirectionParams<T>* dp) {
  const int64_t h = config_.hidden_size;
  const T* gates = &gates_[(direction * rows_ + row) * 4 * h];
  for (int64_t u = 0; u < h; ++u) {
    const T i = gates[u], f = gates[h + u], g = gates[2 * h + u], o = gates[3 * h + u];
    const T c = c_[(direction * rows_ + row) * h + u], tanh_c = std::tanh(c);
    const T d_o = dh_[u] * tanh_c * o * (T(1) - o);
    T dc = dc_[u] + dh_[u] * o * (T(1) - tanh_c * tanh_c);
    if (p.w_co != nullptr) dc += d_o * p.w_co[u];
    const T d_i = dc * g * i * (T(1) - i);
    const T d_f = dc * c_prev_[u] * f * (T(1) - f);
    const T d_g = dc * i * (T(1) - g * g);
    dc_[u] = dc * f;
    if (p.w_ci != nullptr) {
      dc_[u] += d_i * p.w_ci[u] + d_f * p.w_cf[u];
      dp->w_ci[u] += d_i * c_prev_[u];
      dp->w_cf[u] += d_f * c_prev_[u];
      dp->w_co[u] += d_o * c;
    }
    dgates_[u] = d_i;
    dgates_[h + u] = d_f;
    dgates_[2 * h + u] = d_g;
    dgates_[3 * h + u] = d_o;
  }
}

template <typename T>
void Recursion<T>::BackwardProducts(const LstmDirectionParams<const T>& p, absl::Span<const T> x,
                                    LstmDirectionParams<T>* dp, T* dx) {
  const int64_t h = config_.hidden_size;
  std::fill(dh_.begin(), dh_.end(), T(0));
  for (int64_t r = 0; r < 4 * h; ++r) {
    const T d = dgates_[r];
    dp->bias[r] += d;
    T *dw_ih = dp->w_ih.row(r).data(), *dw_hh = dp->w_hh.row(r).data();
    const T *w_ih = p.w_ih.row(r).data(), *w_hh = p.w_hh.row(r).data();
    for (int64_t k = 0; k < config_.input_size; ++k) dw_ih[k] += d * x[k];
    for (int64_t k = 0; k < h; ++k) dw_hh[k] += d * h_prev_[k];
    for (int64_t k = 0; k < h; ++k) dh_[k] += d * w_hh[k];
    if (dx == nullptr) continue;
    for (int64_t k = 0; k < config_.input_size; ++k) dx[k] += d * w_ih[k];
  }
}

template class Recursion<float>;
template class Recursion<double>;
template class Recursion<std::complex<double>>;

}  // namespace earshot
