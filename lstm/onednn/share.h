// A share of a batch: one direction of every S-th utterance, which one thread computes a chunk of steps at a time.
#ifndef EARSHOT_LSTM_ONEDNN_SHARE_H_
#define EARSHOT_LSTM_ONEDNN_SHARE_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/tensor.h"
#include "lstm/lstm.h"
#include "lstm/lstm_params.h"
#include "lstm/onednn/primitives.h"

namespace earshot {

class OnednnShare {
 public:
  // The tensors of the share, in step order: at each of its steps the utterances that are alive, longest first.
  struct Rows {
    const float* x;   // [rows, I]
    float* y;         // [rows, H]; out in Forward, in in Backward
    const float* dy;  // [rows, H]
    float* dx;        // [rows, I]; out
  };
  // Weights in the formats of the pass.
  struct Weights {
    const float *w_ih, *w_hh;
  };

  OnednnShare(const LstmLevelConfig& config, const OnednnFormats& formats, int direction);

  // The share is utterances first, first + stride, ... of in.packing. Cuts its steps into chunks and takes the memory.
  void Plan(const LstmInput& in, int first, int stride);
  // Utterances of the share that are alive at step t.
  int batch_size(const Packing& packing, int t) const {
    return std::max(0, (packing.batch_sizes()[t] - first_ + stride_ - 1) / stride_);
  }
  int64_t rows() const { return rows_; }

  // `final` (may be null) receives the state after the last step of the share's utterances.
  void Forward(const LstmInput& in, const Weights& weights, const Rows& rows, LstmState* final);
  // `dinitial` (may be null) receives the gradient by the state before the first step of the share's utterances.
  void Backward(const LstmInput& in, const Weights& weights, const Rows& rows, LstmState* dinitial);

  // After Backward. Gradients in the formats dw_ih and dw_hh; [4H]; [3H].
  const float* dw_ih() const { return dw_ih_.data(); }
  const float* dw_hh() const { return dw_hh_.data(); }
  const float* dbias() const { return dbias_.data(); }
  const float* dpeepholes() const { return dpeepholes_.data(); }
  // Gradients by the state before utterance b's first step, [H].
  const float* dh0(int b) const { return dh_.data() + b / stride_ * config_.hidden_size; }
  const float* dc0(int b) const { return dc_.data() + b / stride_ * config_.hidden_size; }

 private:
  struct Chunk {
    int batch;
    int64_t row, state_row;  // its first ones
    int64_t workspace;       // where its part begins
    OnednnChunk* primitives;
  };

  OnednnChunk* Find(int steps, int batch);
  void StartForward(const LstmInput& in);
  // Hands the state after chunk k on: to the next chunk, and of utterances that end here to `final`.
  void PassState(const LstmInput& in, size_t k, LstmState* final);
  void BindBoth(const LstmInput& in, const Weights& weights, const Rows& rows, const Chunk& chunk,
                OnednnPrimitive* primitive);
  // The recurrent mask of the share's j-th utterance [H], or null.
  const float* Mask(const LstmInput& in, int j) const;

  const LstmLevelConfig config_;
  OnednnFormats formats_;
  const int direction_;
  int first_ = 0, stride_ = 1;
  int64_t rows_ = 0;
  std::vector<Chunk> chunks_;
  std::map<std::pair<int, int>, OnednnChunk> primitives_;  // by steps and batch
  Tensor<float, 1> workspace_, scratch_;
  Tensor<float, 2> h_in_, c_in_, h_out_, c_out_;  // state before and after each chunk, [sum of batches, H]
  Tensor<float, 2> dh_, dc_, dh_in_, dc_in_;      // [B, H]
  Tensor<float, 1> dw_ih_, dw_hh_, dbias_, dpeepholes_;
};

}  // namespace earshot

#endif  // EARSHOT_LSTM_ONEDNN_SHARE_H_
