#include "lstm/cell_lstm.h"

#include <algorithm>

#include "lstm/lstm_params.h"

namespace earshot {

CellLstm::CellLstm(const LstmLevelConfig& config, const LstmContext& context)
    : Lstm(config), pool_(context.pool), phases_(context.phases), k_(config.input_size + config.hidden_size) {
  for (int d = 0; d < config.directions; ++d) directions_.emplace_back(config, d);
}

void CellLstm::JoinWeights(const LstmInput& in, int direction) {
  const int64_t h = config().hidden_size, i = config().input_size;
  const LstmDirectionParams<const float> p = LstmDirection(config(), in.params, direction);
  w_.Resize({4 * h, k_});
  for (int64_t r = 0; r < 4 * h; ++r) {
    std::copy_n(p.w_ih.row(r).data(), i, w_.data() + r * k_);
    std::copy_n(p.w_hh.row(r).data(), h, w_.data() + r * k_ + i);
  }
}

void CellLstm::JoinInput(const LstmInput& in, StepBuffers* buffers, int s) {
  const int64_t h = config().hidden_size, i = config().input_size, first = in.packing->offsets()[s];
  for (int64_t b = 0; b < in.packing->batch_sizes()[s]; ++b) {
    std::copy_n(buffers->x() + (first + b) * i, i, xh_.data() + b * k_);
    std::copy_n(buffers->h_prev() + (first + b) * h, h, xh_.data() + b * k_ + i);
  }
}

void CellLstm::DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) {
  xh_.Resize({in.packing->batch(), k_});
  for (StepBuffers& buffers : directions_) {
    {
      ScopedPhase phase(phases_, Phase::kCopy);
      buffers.StartForward(pool_, in);
      JoinWeights(in, buffers.direction());
    }
    ScopedPhase phase(phases_, Phase::kRecurrence);
    for (int s = 0; s < in.packing->steps(); ++s) {
      JoinInput(in, &buffers, s);
      ForwardCell({xh_.data(), w_.data(), nullptr, nullptr, k_}, buffers.ForwardStep(in, s, y));
    }
    if (final != nullptr) buffers.CopyFinal(*in.packing, y, final);
  }
}

void CellLstm::SplitInputGradient(const GateBackward& step, StepBuffers* buffers, TensorView<float, 2> dx) {
  const int64_t h = config().hidden_size, i = config().input_size;
  for (int64_t b = 0; b < step.batch; ++b) {
    const float* row = dxh_.data() + b * k_;
    std::copy_n(row + i, h, buffers->dh() + b * h);
    if (dx.empty()) continue;
    float* out = dx.row(step.rows[b]).data();
    for (int64_t k = 0; k < i; ++k) out[k] += row[k];
  }
}

void CellLstm::DoBackward(const LstmInput& in, TensorView<const float, 2> /*y*/, TensorView<const float, 2> dy,
                          TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) {
  ScopedPhase phase(phases_, Phase::kRecurrentBackward);
  const int64_t h = config().hidden_size, i = config().input_size;
  std::fill_n(dx.data(), dx.size(), 0.0f);
  dw_.Resize({4 * h, k_});
  dxh_.Resize({in.packing->batch(), k_});
  for (StepBuffers& buffers : directions_) {
    const LstmDirectionParams<float> dp = LstmDirection(config(), dparams, buffers.direction());
    JoinWeights(in, buffers.direction());
    dw_.Fill(0);
    buffers.StartBackward(in);
    for (int s = in.packing->steps() - 1; s >= 0; --s) {
      const GateBackward step = buffers.BackwardStep(in, s, dy, dp);
      JoinInput(in, &buffers, s);
      BackwardCell({xh_.data(), w_.data(), dw_.data(), dxh_.data(), k_}, step);
      SplitInputGradient(step, &buffers, dx);
    }
    buffers.FinishBackward(in, dp, dinitial);
    for (int64_t r = 0; r < 4 * h; ++r) {
      const float* row = dw_.data() + r * k_;
      for (int64_t k = 0; k < i; ++k) dp.w_ih(r, k) += row[k];
      for (int64_t k = 0; k < h; ++k) dp.w_hh(r, k) += row[i + k];
    }
  }
}

}  // namespace earshot
