#include "asr/best_path.h"

#include <algorithm>
#include <cmath>

namespace earshot {
namespace {

struct Best {
  int32_t id;
  double log_probability;
};

Best BestClass(absl::Span<const float> logits) {
  const auto best = std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (float x : logits) sum += std::exp(static_cast<double>(x) - *best);
  return {static_cast<int32_t>(best - logits.begin()), -std::log(sum)};
}

}  // namespace

BestPath DecodeBestPath(LossConfig::Kind kind, TensorView<const float, 2> logits, const Packing& packing, int b) {
  constexpr int32_t kBlank = 0;
  const int length = packing.lengths()[b];
  const int first = kind == LossConfig::CROSS_ENTROPY_LAST_FRAME ? length - 1 : 0;
  BestPath path;
  double sum = 0;
  int32_t previous = -1;
  for (int t = first; t < length; ++t) {
    const Best best = BestClass(logits.row(packing.row(t, b)));
    sum += best.log_probability;
    const bool emit = kind != LossConfig::CTC || (best.id != kBlank && best.id != previous);
    if (emit) path.tokens.push_back(best.id);
    previous = best.id;
  }
  path.confidence = std::exp(sum / (length - first));
  return path;
}

}  // namespace earshot
