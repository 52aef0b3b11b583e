#include "lstm/onednn/onednn.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/status_macros.h"
#include "base/tensor.h"
#include "lstm/lstm_params.h"
#include "lstm/onednn/primitives.h"
#include "lstm/onednn/share.h"

namespace earshot {
namespace {

// The two weight matrices of a direction, w_ih and w_hh.
constexpr int kMatrices = 2;

struct Direction {
  std::vector<OnednnShare> shares;  // as many as there can be threads for
  struct Matrix {
    Tensor<float, 1> packed;  // in the library's format: of the forward pass, then of the backward pass
    OnednnPrimitive pack, pack_backward, add_gradient;
  };
  std::array<Matrix, kMatrices> matrices;

  OnednnShare::Weights weights() const { return {matrices[0].packed.data(), matrices[1].packed.data()}; }
};

class OnednnLstm : public Lstm {
 public:
  OnednnLstm(const LstmLevelConfig& config, const LstmContext& context)
      : Lstm(config), pool_(context.pool), phases_(context.phases) {}
  absl::Status Initialize();

 private:
  void DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) override;
  void DoBackward(const LstmInput& in, TensorView<const float, 2> /*y*/, TensorView<const float, 2> dy,
                  TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) override;
  // Calls work(d, index) for every direction and every index in [0, n), on the pool's threads, each of which is all
  // that the library runs on.
  template <typename Work>
  void ForEach(int n, const Work& work);
  void PackWeights(const LstmInput& in, bool backward);
  void AddGradients(const LstmInput& in, absl::Span<float> dparams);
  void AddSmallGradients(const LstmInput& in, const Direction& direction, const LstmDirectionParams<float>& dp) const;

  ThreadPool* const pool_;
  PhaseTimer* const phases_;
  int shares_ = 0;  // of each direction, of the batch at hand
  std::vector<Direction> directions_;
};

absl::Status OnednnLstm::Initialize() {
  const OnednnOnThisThread this_thread;
  const int64_t h = config().hidden_size, i = config().input_size;
  OnednnFormats formats = AnyOnednnFormats(config());
  RETURN_IF_ERROR(CreateOnednnChunk(config(), 1, 1, &formats).status());
  const std::array<dnnl::memory::desc, kMatrices> own = {OnednnParameterFormat(i, h), OnednnParameterFormat(h, h)},
                                                  forward = {formats.w_ih, formats.w_hh},
                                                  backward = {formats.w_ih_backward, formats.w_hh_backward},
                                                  gradient = {formats.dw_ih, formats.dw_hh};
  // As few shares as keep all threads equally busy.
  const int threads = pool_->num_threads();
  const int most = threads % config().directions == 0 ? threads / config().directions : threads;
  directions_.resize(config().directions);
  for (int d = 0; d < config().directions; ++d) {
    for (int s = 0; s < most; ++s) directions_[d].shares.emplace_back(config(), formats, d);
    for (int m = 0; m < kMatrices; ++m) {
      Direction::Matrix* matrix = &directions_[d].matrices[m];
      matrix->packed.Resize({std::max(OnednnSize(forward[m]), OnednnSize(backward[m]))});
      ASSIGN_OR_RETURN(matrix->pack, CreateOnednnReorder(own[m], forward[m], /*add=*/false));
      ASSIGN_OR_RETURN(matrix->pack_backward, CreateOnednnReorder(own[m], backward[m], /*add=*/false));
      ASSIGN_OR_RETURN(matrix->add_gradient, CreateOnednnReorder(gradient[m], own[m], /*add=*/true));
    }
  }
  return absl::OkStatus();
}

template <typename Work>
void OnednnLstm::ForEach(int n, const Work& work) {
  pool_->ParallelFor(config().directions * n, 1, [&](int64_t begin, int64_t end) {
    const OnednnOnThisThread this_thread;
    for (int64_t task = begin; task < end; ++task) work(static_cast<int>(task / n), static_cast<int>(task % n));
  });
}

void OnednnLstm::PackWeights(const LstmInput& in, bool backward) {
  ForEach(kMatrices, [&](int d, int m) {
    const LstmDirectionParams<const float> p = LstmDirection(config(), in.params, d);
    Direction::Matrix* matrix = &directions_[d].matrices[m];
    OnednnPrimitive* pack = backward ? &matrix->pack_backward : &matrix->pack;
    pack->Bind(DNNL_ARG_FROM, m == 0 ? p.w_ih.data() : p.w_hh.data());
    pack->Bind(DNNL_ARG_TO, matrix->packed.data());
    pack->Run();
  });
}

void OnednnLstm::DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) {
  {
    ScopedPhase phase(phases_, Phase::kCopy);
    shares_ = std::min<int>(directions_[0].shares.size(), in.packing->batch());
    ForEach(shares_, [&](int d, int s) { directions_[d].shares[s].Plan(in, s, shares_); });
    PackWeights(in, /*backward=*/false);
  }
  ScopedPhase phase(phases_, Phase::kRecurrence);
  ForEach(shares_, [&](int d, int s) { directions_[d].shares[s].Forward(in, directions_[d].weights(), y, final); });
}

