#include "bench/product_kernels.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "base/gemm.h"
#include "base/ordered_gemm.h"
#include "base/tensor.h"
#include "bench/kernel_check.h"
#include "lstm/simd/kernels.h"
#include "lstm/simd/pack.h"

namespace earshot {
namespace {

constexpr int64_t kChunkRows = 128;  // of the input products of the simd implementation

enum class Form {
  kWeightsTransposed,  // c [m, n] = a [m, k] w [n, k]^T: projections
  kWeights,            // c [m, n] = a [m, k] w [k, n]: gradients by what a projection reads
  kInputsTransposed,   // c [m, n] = a [k, m]^T b [k, n]: weight gradients, a sum over k frames
};

struct Product {
  const char* name;
  Form form;
  int64_t m, k, n;
};

KernelWork WorkOf(const Product& p) {
  KernelWork work;
  work.flops = 2.0 * static_cast<double>(p.m) * static_cast<double>(p.k) * static_cast<double>(p.n);
  return work;
}

double SecondsOf(absl::FunctionRef<void()> work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// base/gemm or base/ordered_gemm, on matrices in their plain order.
class PlainProduct : public Kernel {
 public:
  PlainProduct(ThreadPool* pool, const Product& p, bool ordered)
      : pool_(pool),
        p_(p),
        ordered_(ordered),
        a_(RandomTensor(pool, 1, -1, 1, p.m * p.k)),
        b_(RandomTensor(pool, 2, -1, 1, p.k * p.n)),
        c_(RandomTensor(pool, 3, -1, 1, p.m * p.n)) {}

  KernelWork work() const override { return WorkOf(p_); }

  double Run() override {
    const Transpose a = p_.form == Form::kInputsTransposed ? Transpose::kYes : Transpose::kNo;
    const Transpose b = p_.form == Form::kWeightsTransposed ? Transpose::kYes : Transpose::kNo;
    const int64_t lda = a == Transpose::kYes ? p_.m : p_.k, ldb = b == Transpose::kYes ? p_.k : p_.n;
    return SecondsOf([&] {
      if (ordered_) {
        OrderedGemm(pool_, a, b, p_.m, p_.n, p_.k, a_.data(), lda, b_.data(), ldb, nullptr, c_.data(), p_.n, &packed_);
      } else {
        Gemm(pool_, a, b, p_.m, p_.n, p_.k, 1, a_.data(), lda, b_.data(), ldb, 0, c_.data(), p_.n);
      }
    });
  }

  absl::Status Check() override {
    const bool a_transposed = p_.form == Form::kInputsTransposed, b_transposed = p_.form == Form::kWeightsTransposed;
    return CheckProduct(
        p_.m, p_.n, p_.k, [&](int64_t r, int64_t i) { return a_.data()[a_transposed ? i * p_.m + r : r * p_.k + i]; },
        [&](int64_t i, int64_t j) { return b_.data()[b_transposed ? j * p_.k + i : i * p_.n + j]; },
        [&](int64_t r, int64_t j) { return c_.data()[r * p_.n + j]; });
  }

 private:
  ThreadPool* const pool_;
  const Product p_;
  const bool ordered_;
  Tensor<float, 1> a_, b_, c_, packed_;
};

// Where gate row j of `hidden` units, [4 gates, hidden], lies in the kernels' interleaved order.
int64_t Interleaved(int64_t j, int64_t hidden, int64_t lanes) {
  const int64_t gate = j / hidden, unit = j % hidden;
  return unit / lanes * 4 * lanes + gate * lanes + unit % lanes;
}

// The product kernel of lstm/simd, on packed weights [gate rows, other]. Gate rows are columns of c in a projection (of
// which the last may be unused) and terms of the sum in a gradient.
class SimdProduct : public Kernel {
 public:
  SimdProduct(ThreadPool* pool, const Product& p)
      : pool_(pool),
        p_(p),
        projection_(p.form == Form::kWeightsTransposed),
        lanes_(kernels_.lanes),
        hidden_(((projection_ ? p.n : p.k) + 3) / 4),
        blocks_((hidden_ + lanes_ - 1) / lanes_) {
    const int64_t other = projection_ ? p.k : p.n, panel = 4 * lanes_;
    w_ = RandomTensor(pool, 2, -1, 1, 4 * hidden_ * other);
    product_.k = product_.a_stride = projection_ ? p.k : blocks_ * panel;
    product_.c_stride = product_.columns = projection_ ? blocks_ * panel : p.n;
    product_.last_panel = (product_.columns + panel - 1) / panel;
    packed_.Resize({product_.last_panel * panel * product_.k});
    if (projection_) {
      PackTransposed(pool, w_.data(), hidden_, other, lanes_, packed_.data());
    } else {
      PackRows(pool, w_.data(), hidden_, other, lanes_, 0, blocks_, packed_.data());
    }
    a_ = RandomTensor(pool, 1, -1, 1, p.m * product_.a_stride);
    c_ = RandomTensor(pool, 3, -1, 1, p.m * product_.c_stride);
    product_.b = packed_.data();
  }

  KernelWork work() const override { return WorkOf(p_); }

  double Run() override {
    return SecondsOf([&] {
      pool_->ParallelFor(p_.m, kChunkRows, [&](int64_t begin, int64_t end) {
        const int64_t chunk = projection_ ? kChunkRows : end - begin;  // as the implementation calls it
        for (; begin < end; begin += chunk) {
          RowProduct rows = product_;
          rows.rows = std::min(chunk, end - begin);
          rows.a = a_.data() + begin * rows.a_stride;
          rows.c = c_.data() + begin * rows.c_stride;
          kernels_.product(rows);
        }
      });
    });
  }

  absl::Status Check() override {
    const auto gate_row = [&](int64_t j) { return Interleaved(j, hidden_, lanes_); };
    return CheckProduct(
        p_.m, p_.n, p_.k,
        [&](int64_t r, int64_t i) { return a_.data()[r * product_.a_stride + (projection_ ? i : gate_row(i))]; },
        [&](int64_t i, int64_t j) { return w_.data()[projection_ ? j * p_.k + i : i * p_.n + j]; },
        [&](int64_t r, int64_t j) { return c_.data()[r * product_.c_stride + (projection_ ? gate_row(j) : j)]; });
  }

 private:
  ThreadPool* const pool_;
  const Kernels& kernels_ = BestKernels();
  const Product p_;
  const bool projection_;
  const int64_t lanes_, hidden_, blocks_;
  RowProduct product_;
  Tensor<float, 1> w_, packed_, a_, c_;
};

// The weight gradients of lstm/simd: rows of gates times rows of [x | h].
class SimdWeightGradients : public Kernel {
 public:
  SimdWeightGradients(ThreadPool* pool, const Product& p)
      : pool_(pool),
        p_(p),
        hidden_(p.m / 4),
        input_(p.n - hidden_),
        hp_((hidden_ + kernels_.lanes - 1) / kernels_.lanes * kernels_.lanes),
        dgates_(RandomTensor(pool, 1, -1, 1, p.k * 4 * hp_)),
        x_(RandomTensor(pool, 2, -1, 1, p.k * input_)),
        h_(RandomTensor(pool, 3, -1, 1, p.k * hp_)),
        dw_ih_({p.m * input_}),
        dw_hh_({p.m * hidden_}),
        dbias_({p.m}),
        scratch_(pool->num_threads()) {}

  KernelWork work() const override { return WorkOf(p_); }

  double Run() override {
    const int64_t vectors = 4 * hp_ / kernels_.lanes, threads = pool_->num_threads();
    return SecondsOf([&] {
      pool_->Run([&](int i) {
        WeightGradients part;
        part.rows = p_.k;
        part.hidden = hidden_;
        part.input = part.x_stride = input_;
        part.dgates = dgates_.data();
        part.first_vector = vectors * i / threads;
        part.last_vector = vectors * (i + 1) / threads;
        part.x = x_.data();
        part.h_own = h_.data();
        part.own_rows = p_.k;
        part.dw_ih = dw_ih_.data();
        part.dw_hh = dw_hh_.data();
        part.dbias = dbias_.data();
        scratch_[i].Resize({kernels_.weight_gradients_scratch(part.last_vector - part.first_vector, input_, hidden_)});
        part.scratch = scratch_[i].data();
        kernels_.weight_gradients(part);
      });
    });
  }

  // The gradients began with zeros.
  absl::Status Check() override {
    return CheckProduct(
        p_.m, p_.n, p_.k,
        [&](int64_t r, int64_t i) { return dgates_.data()[i * 4 * hp_ + Interleaved(r, hidden_, kernels_.lanes)]; },
        [&](int64_t i, int64_t j) { return j < input_ ? x_.data()[i * input_ + j] : h_.data()[i * hp_ + j - input_]; },
        [&](int64_t r, int64_t j) {
          return j < input_ ? dw_ih_.data()[r * input_ + j] : dw_hh_.data()[r * hidden_ + j - input_];
        });
  }

 private:
  ThreadPool* const pool_;
  const Kernels& kernels_ = BestKernels();
  const Product p_;
  const int64_t hidden_, input_, hp_;
  Tensor<float, 1> dgates_, x_, h_, dw_ih_, dw_hh_, dbias_;
  std::vector<Tensor<float, 1>> scratch_;  // of each thread
};

std::unique_ptr<Kernel> MakeSimd(ThreadPool* pool, const Product& p) {
  if (p.form == Form::kInputsTransposed) return std::make_unique<SimdWeightGradients>(pool, p);
  return std::make_unique<SimdProduct>(pool, p);
}

}  // namespace

void RegisterProductKernels(KernelSuite* suite) {
  // Of levels of 320 units over features (123) and over a bidirectional level (640), and 59 classes.
  const std::vector<Product> products = {
      {"input_projection", Form::kWeightsTransposed, 4096, 123, 1280},
      {"input_projection", Form::kWeightsTransposed, 4096, 640, 1280},
      {"input_gradient", Form::kWeights, 4096, 1280, 640},
      {"weight_gradients", Form::kInputsTransposed, 1280, 4096, 443},
      {"weight_gradients", Form::kInputsTransposed, 1280, 4096, 960},
      {"output_layer", Form::kWeightsTransposed, 4096, 640, 59},
      {"recurrent", Form::kWeightsTransposed, 32, 320, 1280},
      {"recurrent", Form::kWeightsTransposed, 64, 320, 1280},
      {"recurrent_gradient", Form::kWeights, 32, 1280, 320},
      {"recurrent_gradient", Form::kWeights, 64, 1280, 320},
  };
  for (const Product& p : products) {
    const std::string name = absl::StrCat("product/", p.name, "/", p.m, "x", p.k, "x", p.n);
    for (const int threads : suite->thread_counts()) {
      // A step's products are rows for one thread: the whole steps (recurrent_kernels.h) are what several share.
      if (threads > 1 && p.m < 2 * kChunkRows) continue;
      suite->Register(name + "/simd", threads, [p](ThreadPool* pool) { return MakeSimd(pool, p); });
      for (const bool ordered : {true, false}) {
        suite->Register(name + (ordered ? "/ordered" : "/openblas"), threads,
                        [p, ordered](ThreadPool* pool) { return std::make_unique<PlainProduct>(pool, p, ordered); });
      }
    }
  }
}

}  // namespace earshot
