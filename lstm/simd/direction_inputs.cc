// A direction's products with w_ih: of the batches of few frames, and the gradient by the input.
//
// Of few frames, packing all of w_ih would take longer than the products with it. There each part of it is packed into
// the same few cache lines just before all frames are multiplied by it; sums keep their order and bits.
#include <algorithm>

#include "lstm/simd/direction.h"
#include "lstm/simd/pack.h"

namespace earshot {
namespace {

constexpr int64_t kGates = 4;
constexpr int64_t kFewFrames = 256;
// A part of w_ih: of the columns of a panel's units, and of the rows of some panels for the gradient. What is read of a
// row of w_ih is some kilobytes long.
constexpr int64_t kColumns = 512;
constexpr int64_t kRows = 128, kPanels = 8;

}  // namespace

bool SimdDirection::FewFrames(const Packing& packing) { return packing.rows() <= kFewFrames; }

void SimdDirection::InputProducts(const LstmInput& in, int64_t first_block, int64_t last_block) {
  const float* const w_ih = LstmDirection(config_, in.params, direction_).w_ih.data();
  const int64_t lanes = kernels_.lanes, panel = kGates * lanes, i = config_.input_size;
  float* const packed = w_ih_ + first_block * panel * i;  // of the memory for these panels, the beginning
  RowProduct product;
  product.rows = in.packing->rows();
  product.a_stride = i;
  product.a_rows = direction_ == 0 ? nullptr : frames_.data();
  product.b = packed;
  product.last_panel = 1;
  product.c_stride = kGates * hp_;
  product.columns = panel;
  for (int64_t block = first_block; block < last_block; ++block) {
    product.c = gates_.data() + block * panel;
    product.bias = bias_.data() + block * panel;
    for (int64_t begin = 0; begin < i; begin += kColumns) {
      const int64_t end = std::min(begin + kColumns, i);
      PackTransposedPanel(w_ih, config_.hidden_size, i, lanes, block, begin, end, packed);
      product.k = end - begin;
      product.a = in.x.data() + begin;
      product.start = begin == 0 ? RowProduct::Start::kBias : RowProduct::Start::kAdd;
      kernels_.product(product);
    }
  }
}

int64_t SimdDirection::input_panels() const {
  const int64_t panel = kGates * kernels_.lanes;
  return (config_.input_size + panel - 1) / panel;
}

void SimdDirection::StartInputGradient(ThreadPool* pool, const LstmInput& in, float* pass) {
  w_ih_t_ = pass;
  if (FewFrames(*in.packing)) return;
  const LstmDirectionParams<const float> p = LstmDirection(config_, in.params, direction_);
  PackRows(pool, p.w_ih.data(), config_.hidden_size, config_.input_size, kernels_.lanes, 0, blocks_, w_ih_t_);
}

void SimdDirection::InputGradient(int64_t first, int64_t last, TensorView<float, 2> dx) const {
  RowProduct product;
  product.rows = last - first;
  product.k = product.a_stride = kGates * hp_;
  product.a = direction_ == 0 ? gates_.data() + first * product.a_stride : gates_.data();
  product.a_rows = direction_ == 0 ? nullptr : frames_.data() + first;
  product.b = w_ih_t_;
  product.last_panel = input_panels();
  product.c = dx.data() + first * config_.input_size;
  product.c_stride = product.columns = config_.input_size;
  product.start = direction_ == 0 ? RowProduct::Start::kZero : RowProduct::Start::kAdd;
  kernels_.product(product);
}

void SimdDirection::InputGradientPanels(const LstmInput& in, int64_t first_panel, int64_t last_panel,
                                        TensorView<float, 2> dx) {
  const float* const w_ih = LstmDirection(config_, in.params, direction_).w_ih.data();
  const int64_t panel = kGates * kernels_.lanes, terms = kGates * hp_;
  float* const packed = w_ih_t_ + first_panel * panel * terms;  // of the memory for these panels, the beginning
  RowProduct product;
  product.rows = dx.dim(0);
  product.a_stride = terms;
  product.a_rows = direction_ == 0 ? nullptr : frames_.data();
  product.b = packed;
  product.c_stride = config_.input_size;
  for (int64_t at = first_panel; at < last_panel; at += kPanels) {
    const int64_t end = std::min(at + kPanels, last_panel);
    product.last_panel = end - at;
    product.c = dx.data() + at * panel;
    product.columns = std::min(config_.input_size, static_cast<int>(end * panel)) - at * panel;
    for (int64_t term = 0; term < terms; term += product.k) {
      product.k = std::min(kRows, terms - term);
      PackRowsPanels(w_ih, config_.hidden_size, config_.input_size, kernels_.lanes, term, term + product.k, at, end,
                     packed);
      product.a = gates_.data() + term;
      product.start = direction_ == 0 && term == 0 ? RowProduct::Start::kZero : RowProduct::Start::kAdd;
      kernels_.product(product);
    }
  }
}

}  // namespace earshot