void OnednnLstm::AddSmallGradients(const LstmInput& in, const Direction& direction,
                                   const LstmDirectionParams<float>& dp) const {
  const int h = config().hidden_size;
  const auto add = [](const float* from, int n, float* to) {
    for (int u = 0; u < n; ++u) to[u] += from[u];
  };
  for (int s = 0; s < shares_; ++s) {
    add(direction.shares[s].dbias(), 4 * h, dp.bias);
    if (config().peepholes) add(direction.shares[s].dpeepholes(), 3 * h, dp.w_ci);  // w_cf and w_co follow it
  }
  if (dp.h0 == nullptr || !in.h0.empty()) return;
  for (int b = 0; b < in.packing->batch(); ++b) {
    add(direction.shares[b % shares_].dh0(b), h, dp.h0);
    add(direction.shares[b % shares_].dc0(b), h, dp.c0);
  }
}

void OnednnLstm::AddGradients(const LstmInput& in, absl::Span<float> dparams) {
  ForEach(kMatrices, [&](int d, int m) {
    Direction& direction = directions_[d];
    const LstmDirectionParams<float> dp = LstmDirection(config(), dparams, d);
    OnednnPrimitive* add = &direction.matrices[m].add_gradient;
    add->Bind(DNNL_ARG_TO, m == 0 ? dp.w_ih.data() : dp.w_hh.data());
    for (int s = 0; s < shares_; ++s) {
      add->Bind(DNNL_ARG_FROM, m == 0 ? direction.shares[s].dw_ih() : direction.shares[s].dw_hh());
      add->Run();
    }
  });
  for (int d = 0; d < config().directions; ++d) {
    AddSmallGradients(in, directions_[d], LstmDirection(config(), dparams, d));
  }
}

void OnednnLstm::DoBackward(const LstmInput& in, TensorView<const float, 2> /*y*/, TensorView<const float, 2> dy,
                            TensorView<float, 2> dx, absl::Span<float> dparams, LstmState* dinitial) {
  {
    ScopedPhase phase(phases_, Phase::kCopy);
    PackWeights(in, /*backward=*/true);
  }
  {
    ScopedPhase phase(phases_, Phase::kRecurrentBackward);
    ForEach(shares_,
            [&](int d, int s) { directions_[d].shares[s].Backward(in, directions_[d].weights(), dy, dx, dinitial); });
  }
  ScopedPhase phase(phases_, Phase::kCopy);
  AddGradients(in, dparams);
  if (dx.empty() || directions_.size() == 1) return;
  pool_->Run([&](int thread) {
    for (int s = 0; s < shares_; ++s) {
      directions_[1].shares[s].AddInputGradient(in, thread, pool_->num_threads(), dx);
    }
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Lstm>> CreateOnednn(const LstmLevelConfig& config, const LstmContext& context) {
  auto lstm = std::make_unique<OnednnLstm>(config, context);
  RETURN_IF_ERROR(lstm->Initialize());
  return lstm;
}

}  // namespace earshot
