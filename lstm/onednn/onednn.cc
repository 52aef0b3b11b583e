#include "lstm/onednn/onednn.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/status_macros.h"
#include "lstm/onednn/primitives.h"
#include "lstm/onednn/share.h"

namespace earshot {
namespace {

// Rows that one thread copies at least.
constexpr int64_t kCopyGrain = 256;
// The two weight matrices of a direction, w_ih and w_hh.
constexpr int kMatrices = 2;

// One direction. Its tensors are in step order, share after share; the caller's are packed rows.
struct Direction {
  std::vector<OnednnShare> shares;  // as many as there can be threads for
  Tensor<int64_t, 1> place;         // [N] row here of each packed row
  Tensor<float, 2> x, dx;           // [N, I]
  Tensor<float, 2> y, dy;           // [N, H]
  struct Matrix {
    Tensor<float, 1> packed;  // in the library's format: of the forward pass, then of the backward pass
    OnednnPrimitive pack, pack_backward, add_gradient;
  };
  std::array<Matrix, kMatrices> matrices;
};

class OnednnLstm : public Lstm {
 public:
  OnednnLstm(const LstmLevelConfig& config, const LstmContext& context)
      : Lstm(config), pool_(context.pool), phases_(context.phases) {}
  absl::Status Initialize();

 private:
  void DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) override;
  void DoBackward(const LstmInput& in, TensorView<const float, 2> dy, TensorView<float, 2> dx,
                  absl::Span<float> dparams, LstmState* dinitial) override;
  // Cuts the batch into shares, finds their rows and takes the memory.
  void Plan(const LstmInput& in);
  // Calls work(d, index) for every direction and every index in [0, n), on the pool's threads, each of which is all
  // that the library runs on.
  template <typename Work>
  void ForEach(int n, const Work& work);
  void PackWeights(const LstmInput& in, bool backward);
  // work(d, share, weights, rows) for every share.
  template <typename Work>
  void ForEachShare(const Work& work);
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
  directions_.resize(config().directions);
  for (int d = 0; d < config().directions; ++d) {
    const int most = std::max(1, pool_->num_threads() / config().directions);
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

void OnednnLstm::Plan(const LstmInput& in) {
  const Packing& packing = *in.packing;
  const int64_t n = packing.rows(), h = config().hidden_size, i = config().input_size;
  shares_ = std::min<int>(directions_[0].shares.size(), packing.batch());
  for (Direction& direction : directions_) {
    direction.place.Resize({n});
    direction.x.Resize({n, i});
    direction.dx.Resize({n, i});
    direction.y.Resize({n, h});
    direction.dy.Resize({n, h});
  }
  ForEach(shares_, [&](int d, int s) { directions_[d].shares[s].Plan(in, s, shares_); });
  for (int d = 0; d < config().directions; ++d) {
    int64_t place = 0;
    for (int s = 0; s < shares_; ++s) {
      for (int t = 0; t < packing.steps(); ++t) {
        for (int b = s; b < packing.batch_sizes()[t]; b += shares_) {
          directions_[d].place.data()[d == 0 ? packing.row(t, b) : packing.reversed_row(t, b)] = place++;
        }
      }
    }
  }
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

template <typename Work>
void OnednnLstm::ForEachShare(const Work& work) {
  const int64_t h = config().hidden_size, i = config().input_size;
  ForEach(shares_, [&](int d, int s) {
    Direction& direction = directions_[d];
    int64_t row = 0;
    for (int before = 0; before < s; ++before) row += direction.shares[before].rows();
    const OnednnShare::Weights weights = {direction.matrices[0].packed.data(), direction.matrices[1].packed.data()};
    work(&direction.shares[s], weights,
         OnednnShare::Rows{direction.x.data() + row * i, direction.y.data() + row * h, direction.dy.data() + row * h,
                           direction.dx.data() + row * i});
  });
}

void OnednnLstm::DoForward(const LstmInput& in, TensorView<float, 2> y, LstmState* final) {
  const int64_t n = in.packing->rows(), h = config().hidden_size, i = config().input_size;
  {
    ScopedPhase phase(phases_, Phase::kCopy);
    Plan(in);
    PackWeights(in, /*backward=*/false);
    pool_->ParallelFor(n, kCopyGrain, [&](int64_t begin, int64_t end) {
      for (Direction& d : directions_) {
        for (int64_t r = begin; r < end; ++r) std::copy_n(&in.x(r, 0), i, d.x.data() + d.place.data()[r] * i);
      }
    });
  }
  {
    ScopedPhase phase(phases_, Phase::kRecurrence);
    ForEachShare([&](OnednnShare* share, const OnednnShare::Weights& weights, const OnednnShare::Rows& rows) {
      share->Forward(in, weights, rows, final);
    });
  }
  ScopedPhase phase(phases_, Phase::kCopy);
  pool_->ParallelFor(n, kCopyGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      float* to = &y(r, 0);
      for (const Direction& d : directions_) to = std::copy_n(d.y.data() + d.place.data()[r] * h, h, to);
    }
  });
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

void OnednnLstm::DoBackward(const LstmInput& in, TensorView<const float, 2> dy, TensorView<float, 2> dx,
                            absl::Span<float> dparams, LstmState* dinitial) {
  const int64_t n = in.packing->rows(), h = config().hidden_size, i = config().input_size;
  {
    ScopedPhase phase(phases_, Phase::kCopy);
    PackWeights(in, /*backward=*/true);
    pool_->ParallelFor(n, kCopyGrain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const float* from = &dy(r, 0);
        for (Direction& d : directions_) {
          std::copy_n(from, h, d.dy.data() + d.place.data()[r] * h);
          from += h;
        }
      }
    });
  }
  {
    ScopedPhase phase(phases_, Phase::kRecurrentBackward);
    ForEachShare([&](OnednnShare* share, const OnednnShare::Weights& weights, const OnednnShare::Rows& rows) {
      share->Backward(in, weights, rows, dinitial);
    });
  }
  ScopedPhase phase(phases_, Phase::kCopy);
  AddGradients(in, dparams);
  if (dx.empty()) return;
  pool_->ParallelFor(n, kCopyGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      float* to = &dx(r, 0);
      std::copy_n(directions_[0].dx.data() + directions_[0].place.data()[r] * i, i, to);
      if (directions_.size() == 1) continue;
      const float* from = directions_[1].dx.data() + directions_[1].place.data()[r] * i;
      for (int64_t u = 0; u < i; ++u) to[u] += from[u];
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
