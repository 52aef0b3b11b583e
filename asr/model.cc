#include "asr/model.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/ordered_gemm.h"
#include "base/random.h"
#include "base/status_macros.h"
#include "lstm/lstm_params.h"
#include "lstm/registry.h"

namespace earshot {
namespace {

// Inverted dropout: 0 with probability p, else 1 / (1 - p), so that evaluation needs no scaling. One stream a row, so
// that the rows can be drawn by any thread.
void DrawMaskRows(float p, const DropoutPosition& at, uint32_t which, ThreadPool* pool, TensorView<float, 2> mask) {
  pool->ParallelFor(mask.dim(0), 256, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      RandomStream random(at.seed, RandomPurpose::kDropout, (at.step << 32) + r, which);
      random.FillBernoulli(p, 0.0f, 1.0f / (1.0f - p), mask.row(r));
    }
  });
}

// to = mask * x, which may be `to`.
void Multiply(ThreadPool* pool, absl::Span<const float> mask, absl::Span<const float> x, absl::Span<float> to) {
  pool->ParallelFor(to.size(), 1 << 14, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = x[i] * mask[i];
  });
}

void FillWithZeros(ThreadPool* pool, absl::Span<float> x) {
  pool->ParallelFor(x.size(), 1 << 14,
                    [&](int64_t begin, int64_t end) { std::fill(x.begin() + begin, x.begin() + end, 0.0f); });
}

int64_t LastRow(const Packing& packing, int b) { return packing.row(packing.lengths()[b] - 1, b); }

// to [B, *] = the rows of `from` [N, *] that are an utterance's last frame.
void GatherLastFrames(const Packing& packing, TensorView<const float, 2> from, Tensor<float, 2>* to) {
  to->Resize({packing.batch(), from.dim(1)});
  for (int b = 0; b < packing.batch(); ++b) {
    const absl::Span<const float> row = from.row(LastRow(packing, b));
    std::copy(row.begin(), row.end(), to->view().row(b).begin());
  }
}

void ScatterLastFrames(const Packing& packing, TensorView<const float, 2> from, TensorView<float, 2> to) {
  for (int b = 0; b < packing.batch(); ++b) {
    const absl::Span<const float> row = from.row(b);
    std::copy(row.begin(), row.end(), to.row(LastRow(packing, b)).begin());
  }
}

}  // namespace

std::vector<LstmLevelConfig> LstmLevels(const LstmConfig& config, int input_size) {
  std::vector<LstmLevelConfig> levels;
  const int n = config.level_size() > 0 ? config.level_size() : config.num_levels();
  for (int i = 0; i < n; ++i) {
    LstmLevelConfig level;
    level.input_size = i == 0 ? input_size : levels.back().directions * levels.back().hidden_size;
    level.hidden_size = config.level_size() > 0 ? config.level(i).hidden_size() : config.hidden_size();
    level.directions = config.bidirectional() ? 2 : 1;
    level.peepholes = config.peepholes();
    level.trainable_initial_state = config.trainable_initial_state();
    levels.push_back(level);
  }
  return levels;
}

Model::Model(const ModelConfig& config, int num_classes, std::vector<LstmLevelConfig> levels, ThreadPool* pool,
             PhaseTimer* phases)
    : config_(config),
      num_classes_(num_classes),
      levels_(std::move(levels)),
      pool_(pool),
      phases_(phases),
      outputs_(levels_.size()),
      masks_(levels_.size()),
      recurrent_masks_(levels_.size()),
      has_mask_(levels_.size()),
      has_recurrent_mask_(levels_.size()) {}

absl::StatusOr<std::unique_ptr<Model>> Model::Create(const ModelConfig& config, int input_size, int num_classes,
                                                     ThreadPool* pool, PhaseTimer* phases) {
  std::unique_ptr<Model> model(new Model(config, num_classes, LstmLevels(config.lstm(), input_size), pool, phases));
  int64_t size = 0;
  for (const LstmLevelConfig& level : model->levels_) {
    ASSIGN_OR_RETURN(std::unique_ptr<Lstm> lstm,
                     CreateLstm(config.lstm().implementation(), level, LstmContext{pool, phases}));
    model->lstms_.push_back(std::move(lstm));
    model->level_offsets_.push_back(size);
    size += LstmParamsSize(level);
  }
  model->level_offsets_.push_back(size);
  const LstmLevelConfig& top = model->levels_.back();
  size += int64_t{num_classes} * (top.directions * top.hidden_size + (config.output_bias() ? 1 : 0));
  model->params_ = Tensor<float, 1>({size});
  model->grads_ = Tensor<float, 1>({size});
  return model;
}

