#include "lstm/lstm.h"

#include <algorithm>

#include "base/check.h"
#include "lstm/lstm_params.h"

namespace earshot {
namespace {

using Shape3 = TensorView<const float, 3>::Shape;

void CheckState(TensorView<const float, 3> state, const Shape3& shape, const char* name) {
  if (state.empty()) return;
  for (int axis = 0; axis < 3; ++axis) CHECK_EQ(state.dim(axis), shape[axis]) << name << " [D, B, H], axis " << axis;
}

}  // namespace

void Lstm::CheckInput(const LstmInput& in) const {
  CHECK(in.packing != nullptr);
  CHECK_EQ(static_cast<int64_t>(in.params.size()), LstmParamsSize(config_)) << "params";
  CHECK_EQ(in.x.dim(0), in.packing->rows()) << "x [N, I]";
  CHECK_EQ(in.x.dim(1), config_.input_size) << "x [N, I]";
  const Shape3 state = {config_.directions, in.packing->batch(), config_.hidden_size};
  CheckState(in.h0, state, "h0");
  CheckState(in.c0, state, "c0");
  CheckState(in.recurrent_mask, state, "recurrent_mask");
  CHECK_EQ(in.h0.empty(), in.c0.empty()) << "h0 and c0 are given together";
}

void Lstm::Forward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) {
  CheckInput(in);
  CHECK_EQ(y.dim(0), in.packing->rows()) << "y [N, D*H]";
  CHECK_EQ(y.dim(1), config_.directions * config_.hidden_size) << "y [N, D*H]";
  if (final != nullptr) {
    final->h.Resize({config_.directions, in.packing->batch(), config_.hidden_size});
    final->c.Resize({config_.directions, in.packing->batch(), config_.hidden_size});
  }
  ScopedFlushDenormals flush;
  DoForward(in, y, final);
}

void Lstm::Backward(const LstmInput& in, TensorView<const float, 2> y, TensorView<const float, 2> dy,
                    TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) {
  CheckInput(in);
  CHECK_EQ(y.dim(0), in.packing->rows()) << "y [N, D*H]";
  CHECK_EQ(y.dim(1), config_.directions * config_.hidden_size) << "y [N, D*H]";
  const bool last_frames = dy.dim(0) == in.packing->batch();  // also where every utterance has one frame
  if (!last_frames) CHECK_EQ(dy.dim(0), in.packing->rows()) << "dy [N, D*H] or [B, D*H]";
  CHECK_EQ(dy.dim(1), y.dim(1)) << "dy [N, D*H] or [B, D*H]";
  if (!dx.empty()) {
    CHECK_EQ(dx.dim(0), in.packing->rows()) << "dx [N, I]";
    CHECK_EQ(dx.dim(1), config_.input_size) << "dx [N, I]";
  }
  CHECK_EQ(dparams.size(), in.params.size()) << "dparams";
  if (dinitial != nullptr) {
    dinitial->h.Resize({config_.directions, in.packing->batch(), config_.hidden_size});
    dinitial->c.Resize({config_.directions, in.packing->batch(), config_.hidden_size});
  }
  ScopedFlushDenormals flush;
  if (last_frames && !takes_last_frames()) {
    filled_dy_.Resize(y.shape());
    filled_dy_.Fill(0);
    for (int b = 0; b < in.packing->batch(); ++b) {
      std::copy_n(dy.row(b).data(), dy.dim(1), filled_dy_.view().row(in.packing->reversed_row(0, b)).data());
    }
    dy = filled_dy_.view();
  }
  DoBackward(in, y, dy, dx, dparams, dinitial);
}

}  // namespace earshot
