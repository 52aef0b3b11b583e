// The network: LSTM levels with dropout between them, then a linear output layer. All parameters in one flat vector.
#ifndef EARSHOT_ASR_MODEL_H_
#define EARSHOT_ASR_MODEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "asr/train.pb.h"
#include "base/packing.h"
#include "base/phase_timer.h"
#include "base/tensor.h"
#include "base/thread_pool.h"
#include "lstm/lstm.h"

namespace earshot {

// Levels that a LstmConfig describes, bottom to top.
std::vector<LstmLevelConfig> LstmLevels(const LstmConfig& config, int input_size);

// Where the masks of a training step come from: a pure function of these three.
struct DropoutPosition {
  uint64_t seed = 0;
  uint64_t step = 0;
};

// The rows whose logits matter: all, or those of each utterance's last frame, where the loss looks at no other.
enum class OutputRows { kAll, kLastFrames };

class Model {
 public:
  // The pool outlives the model. Parameters start at 0: call Initialize or load them.
  static absl::StatusOr<std::unique_ptr<Model>> Create(const ModelConfig& config, int input_size, int num_classes,
                                                       ThreadPool* pool, PhaseTimer* phases);

  // U(-r, r) with r = 1/sqrt(H) for weights, forget biases as configured, everything else 0.
  void Initialize(uint64_t seed);

  // Flat: levels as lstm_params.h lays them out, bottom to top, then output weight [C, D*H], then output bias [C].
  absl::Span<float> params() { return params_.span(); }
  absl::Span<const float> params() const { return params_.span(); }
  absl::Span<float> grads() { return grads_.span(); }
  const std::vector<LstmLevelConfig>& levels() const { return levels_; }
  int num_classes() const { return num_classes_; }
  // Lstm::note of each level that has one: "level 1: ..."; lines.
  std::string Notes() const;
  bool output_bias() const { return config_.output_bias(); }

  // features [N, input_size] -> logits [N, C], valid until the next call. `dropout` null: evaluation. The logits of
  // rows that do not matter are unspecified.
  TensorView<float, 2> Forward(TensorView<const float, 2> features, const Packing& packing,
                               const DropoutPosition* dropout, OutputRows matter = OutputRows::kAll);
  // After Forward with the same arguments: writes grads(), the gradient of the loss whose gradient by the logits is
  // dlogits [N, C], which is taken as 0 in rows that do not matter.
  void Backward(TensorView<const float, 2> features, const Packing& packing, TensorView<const float, 2> dlogits,
                OutputRows matter = OutputRows::kAll);

 private:
  Model(const ModelConfig& config, int num_classes, std::vector<LstmLevelConfig> levels, ThreadPool* pool,
        PhaseTimer* phases);
  absl::Span<float> LevelSpan(Tensor<float, 1>* flat, int level);
  LstmInput LevelInput(int level, TensorView<const float, 2> features, const Packing& packing);
  // The level's outputs after dropout; where there is any, valid until the next call.
  TensorView<const float, 2> Dropped(int level);
  // dy of the level, [N, D*H] or of last frames [B, D*H], becomes the gradient by its outputs before dropout.
  void DropGradient(int level, const Packing& packing, TensorView<float, 2> dy);
  void DrawMasks(const Packing& packing, const DropoutPosition& dropout);
  // The output layer over rows y [n, D*H] of the top level: logits [n, C]; back: its gradients and dy [n, D*H].
  void Output(TensorView<const float, 2> y, TensorView<float, 2> logits);
  void OutputBackward(TensorView<const float, 2> y, TensorView<const float, 2> dlogits, TensorView<float, 2> dy);

  const ModelConfig config_;
  const int num_classes_;
  const std::vector<LstmLevelConfig> levels_;
  ThreadPool* const pool_;
  PhaseTimer* const phases_;
  std::vector<std::unique_ptr<Lstm>> lstms_;
  std::vector<int64_t> level_offsets_;  // into the flat vector; one more than levels: where the output layer starts
  Tensor<float, 1> params_, grads_;
  // Of each level: outputs, which stay as they are for the level's Backward, and their masks [N, D*H], recurrent masks
  // [D, B, H].
  std::vector<Tensor<float, 2>> outputs_, masks_;
  std::vector<Tensor<float, 3>> recurrent_masks_;
  std::vector<char> has_mask_, has_recurrent_mask_;
  Tensor<float, 2> dropped_;  // outputs times mask of the level at hand
  // By the input of level l: [l % 2]; so by the outputs of the top, where the loss looks at all of them: [levels % 2].
  Tensor<float, 2> gradients_[2];
  Tensor<float, 2> logits_;
  Tensor<float, 2> last_output_, last_logits_, last_doutput_;  // rows of the last frames [B, *]
  Tensor<float, 1> packed_;                                    // memory of the output layer's products
};

}  // namespace earshot

#endif  // EARSHOT_ASR_MODEL_H_
