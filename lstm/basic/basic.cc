#include "lstm/basic/basic.h"

#include <algorithm>

#include "base/gemm.h"
#include "lstm/cell_lstm.h"

namespace earshot {
namespace {

constexpr Transpose kNo = Transpose::kNo, kYes = Transpose::kYes;

// The primitive operations: each one loop over [batch, H] arrays of n = rows * columns elements.
void Multiply(const float* a, const float* b, int64_t n, float* out) {
  for (int64_t k = 0; k < n; ++k) out[k] = a[k] * b[k];
}
void Add(const float* a, int64_t n, float* sum) {
  for (int64_t k = 0; k < n; ++k) sum[k] += a[k];
}
void AddRow(const float* row, int64_t rows, int64_t columns, float* sum) {
  for (int64_t r = 0; r < rows; ++r) Add(row, columns, sum + r * columns);
}
// sum += row * a, the row for every row of a (a peephole)
void AddRowTimes(const float* row, const float* a, int64_t rows, int64_t columns, float* sum) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t k = 0; k < columns; ++k) sum[r * columns + k] += row[k] * a[r * columns + k];
  }
}
void AddColumnSums(const float* a, int64_t rows, int64_t columns, float* sum) {
  for (int64_t r = 0; r < rows; ++r) Add(a + r * columns, columns, sum);
}
void TimesSigmoidSlope(const float* sigmoid, int64_t n, float* d) {
  for (int64_t k = 0; k < n; ++k) d[k] *= sigmoid[k] * (1 - sigmoid[k]);
}
void TimesTanhSlope(const float* tanh, int64_t n, float* d) {
  for (int64_t k = 0; k < n; ++k) d[k] *= 1 - tanh[k] * tanh[k];
}

// A step's gates are kept as four arrays [batch, H], one after the other.
class BasicLstm : public CellLstm {
 public:
  using CellLstm::CellLstm;

 private:
  void ForwardCell(const Cell& cell, const GateForward& s) override;
  void BackwardCell(const Cell& cell, const GateBackward& s) override;
  // The gates' gradients in place of the gates, and s.dc moved to the step before.
  void GateGradients(const GateBackward& s);
  // Gradients of the biases and peepholes, and the products that lead to the weights and to [x h].
  void Products(const Cell& cell, const GateBackward& s);

  Tensor<float, 2> h_, tanh_c_, dh_, d_, product_;  // [B, H] of the step at hand
};

void BasicLstm::ForwardCell(const Cell& cell, const GateForward& s) {
  const int64_t h = s.hidden, n = s.batch * h;
  float *i = s.gates, *f = i + n, *g = f + n, *o = g + n;
  for (int64_t gate = 0; gate < 4; ++gate) {
    float* out = s.gates + gate * n;
    Gemm(pool(), kNo, kYes, s.batch, h, cell.k, 1, cell.xh, cell.k, cell.w + gate * h * cell.k, cell.k, 0, out, h);
    AddRow(s.bias + gate * h, s.batch, h, out);
  }
  if (s.w_ci != nullptr) {
    AddRowTimes(s.w_ci, s.c_prev, s.batch, h, i);
    AddRowTimes(s.w_cf, s.c_prev, s.batch, h, f);
  }
  ComputeSigmoid(i, n, i);
  ComputeSigmoid(f, n, f);
  ComputeTanh(g, n, g);
  h_.Resize({s.batch, h});
  Multiply(f, s.c_prev, n, s.c);
  Multiply(i, g, n, h_.data());
  Add(h_.data(), n, s.c);
  if (s.w_co != nullptr) AddRowTimes(s.w_co, s.c, s.batch, h, o);
  ComputeSigmoid(o, n, o);
  ComputeTanh(s.c, n, h_.data());
  Multiply(o, h_.data(), n, h_.data());
  for (int64_t b = 0; b < s.batch; ++b) {
    std::copy_n(h_.data() + b * h, h, s.y + s.rows[b] * s.stride);
  }
  std::copy_n(h_.data(), s.next_batch * h, s.h_next);
  if (s.mask != nullptr) Multiply(h_.data(), s.mask, s.next_batch * h, s.h_next);
}

void BasicLstm::GateGradients(const GateBackward& s) {
  const int64_t h = s.hidden, n = s.batch * h;
  float *i = s.gates, *f = i + n, *g = f + n, *o = g + n;
  for (Tensor<float, 2>* t : {&tanh_c_, &dh_, &d_, &product_}) t->Resize({s.batch, h});
  float *dh = dh_.data(), *tanh_c = tanh_c_.data(), *d = d_.data(), *dc = s.dc;
  std::copy_n(s.dh, n, dh);
  if (s.mask != nullptr) Multiply(dh, s.mask, n, dh);
  for (int64_t b = 0; b < s.batch; ++b) Add(s.dy + s.rows[b] * s.stride, h, dh + b * h);
  ComputeTanh(s.c, n, tanh_c);
  Multiply(dh, o, n, d);  // through h = o tanh(c)
  TimesTanhSlope(tanh_c, n, d);
  Add(d, n, dc);
  Multiply(dh, tanh_c, n, d);
  TimesSigmoidSlope(o, n, d);
  std::copy_n(d, n, o);
  if (s.w_co != nullptr) AddRowTimes(s.w_co, o, s.batch, h, dc);
  Multiply(dc, g, n, d);  // through c = f c_prev + i g
  TimesSigmoidSlope(i, n, d);
  Multiply(dc, i, n, product_.data());
  TimesTanhSlope(g, n, product_.data());
  std::copy_n(d, n, i);
  std::copy_n(product_.data(), n, g);
  Multiply(dc, s.c_prev, n, d);
  TimesSigmoidSlope(f, n, d);
  Multiply(dc, f, n, dc);
  std::copy_n(d, n, f);
  if (s.w_ci == nullptr) return;
  AddRowTimes(s.w_ci, i, s.batch, h, dc);
  AddRowTimes(s.w_cf, f, s.batch, h, dc);
}

void BasicLstm::Products(const Cell& cell, const GateBackward& s) {
  const int64_t h = s.hidden, n = s.batch * h;
  for (int64_t gate = 0; gate < 4; ++gate) {
    const float* d = s.gates + gate * n;
    const int64_t at = gate * h * cell.k;
    AddColumnSums(d, s.batch, h, s.dbias + gate * h);
    Gemm(pool(), kYes, kNo, h, cell.k, s.batch, 1, d, h, cell.xh, cell.k, 1, cell.dw + at, cell.k);
    Gemm(pool(), kNo, kNo, s.batch, cell.k, h, 1, d, h, cell.w + at, cell.k, gate == 0 ? 0 : 1, cell.dxh, cell.k);
  }
  if (s.w_ci == nullptr) return;
  const auto peephole = [&](int64_t gate, const float* c, float* dw) {
    Multiply(s.gates + gate * n, c, n, product_.data());
    AddColumnSums(product_.data(), s.batch, h, dw);
  };
  peephole(0, s.c_prev, s.dw_ci);
  peephole(1, s.c_prev, s.dw_cf);
  peephole(3, s.c, s.dw_co);
}

void BasicLstm::BackwardCell(const Cell& cell, const GateBackward& s) {
  GateGradients(s);
  Products(cell, s);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Lstm>> CreateBasic(const LstmLevelConfig& config, const LstmContext& context) {
  return std::make_unique<BasicLstm>(config, context);
}

}  // namespace earshot
