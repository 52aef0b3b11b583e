#include "lstm/onednn/share.h"

#include <algorithm>

#include "base/check.h"
#include "lstm/initial_state.h"

namespace earshot {
namespace {

// Rows of a chunk: enough for the products over time, few enough that what the library scatters stays in the cache.
constexpr int kChunkRows = 256, kMaxChunkSteps = 64;
// Chunks of more shapes than this are made anew.
constexpr size_t kMaxShapes = 512;
// Parts of the workspace begin on pages of their own, as the library's parts of them do. In floats.
constexpr int64_t kWorkspaceAlignment = 1024;

// out = mask * in, or in without a mask.
void Masked(const float* in, const float* mask, int64_t n, float* out) {
  for (int64_t u = 0; u < n; ++u) out[u] = mask == nullptr ? in[u] : in[u] * mask[u];
}

}  // namespace

OnednnShare::OnednnShare(const LstmLevelConfig& config, const OnednnFormats& formats, int direction)
    : config_(config), formats_(formats), direction_(direction) {
  dw_ih_.Resize({OnednnSize(formats.dw_ih)});
  dw_hh_.Resize({OnednnSize(formats.dw_hh)});
  dbias_.Resize({4 * config.hidden_size});
  if (config.peepholes) dpeepholes_.Resize({3 * config.hidden_size});
}

OnednnChunk* OnednnShare::Find(int steps, int batch) {
  const auto [entry, is_new] = primitives_.try_emplace({steps, batch});
  if (is_new) {
    absl::StatusOr<OnednnChunk> chunk = CreateOnednnChunk(config_, steps, batch, &formats_);
    CHECK(chunk.ok()) << chunk.status() << ", " << steps << " steps of " << batch << " utterances";
    entry->second = *std::move(chunk);
  }
  return &entry->second;
}

int OnednnShare::BatchSize(const Packing& packing, int t) const {
  return std::max(0, (packing.batch_sizes()[t] - first_ + stride_ - 1) / stride_);
}

void OnednnShare::Plan(const LstmInput& in, int first, int stride) {
  const Packing& packing = *in.packing;
  first_ = first;
  stride_ = stride;
  chunks_.clear();
  if (primitives_.size() > kMaxShapes) primitives_.clear();
  int64_t rows = 0, most_rows = 0, states = 0, workspace = 0, scratch = 0;
  for (int t = 0; t < packing.steps() && BatchSize(packing, t) > 0;) {
    const int batch = BatchSize(packing, t);
    // The library knows no recurrent mask: with one, each step is a chunk, and the mask acts between chunks.
    const int limit = in.recurrent_mask.empty() ? std::min(std::max(1, kChunkRows / batch), kMaxChunkSteps) : 1;
    int steps = 1;
    while (steps < limit && t + steps < packing.steps() && BatchSize(packing, t + steps) == batch) ++steps;
    OnednnChunk* primitives = Find(steps, batch);
    chunks_.push_back({t, steps, batch, rows, states, workspace, primitives});
    t += steps;
    const int64_t chunk_rows = static_cast<int64_t>(steps) * batch;
    rows += chunk_rows;
    most_rows = std::max(most_rows, chunk_rows);
    states += batch;
    workspace += (primitives->workspace_size + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
    scratch = std::max(scratch, primitives->scratch_size);
  }
  const int64_t h = config_.hidden_size, i = config_.input_size;
  workspace_.Resize({workspace});
  scratch_.Resize({scratch});
  y_.Resize({rows, h});
  dx_.Resize({direction_ == 0 ? most_rows : rows, i});
  x_chunk_.Resize({most_rows, i});
  dy_chunk_.Resize({most_rows, h});
  for (Tensor<float, 2>* state : {&h_in_, &c_in_, &h_out_, &c_out_}) state->Resize({states, h});
  for (Tensor<float, 2>* gradient : {&dh_, &dc_, &dh_in_, &dc_in_}) gradient->Resize({chunks_[0].batch, h});
}

template <typename Work>
void OnednnShare::ForEachRow(const Packing& packing, const Chunk& chunk, const Work& work) const {
  int64_t row = 0;
  for (int t = chunk.step; t < chunk.step + chunk.steps; ++t) {
    for (int j = 0; j < chunk.batch; ++j) {
      const int b = first_ + j * stride_;
      work(row++, direction_ == 0 ? packing.row(t, b) : packing.reversed_row(t, b));
    }
  }
}

const float* OnednnShare::Mask(const LstmInput& in, int j) const {
  return in.recurrent_mask.empty() ? nullptr : &in.recurrent_mask(direction_, first_ + j * stride_, 0);
}

void OnednnShare::StartForward(const LstmInput& in) {
  const int64_t h = config_.hidden_size;
  const LstmDirectionParams<const float> p = LstmDirection(config_, in.params, direction_);
  for (int j = 0; j < chunks_[0].batch; ++j) {
    const int b = first_ + j * stride_;
    const float* h0 = InitialState(in.h0, p.h0, direction_, b);
    const float* c0 = InitialState(in.c0, p.c0, direction_, b);
    float *h_in = h_in_.data() + j * h, *c_in = c_in_.data() + j * h;
    if (h0 == nullptr) {
      std::fill_n(h_in, h, 0.0f);
      std::fill_n(c_in, h, 0.0f);
    } else {
      Masked(h0, Mask(in, j), h, h_in);
      std::copy_n(c0, h, c_in);
    }
  }
}

void OnednnShare::PassState(const LstmInput& in, size_t k, LstmState* final) {
  const int64_t h = config_.hidden_size;
  const Chunk& chunk = chunks_[k];
  const int next_batch = k + 1 < chunks_.size() ? chunks_[k + 1].batch : 0;
  for (int j = 0; j < chunk.batch; ++j) {
    const float* h_out = h_out_.data() + (chunk.state_row + j) * h;
    const float* c_out = c_out_.data() + (chunk.state_row + j) * h;
    if (j < next_batch) {
      const int64_t next = (chunks_[k + 1].state_row + j) * h;
      Masked(h_out, Mask(in, j), h, h_in_.data() + next);
      std::copy_n(c_out, h, c_in_.data() + next);
    } else if (final != nullptr) {
      std::copy_n(h_out, h, &final->h.view()(direction_, first_ + j * stride_, 0));
      std::copy_n(c_out, h, &final->c.view()(direction_, first_ + j * stride_, 0));
    }
  }
}

void OnednnShare::BindBoth(const LstmInput& in, const Weights& weights, const Chunk& chunk,
                           OnednnPrimitive* primitive) {
  const int64_t h = config_.hidden_size, i = config_.input_size, state = chunk.state_row * h;
  const LstmDirectionParams<const float> p = LstmDirection(config_, in.params, direction_);
  ForEachRow(*in.packing, chunk,
             [&](int64_t row, int64_t packed) { std::copy_n(&in.x(packed, 0), i, x_chunk_.data() + row * i); });
  primitive->Bind(DNNL_ARG_SRC_LAYER, x_chunk_.data());
  primitive->Bind(DNNL_ARG_SRC_ITER, h_in_.data() + state);
  primitive->Bind(DNNL_ARG_SRC_ITER_C, c_in_.data() + state);
  primitive->Bind(DNNL_ARG_WEIGHTS_LAYER, weights.w_ih);
  primitive->Bind(DNNL_ARG_WEIGHTS_ITER, weights.w_hh);
  primitive->Bind(DNNL_ARG_BIAS, p.bias);
  if (config_.peepholes) primitive->Bind(DNNL_ARG_WEIGHTS_PEEPHOLE, p.w_ci);  // w_cf and w_co follow it
  primitive->Bind(DNNL_ARG_DST_LAYER, y_.data() + chunk.row * h);
  primitive->Bind(DNNL_ARG_DST_ITER, h_out_.data() + state);
  primitive->Bind(DNNL_ARG_DST_ITER_C, c_out_.data() + state);
  primitive->Bind(DNNL_ARG_WORKSPACE, workspace_.data() + chunk.workspace);
  primitive->Bind(DNNL_ARG_SCRATCHPAD, scratch_.data());
}

void OnednnShare::BindGradients(const Chunk& chunk, OnednnPrimitive* primitive) {
  primitive->Bind(DNNL_ARG_DIFF_SRC_LAYER, dx_.data() + (direction_ == 0 ? 0 : chunk.row * config_.input_size));
  primitive->Bind(DNNL_ARG_DIFF_SRC_ITER, dh_in_.data());
  primitive->Bind(DNNL_ARG_DIFF_SRC_ITER_C, dc_in_.data());
  primitive->Bind(DNNL_ARG_DIFF_WEIGHTS_LAYER, dw_ih_.data());
  primitive->Bind(DNNL_ARG_DIFF_WEIGHTS_ITER, dw_hh_.data());
  primitive->Bind(DNNL_ARG_DIFF_BIAS, dbias_.data());
  if (config_.peepholes) primitive->Bind(DNNL_ARG_DIFF_WEIGHTS_PEEPHOLE, dpeepholes_.data());
  primitive->Bind(DNNL_ARG_DIFF_DST_LAYER, dy_chunk_.data());
  primitive->Bind(DNNL_ARG_DIFF_DST_ITER, dh_.data());
  primitive->Bind(DNNL_ARG_DIFF_DST_ITER_C, dc_.data());
}

void OnednnShare::Forward(const LstmInput& in, const Weights& weights, TensorView<float, 2> y, LstmState* final) {
  const int64_t h = config_.hidden_size;
  StartForward(in);
  for (size_t k = 0; k < chunks_.size(); ++k) {
    const Chunk& chunk = chunks_[k];
    BindBoth(in, weights, chunk, &chunk.primitives->forward);
    chunk.primitives->forward.Run();
    ForEachRow(*in.packing, chunk, [&](int64_t row, int64_t packed) {
      std::copy_n(y_.data() + (chunk.row + row) * h, h, &y(packed, direction_ * h));
    });
    PassState(in, k, final);
  }
}

void OnednnShare::Backward(const LstmInput& in, const Weights& weights, TensorView<const float, 2> dy,
                           TensorView<float, 2> dx, LstmState* dinitial) {
  const int64_t h = config_.hidden_size, i = config_.input_size;
  for (Tensor<float, 1>* sum : {&dw_ih_, &dw_hh_, &dbias_, &dpeepholes_}) sum->Fill(0);
  // Rows of utterances that have ended stay 0 until the chunk that they end in.
  dh_.Fill(0);
  dc_.Fill(0);
  for (size_t k = chunks_.size(); k-- > 0;) {
    const Chunk& chunk = chunks_[k];
    BindBoth(in, weights, chunk, &chunk.primitives->backward);
    BindGradients(chunk, &chunk.primitives->backward);
    ForEachRow(*in.packing, chunk, [&](int64_t row, int64_t packed) {
      std::copy_n(&dy(packed, direction_ * h), h, dy_chunk_.data() + row * h);
    });
    chunk.primitives->backward.Run();
    for (int j = 0; j < chunk.batch; ++j) Masked(dh_in_.data() + j * h, Mask(in, j), h, dh_.data() + j * h);
    std::copy_n(dc_in_.data(), chunk.batch * h, dc_.data());
    if (dx.empty() || direction_ == 1) continue;
    ForEachRow(*in.packing, chunk,
               [&](int64_t row, int64_t packed) { std::copy_n(dx_.data() + row * i, i, &dx(packed, 0)); });
  }
  if (dinitial == nullptr) return;
  for (int j = 0; j < chunks_[0].batch; ++j) {
    std::copy_n(dh_.data() + j * h, h, &dinitial->h.view()(direction_, first_ + j * stride_, 0));
    std::copy_n(dc_.data() + j * h, h, &dinitial->c.view()(direction_, first_ + j * stride_, 0));
  }
}

void OnednnShare::AddInputGradient(const LstmInput& in, int part, int parts, TensorView<float, 2> dx) const {
  const int64_t i = config_.input_size;
  for (size_t k = part; k < chunks_.size(); k += parts) {
    ForEachRow(*in.packing, chunks_[k], [&](int64_t row, int64_t packed) {
      const float* from = dx_.data() + (chunks_[k].row + row) * i;
      float* to = &dx(packed, 0);
      for (int64_t u = 0; u < i; ++u) to[u] += from[u];
    });
  }
}

}  // namespace earshot
