#include "asr/evaluate.h"

#include <cmath>
#include <limits>
#include <unordered_map>
#include <vector>

#include "asr/decode/greedy.h"
#include "base/status_macros.h"

namespace earshot {

absl::StatusOr<Evaluation> Evaluate(const LossConfig& config, const Batcher& batcher, const TokenTable& tokens,
                                    const LoadedExamples& part, TrainStep* step) {
  std::unordered_map<std::string, const std::string*> texts;
  for (int64_t i = 0; i < part.store.size(); ++i) texts[part.store.id(i)] = &part.texts[i];
  Evaluation result;
  double loss_sum = 0, count = 0;
  Batch batch;
  std::vector<float> losses;
  TensorView<float, 2> logits;
  for (int64_t s = 0; s < batcher.StepsInEpoch(0); ++s) {
    RETURN_IF_ERROR(batcher.Get(0, s, &batch));
    RETURN_IF_ERROR(step->Evaluate(batch, &losses, &logits));
    for (int b = 0; b < batch.packing.batch(); ++b) {
      if (std::isfinite(losses[b])) {
        loss_sum += losses[b];
        count += step->loss().Count(batch.packing.lengths()[b], batch.labels.row(b));
      } else {
        ++result.impossible;
      }
      const BestPath best = DecodeBestPath(config.kind(), logits, batch.packing, b);
      RETURN_IF_ERROR(result.errors.Add(batch.ids[b], *texts[batch.ids[b]], tokens.Decode(best.tokens)));
    }
  }
  for (const SkippedUtterance& skipped : part.skipped) {
    RETURN_IF_ERROR(result.errors.AddMissing(skipped.id, skipped.text, /*counted=*/true));
  }
  const double denominator = Denominator(config, count);
  result.loss = denominator > 0 ? loss_sum / denominator : std::numeric_limits<double>::quiet_NaN();
  return result;
}

}  // namespace earshot
