#include "lstm/reference/reference.h"

#include "lstm/reference/recursion.h"

namespace earshot {
namespace {

class ReferenceLstm : public Lstm {
 public:
  ReferenceLstm(const LstmLevelConfig& config, const LstmContext& context)
      : Lstm(config), phases_(context.phases), recursion_(config) {}

 private:
  static RecursionInput<float> Input(const LstmInput& in) {
    return {in.params, in.x, in.packing, in.h0, in.c0, in.recurrent_mask};
  }
  static RecursionState<float> State(LstmState* state) {
    if (state == nullptr) return {};
    return {state->h.view(), state->c.view()};
  }

  void DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) override {
    ScopedPhase phase(phases_, Phase::kRecurrence);
    recursion_.Forward(Input(in), y, State(final));
  }
  void DoBackward(const LstmInput& in, TensorView<const float, 2> /*y*/, TensorView<const float, 2> dy,
                  TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) override {
    ScopedPhase phase(phases_, Phase::kRecurrentBackward);
    recursion_.Backward(Input(in), dy, dx, dparams, State(dinitial));
  }

  PhaseTimer* const phases_;
  Recursion<float> recursion_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Lstm>> CreateReference(const LstmLevelConfig& config, const LstmContext& context) {
  return std::make_unique<ReferenceLstm>(config, context);
}

}  // namespace earshot
