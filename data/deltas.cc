#include "data/deltas.h"

#include <algorithm>
#include <vector>

#include "base/check.h"

namespace earshot {
namespace {

// The regression weights convolved with `before`: one more order of differentiation.
std::vector<double> Differentiate(const std::vector<double>& before, int window) {
  double norm = 0;
  for (int k = -window; k <= window; ++k) norm += k * k;
  std::vector<double> after(before.size() + 2 * window);
  for (int k = -window; k <= window; ++k) {
    for (size_t i = 0; i < before.size(); ++i) after[i + window + k] += k * before[i] / norm;
  }
  return after;
}

// Columns `to` to `to` + dims of `features` become those from `from` on, filtered over time; frames outside are copies
// of the first and the last.
void Filter(const std::vector<double>& filter, int64_t from, int64_t to, int64_t dims, TensorView<float, 2> features) {
  const int64_t frames = features.dim(0), reach = filter.size() / 2;
  for (int64_t t = 0; t < frames; ++t) {
    const absl::Span<float> out = features.row(t).subspan(to, dims);
    std::fill(out.begin(), out.end(), 0.0f);
    for (int64_t k = -reach; k <= reach; ++k) {
      const float weight = filter[k + reach];
      if (weight == 0) continue;
      const absl::Span<const float> x = features.row(std::clamp<int64_t>(t + k, 0, frames - 1)).subspan(from, dims);
      for (int64_t d = 0; d < dims; ++d) out[d] += weight * x[d];
    }
  }
}

}  // namespace

void AppendDeltas(int order, int window, DeltaEdges edges, TensorView<float, 2> features) {
  CHECK_GE(order, 0);
  CHECK_GE(window, 1);
  CHECK_EQ(features.dim(1) % (order + 1), 0);
  const int64_t dims = features.dim(1) / (order + 1);
  const std::vector<double> first = Differentiate({1}, window);
  std::vector<double> filter = {1};
  for (int o = 1; o <= order; ++o) {
    filter = Differentiate(filter, window);
    if (edges == DeltaEdges::kHtk) {
      Filter(first, (o - 1) * dims, o * dims, dims, features);
    } else {
      Filter(filter, 0, o * dims, dims, features);
    }
  }
}

}  // namespace earshot
