// Data for timed kernels and checks of what they compute.
#ifndef EARSHOT_BENCH_KERNEL_CHECK_H_
#define EARSHOT_BENCH_KERNEL_CHECK_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/tensor.h"
#include "base/thread_pool.h"

namespace earshot {

// Uniform numbers in [low, high), the same for any number of threads. Each thread of the pool touches its share first.
void FillRandom(ThreadPool* pool, uint64_t seed, float low, float high, absl::Span<float> values);
Tensor<float, 1> RandomTensor(ThreadPool* pool, uint64_t seed, float low, float high, int64_t size);

// Whether c [m, n] = a [m, k] b [k, n], every element of it: c v = a (b v) for a random vector v of signs, in double
// (Freivalds, "Probabilistic machines can use less running time", 1977). Each matrix is a function of row and column.
// InvalidArgument names the row that is wrong.
using MatrixRef = absl::FunctionRef<float(int64_t row, int64_t column)>;
absl::Status CheckProduct(int64_t m, int64_t n, int64_t k, MatrixRef a, MatrixRef b, MatrixRef c);

// Whether |actual - expected| <= tolerance * max |expected| everywhere. InvalidArgument names `what` and the element.
absl::Status CheckClose(absl::string_view what, absl::Span<const float> actual, absl::Span<const double> expected,
                        double tolerance);

}  // namespace earshot

#endif  // EARSHOT_BENCH_KERNEL_CHECK_H_
