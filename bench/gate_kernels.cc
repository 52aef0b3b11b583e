#include "bench/gate_kernels.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/tensor.h"
#include "bench/kernel_check.h"
#include "lstm/simd/kernels.h"

namespace earshot {
namespace {

constexpr double kForwardFlops = 118, kBackwardFlops = 48;  // a cell
constexpr int kRounds = 20;                                 // a run, each on the same fresh numbers

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// The arrays of a step of `rows` utterances. H is a multiple of the lanes: nothing is padded.
struct GateArrays {
  GateArrays(ThreadPool* pool, int64_t rows, int64_t hidden, bool backward) {
    const int64_t n = rows * hidden;
    // Backward, the gates are activations.
    fresh_gates = RandomTensor(pool, 1, backward ? 0 : -3, backward ? 1 : 3, 4 * n);
    gates.Resize({4 * n});
    c_prev = RandomTensor(pool, 2, -2, 2, n);
    c = RandomTensor(pool, 3, -2, 2, n);
    dy = RandomTensor(pool, 4, -1, 1, n);
    fresh_dc = RandomTensor(pool, 5, -1, 1, n);
    dc.Resize({n});
    for (auto& half : dh) half = RandomTensor(pool, 6, -1, 1, n);
    y = Tensor<float, 1>({n});
    frames.resize(rows);
    std::iota(frames.begin(), frames.end(), 0);
  }
  Tensor<float, 1> fresh_gates, gates, c_prev, c, dy, fresh_dc, dc, dh[2], y;
  std::vector<int32_t> frames;
};

class GateKernel : public Kernel {
 public:
  GateKernel(ThreadPool* pool, int64_t hidden, int64_t rows, bool backward)
      : pool_(pool), hidden_(hidden), rows_(rows), backward_(backward), seconds_(pool->num_threads()) {
    for (int i = 0; i < pool->num_threads(); ++i) {
      arrays_.push_back(std::make_unique<GateArrays>(pool, rows, hidden, backward));
    }
  }

  KernelWork work() const override {
    KernelWork work;
    work.cells = static_cast<double>(kRounds * rows_ * hidden_) * static_cast<double>(arrays_.size());
    work.flops = work.cells * (backward_ ? kBackwardFlops : kForwardFlops);
    return work;
  }

  double Run() override {
    pool_->Run([this](int i) {
      GateArrays& a = *arrays_[i];
      seconds_[i] = 0;
      for (int round = 0; round < kRounds; ++round) {
        std::copy_n(a.fresh_gates.data(), a.gates.size(), a.gates.data());
        std::copy_n(a.fresh_dc.data(), a.dc.size(), a.dc.data());
        const auto start = std::chrono::steady_clock::now();
        backward_ ? Backward(&a) : Forward(&a);
        seconds_[i] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      }
    });
    return *std::max_element(seconds_.begin(), seconds_.end());
  }

  absl::Status Check() override {
    for (const auto& a : arrays_) RETURN_IF_ERROR(backward_ ? CheckBackward(*a) : CheckForward(*a));
    return absl::OkStatus();
  }

 private:
  template <class Rows>
  Rows Step(GateArrays* a) const {
    Rows step;
    step.rows = rows_;
    step.hidden = step.frame_stride = hidden_;
    step.last_block = hidden_ / kernels_.lanes;
    step.gates = a->gates.data();
    step.c_prev = a->c_prev.data();
    step.frames = a->frames.data();
    step.c = a->c.data();
    return step;
  }

  void Forward(GateArrays* a) const {
    ForwardGates step = Step<ForwardGates>(a);
    step.y = a->y.data();
    kernels_.gates(step);
  }

  void Backward(GateArrays* a) const {
    BackwardGates step = Step<BackwardGates>(a);
    step.next_rows = rows_;
    step.dy = a->dy.data();
    for (int half = 0; half < 2; ++half) step.dh[half] = a->dh[half].data();
    step.dh_stride = hidden_;
    step.dc = a->dc.data();
    kernels_.gate_gradients(step);
  }

  // Calls check(cell, at): the cell's number in [rows, H], and where its i is in the gates; f, g and o follow, `lanes`
  // apart.
  template <class Check>
  void ForEachCell(Check check) const {
    const int64_t lanes = kernels_.lanes;
    for (int64_t cell = 0; cell < rows_ * hidden_; ++cell) check(cell, cell / lanes * 4 * lanes + cell % lanes);
  }

  absl::Status CheckForward(const GateArrays& a) const {
    std::vector<double> gates(a.gates.size()), c(a.c.size()), y(a.y.size());
    ForEachCell([&](int64_t cell, int64_t at) {
      const int64_t l = kernels_.lanes;
      const float* const x = a.fresh_gates.data() + at;
      double* const out = gates.data() + at;
      out[0] = Sigmoid(x[0]);
      out[l] = Sigmoid(x[l]);
      out[2 * l] = std::tanh(double{x[2 * l]});
      out[3 * l] = Sigmoid(x[3 * l]);
      c[cell] = out[l] * a.c_prev.data()[cell] + out[0] * out[2 * l];
      y[cell] = out[3 * l] * std::tanh(c[cell]);
    });
    RETURN_IF_ERROR(CheckClose("gates", a.gates.span(), gates, 1e-6));
    RETURN_IF_ERROR(CheckClose("cells", a.c.span(), c, 1e-6));
    return CheckClose("outputs", a.y.span(), y, 1e-6);
  }

  absl::Status CheckBackward(const GateArrays& a) const {
    std::vector<double> dgates(a.gates.size()), dc_prev(a.dc.size());
    ForEachCell([&](int64_t cell, int64_t at) {
      const int64_t l = kernels_.lanes;
      const float* const from = a.fresh_gates.data() + at;
      const double i = from[0], f = from[l], g = from[2 * l], o = from[3 * l];
      const double tanh_c = std::tanh(double{a.c.data()[cell]});
      const double dh = double{a.dy.data()[cell]} + a.dh[0].data()[cell] + a.dh[1].data()[cell];
      const double dc = a.fresh_dc.data()[cell] + dh * o * (1 - tanh_c * tanh_c);
      double* const d = dgates.data() + at;
      d[0] = dc * g * i * (1 - i);
      d[l] = dc * a.c_prev.data()[cell] * f * (1 - f);
      d[2 * l] = dc * i * (1 - g * g);
      d[3 * l] = dh * tanh_c * o * (1 - o);
      dc_prev[cell] = dc * f;
    });
    RETURN_IF_ERROR(CheckClose("gradients by the gates", a.gates.span(), dgates, 1e-6));
    return CheckClose("gradient by the cells", a.dc.span(), dc_prev, 1e-6);
  }

  ThreadPool* const pool_;
  const Kernels& kernels_ = BestKernels();
  const int64_t hidden_, rows_;
  const bool backward_;
  std::vector<std::unique_ptr<GateArrays>> arrays_;  // of each thread
  std::vector<double> seconds_;                      // of each thread
};

}  // namespace

void RegisterGateKernels(KernelSuite* suite) {
  constexpr int64_t kHidden = 320;
  for (const bool backward : {false, true}) {
    for (const int64_t rows : {1, 32, 64}) {
      const std::string name = absl::StrCat(backward ? "gates_backward" : "gates_forward", "/H:", kHidden, "/B:", rows);
      for (const int threads : suite->thread_counts()) {
        suite->Register(name, threads,
                        [=](ThreadPool* pool) { return std::make_unique<GateKernel>(pool, kHidden, rows, backward); });
      }
    }
  }
}

}  // namespace earshot