std::string Model::Notes() const {
  std::string notes;
  for (size_t l = 0; l < lstms_.size(); ++l) {
    const std::string note = lstms_[l]->note();
    if (!note.empty()) absl::StrAppend(&notes, notes.empty() ? "" : "\n", "level ", l + 1, ": ", note);
  }
  return notes;
}

void Model::Initialize(uint64_t seed) {
  params_.Fill(0);
  for (size_t l = 0; l < levels_.size(); ++l) {
    const LstmLevelConfig& level = levels_[l];
    const float range = 1.0f / std::sqrt(static_cast<float>(level.hidden_size));
    for (int d = 0; d < level.directions; ++d) {
      LstmDirectionParams<float> p = LstmDirection(level, LevelSpan(&params_, l), d);
      RandomStream random(seed, RandomPurpose::kInitialization, l, d);
      for (float& w : p.w_ih.span()) w = random.Uniform(-range, range);
      for (float& w : p.w_hh.span()) w = random.Uniform(-range, range);
      std::fill_n(p.bias + level.hidden_size, level.hidden_size, config_.forget_bias());
    }
  }
  const int width = levels_.back().directions * levels_.back().hidden_size;
  const float range = 1.0f / std::sqrt(static_cast<float>(width));
  RandomStream random(seed, RandomPurpose::kInitialization, levels_.size());
  for (float& w : params_.span().subspan(level_offsets_.back(), int64_t{num_classes_} * width)) {
    w = random.Uniform(-range, range);
  }
}

absl::Span<float> Model::LevelSpan(Tensor<float, 1>* flat, int level) {
  return flat->span().subspan(level_offsets_[level], level_offsets_[level + 1] - level_offsets_[level]);
}

LstmInput Model::LevelInput(int level, TensorView<const float, 2> features, const Packing& packing) {
  LstmInput in;
  in.params = LevelSpan(&params_, level);
  in.x = level == 0 ? features : Dropped(level - 1);
  in.packing = &packing;
  if (has_recurrent_mask_[level]) in.recurrent_mask = recurrent_masks_[level].view();
  return in;
}

TensorView<const float, 2> Model::Dropped(int level) {
  Tensor<float, 2>& output = outputs_[level];
  if (!has_mask_[level]) return output.view();
  ScopedPhase phase(phases_, Phase::kCopy);
  dropped_.Resize(output.view().shape());
  Multiply(pool_, masks_[level].span(), output.span(), dropped_.span());
  return dropped_.view();
}

void Model::DrawMasks(const Packing& packing, const DropoutPosition& dropout) {
  for (size_t l = 0; l < levels_.size(); ++l) {
    const bool last = l + 1 == levels_.size();
    const float p = last ? config_.output_dropout() : config_.lstm().dropout();
    const int64_t d = levels_[l].directions, h = levels_[l].hidden_size;
    has_mask_[l] = p > 0;
    if (p > 0) {
      // At its largest before it is used: a level's Backward finds its input where its Forward found it.
      dropped_.Resize({packing.rows(), std::max(d * h, dropped_.dim(1))});
      masks_[l].Resize({packing.rows(), d * h});
      DrawMaskRows(p, dropout, 2 * l, pool_, masks_[l].view());
    }
    const float r = config_.lstm().recurrent_dropout();
    has_recurrent_mask_[l] = r > 0;
    if (r > 0) {
      recurrent_masks_[l].Resize({d, packing.batch(), h});
      DrawMaskRows(r, dropout, 2 * l + 1, pool_, {recurrent_masks_[l].data(), {d * packing.batch(), h}});
    }
  }
}

void Model::Output(TensorView<const float, 2> y, TensorView<float, 2> logits) {
  const int64_t width = y.dim(1);
  const float* weight = params_.data() + level_offsets_.back();
  const float* bias = config_.output_bias() ? weight + num_classes_ * width : nullptr;
  OrderedGemm(pool_, Transpose::kNo, Transpose::kYes, y.dim(0), num_classes_, width, y.data(), width, weight, width,
              bias, logits.data(), num_classes_, &packed_);
}

