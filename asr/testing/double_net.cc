#include "asr/testing/double_net.h"

#include <cmath>

#include "lstm/lstm_params.h"

namespace earshot {
namespace {

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

struct Level {
  const LstmLevelConfig& config;
  LstmDirectionParams<const double> p;
  const Packing& packing;
  int direction;
  const double* recurrent_mask;  // [B, H] of this direction, or null
};

// Writes the D*H-wide rows of `y` that belong to utterance b, columns of this direction.
void RunUtterance(const Level& l, int b, const std::vector<double>& x, std::vector<double>* y) {
  const int64_t in = l.config.input_size, h = l.config.hidden_size, width = l.config.directions * h;
  const auto peephole = [](const double* w, int64_t u, double c) { return w == nullptr ? 0 : w[u] * c; };
  std::vector<double> hidden(h), cell(h), gates(4 * h);
  if (l.p.h0 != nullptr) hidden.assign(l.p.h0, l.p.h0 + h);
  if (l.p.c0 != nullptr) cell.assign(l.p.c0, l.p.c0 + h);
  for (int s = 0; s < l.packing.lengths()[b]; ++s) {
    const int64_t row = l.direction == 0 ? l.packing.row(s, b) : l.packing.reversed_row(s, b);
    if (l.recurrent_mask != nullptr) {
      for (int64_t u = 0; u < h; ++u) hidden[u] *= l.recurrent_mask[b * h + u];
    }
    for (int64_t r = 0; r < 4 * h; ++r) {
      gates[r] = l.p.bias[r];
      for (int64_t k = 0; k < in; ++k) gates[r] += l.p.w_ih(r, k) * x[row * in + k];
      for (int64_t k = 0; k < h; ++k) gates[r] += l.p.w_hh(r, k) * hidden[k];
    }
    for (int64_t u = 0; u < h; ++u) {
      const double i = Sigmoid(gates[u] + peephole(l.p.w_ci, u, cell[u]));
      const double f = Sigmoid(gates[h + u] + peephole(l.p.w_cf, u, cell[u]));
      cell[u] = f * cell[u] + i * std::tanh(gates[2 * h + u]);
      hidden[u] = Sigmoid(gates[3 * h + u] + peephole(l.p.w_co, u, cell[u])) * std::tanh(cell[u]);
      (*y)[row * width + l.direction * h + u] = hidden[u];
    }
  }
}

}  // namespace

std::vector<double> DoubleNet::Logits(absl::Span<const double> params, TensorView<const float, 2> features,
                                      const Packing& packing) const {
  std::vector<double> x(features.span().begin(), features.span().end());
  size_t at = 0;
  for (size_t l = 0; l < levels.size(); ++l) {
    const LstmLevelConfig& config = levels[l];
    const int64_t h = config.hidden_size;
    const absl::Span<const double> own = params.subspan(at, LstmParamsSize(config));
    at += own.size();
    std::vector<double> y(packing.rows() * config.directions * h);
    for (int d = 0; d < config.directions; ++d) {
      const bool masked = !recurrent_masks.empty() && !recurrent_masks[l].empty();
      const Level level = {config, LstmDirection(config, own, d), packing, d,
                           masked ? recurrent_masks[l].data() + d * packing.batch() * h : nullptr};
      for (int b = 0; b < packing.batch(); ++b) RunUtterance(level, b, x, &y);
    }
    if (!masks.empty() && !masks[l].empty()) {
      for (size_t i = 0; i < y.size(); ++i) y[i] *= masks[l][i];
    }
    x = std::move(y);
  }
  const int64_t width = levels.back().directions * levels.back().hidden_size;
  const double *weight = params.data() + at, *bias = weight + num_classes * width;
  std::vector<double> logits(packing.rows() * num_classes);
  for (int64_t n = 0; n < packing.rows(); ++n) {
    for (int c = 0; c < num_classes; ++c) {
      double sum = output_bias ? bias[c] : 0;
      for (int64_t k = 0; k < width; ++k) sum += weight[c * width + k] * x[n * width + k];
      logits[n * num_classes + c] = sum;
    }
  }
  return logits;
}

double SumOfCrossEntropies(const std::vector<double>& logits, const std::vector<int>& targets, int num_classes) {
  double loss = 0;
  for (size_t n = 0; n < targets.size(); ++n) {
    double sum = 0;
    for (int c = 0; c < num_classes; ++c) sum += std::exp(logits[n * num_classes + c]);
    loss += std::log(sum) - logits[n * num_classes + targets[n]];
  }
  return loss;
}

}  // namespace earshot
