// A share of a batch: one direction of every S-th utterance, which one thread computes a chunk of steps at a time.
#ifndef EARSHOT_LSTM_ONEDNN_SHARE_H_
#define EARSHOT_LSTM_ONEDNN_SHARE_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/packing.h"
#include "base/tensor.h"
#include "lstm/lstm.h"
#include "lstm/lstm_params.h"
#include "lstm/onednn/primitives.h"

namespace earshot {

class OnednnShare {
 public:
  // Weights in the formats of the pass.
  struct Weights {
    const float *w_ih, *w_hh;
  };

  OnednnShare(const LstmLevelConfig& config, const OnednnFormats& formats, int direction);

  // The share is utterances first, first + stride, ... of in.packing. Cuts its steps into chunks and takes the memory.
  void Plan(const LstmInput& in, int first, int stride);
  // As Lstm::Forward, for the share's utterances and its direction's columns of y.
  void Forward(const LstmInput& in, const Weights& weights, TensorView<float, 2> y, LstmState* final);
  // As Lstm::Backward, for the same. Direction 0 writes dx; what direction 1 contributes is kept for AddInputGradient.
  void Backward(const LstmInput& in, const Weights& weights, TensorView<const float, 2> dy, TensorView<float, 2> dx,
                LstmState* dinitial);
  // Adds the kept gradient to dx [N, I]: the rows of every `parts`-th chunk.
  void AddInputGradient(const LstmInput& in, int part, int parts, TensorView<float, 2> dx) const;

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
    int step, steps, batch;
    int64_t row, state_row;  // its first ones
    int64_t workspace;       // where its part begins
    OnednnChunk* primitives;
  };

  // Utterances of the share that are alive at step t.
  int BatchSize(const Packing& packing, int t) const;
  OnednnChunk* Find(int steps, int batch);
  // Calls work(row, packed row) for the rows of a chunk: at each step the utterances that are alive, longest first.
  template <typename Work>
  void ForEachRow(const Packing& packing, const Chunk& chunk, const Work& work) const;
  void StartForward(const LstmInput& in);
  // Hands the state after chunk k on: to the next chunk, and of utterances that end here to `final`.
  void PassState(const LstmInput& in, size_t k, LstmState* final);
  // Binds what both passes read and save, and gathers x.
  void BindBoth(const LstmInput& in, const Weights& weights, const Chunk& chunk, OnednnPrimitive* primitive);
  void BindGradients(const Chunk& chunk, OnednnPrimitive* primitive);
  // The recurrent mask of the share's j-th utterance [H], or null.
  const float* Mask(const LstmInput& in, int j) const;

  const LstmLevelConfig config_;
  OnednnFormats formats_;
  const int direction_;
  int first_ = 0, stride_ = 1;
  std::vector<Chunk> chunks_;
  std::map<std::pair<int, int>, OnednnChunk> primitives_;  // by steps and batch
  Tensor<float, 1> workspace_, scratch_;
  Tensor<float, 2> y_;                            // [rows, H], which the library reads again in Backward
  Tensor<float, 2> dx_;                           // [rows, I] in direction 1, else of a chunk
  Tensor<float, 2> x_chunk_, dy_chunk_;           // [rows of a chunk, I], [rows of a chunk, H]
  Tensor<float, 2> h_in_, c_in_, h_out_, c_out_;  // state before and after each chunk, [sum of batches, H]
  Tensor<float, 2> dh_, dc_, dh_in_, dc_in_;      // [B, H]
  Tensor<float, 1> dw_ih_, dw_hh_, dbias_, dpeepholes_;
};

}  // namespace earshot

#endif  // EARSHOT_LSTM_ONEDNN_SHARE_H_