void Model::OutputBackward(TensorView<const float, 2> y, TensorView<const float, 2> dlogits, TensorView<float, 2> dy) {
  const int64_t rows = y.dim(0), width = y.dim(1);
  const float* weight = params_.data() + level_offsets_.back();
  float* dweight = grads_.data() + level_offsets_.back();
  OrderedGemm(pool_, Transpose::kYes, Transpose::kNo, num_classes_, width, rows, dlogits.data(), num_classes_, y.data(),
              width, nullptr, dweight, width, &packed_);
  if (config_.output_bias()) OrderedColumnSums(pool_, dlogits, dweight + num_classes_ * width);
  OrderedGemm(pool_, Transpose::kNo, Transpose::kNo, rows, width, num_classes_, dlogits.data(), num_classes_, weight,
              width, nullptr, dy.data(), width, &packed_);
}

TensorView<float, 2> Model::Forward(TensorView<const float, 2> features, const Packing& packing,
                                    const DropoutPosition* dropout, OutputRows matter) {
  CHECK_EQ(features.dim(0), packing.rows());
  CHECK_EQ(features.dim(1), levels_[0].input_size);
  std::fill(has_mask_.begin(), has_mask_.end(), 0);
  std::fill(has_recurrent_mask_.begin(), has_recurrent_mask_.end(), 0);
  if (dropout != nullptr) {
    ScopedPhase phase(phases_, Phase::kCopy);
    DrawMasks(packing, *dropout);
  }
  for (size_t l = 0; l < levels_.size(); ++l) {
    outputs_[l].Resize({packing.rows(), int64_t{levels_[l].directions} * levels_[l].hidden_size});
    lstms_[l]->Forward(LevelInput(l, features, packing), outputs_[l].view(), nullptr);
  }
  const TensorView<const float, 2> top = Dropped(static_cast<int>(levels_.size()) - 1);
  ScopedPhase phase(phases_, Phase::kOutputLayer);
  logits_.Resize({packing.rows(), num_classes_});
  if (matter == OutputRows::kAll) {
    Output(top, logits_.view());
  } else {
    GatherLastFrames(packing, top, &last_output_);
    last_logits_.Resize({packing.batch(), num_classes_});
    Output(last_output_.view(), last_logits_.view());
    ScatterLastFrames(packing, last_logits_.view(), logits_.view());
  }
  return logits_.view();
}

void Model::DropGradient(int level, const Packing& packing, TensorView<float, 2> dy) {
  if (!has_mask_[level]) return;
  ScopedPhase phase(phases_, Phase::kCopy);
  const TensorView<const float, 2> mask = masks_[level].view();
  if (dy.dim(0) == packing.rows()) return Multiply(pool_, mask.span(), dy.span(), dy.span());
  for (int b = 0; b < packing.batch(); ++b) Multiply(pool_, mask.row(LastRow(packing, b)), dy.row(b), dy.row(b));
}

void Model::Backward(TensorView<const float, 2> features, const Packing& packing, TensorView<const float, 2> dlogits,
                     OutputRows matter) {
  const int levels = static_cast<int>(levels_.size());
  const TensorView<const float, 2> top = Dropped(levels - 1);
  TensorView<float, 2> dy;
  {
    ScopedPhase phase(phases_, Phase::kOutputLayer);
    FillWithZeros(pool_, grads());
    if (matter == OutputRows::kAll) {
      gradients_[levels % 2].Resize(top.shape());
      dy = gradients_[levels % 2].view();
      OutputBackward(top, dlogits, dy);
    } else {
      GatherLastFrames(packing, dlogits, &last_logits_);
      last_doutput_.Resize(last_output_.view().shape());
      dy = last_doutput_.view();
      OutputBackward(last_output_.view(), last_logits_.view(), dy);
    }
  }
  for (int l = levels - 1; l >= 0; --l) {
    DropGradient(l, packing, dy);
    TensorView<float, 2> dx;
    if (l > 0) {
      gradients_[l % 2].Resize({packing.rows(), levels_[l].input_size});
      dx = gradients_[l % 2].view();
    }
    lstms_[l]->Backward(LevelInput(l, features, packing), outputs_[l].view(), dy, dx, LevelSpan(&grads_, l), nullptr);
    dy = dx;
  }
}

}  // namespace earshot
