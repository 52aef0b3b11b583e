#include "asr/decode/greedy.h"

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

std::vector<int32_t> CollapsePath(absl::Span<const int32_t> path, int32_t blank) {
  std::vector<int32_t> tokens;
  for (size_t t = 0; t < path.size(); ++t) {
    if (path[t] != blank && (t == 0 || path[t] != path[t - 1])) tokens.push_back(path[t]);
  }
  return tokens;
}

BestPath DecodeBestPath(LossConfig::Kind kind, TensorView<const float, 2> logits, const Packing& packing, int b,
                        int32_t blank) {
  const int length = packing.lengths()[b];
  const int first = kind == LossConfig::CROSS_ENTROPY_LAST_FRAME ? length - 1 : 0;
  const bool collapse = kind == LossConfig::CTC;
  BestPath path;
  double sum = 0;
  int32_t previous = -1;
  for (int t = first; t < length; ++t) {
    const Best best = BestClass(logits.row(packing.row(t, b)));
    const float probability = static_cast<float>(std::exp(best.log_probability));
    sum += best.log_probability;
    const bool continues = collapse && best.id == previous;
    previous = best.id;
    if (collapse && best.id == blank) continue;
    if (continues) {
      path.end.back() = t + 1;
      path.token_confidence.back() = std::max(path.token_confidence.back(), probability);
    } else {
      path.tokens.push_back(best.id);
      path.begin.push_back(t);
      path.end.push_back(t + 1);
      path.token_confidence.push_back(probability);
    }
  }
  path.confidence = std::exp(sum / (length - first));
  return path;
}

}  // namespace earshot
