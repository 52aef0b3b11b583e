#include "asr/evaluate.h"

#include <cmath>
#include <unordered_map>

#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "asr/best_path.h"
#include "base/status_macros.h"

namespace earshot {

std::string Evaluation::WerLine() const {
  return absl::StrFormat("%%WER %.2f [ %d / %d, %d ins, %d del, %d sub ]", wer(), sub + del + ins, ref, ins, del, sub);
}

static void Score(const std::string& ref, const std::string& hyp, Evaluation* e) {
  std::vector<std::string> r = absl::StrSplit(ref, ' ', absl::SkipEmpty()), h = absl::StrSplit(hyp, ' ', absl::SkipEmpty());
  std::vector<std::vector<int>> d(r.size() + 1, std::vector<int>(h.size() + 1));
  for (size_t i = 0; i <= r.size(); ++i)
    for (size_t j = 0; j <= h.size(); ++j) {
      if (!i || !j) { d[i][j] = i + j; continue; }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (r[i - 1] != h[j - 1])});
    }
  e->ref += r.size();
  e->sub += d[r.size()][h.size()];
  e->wrong += r != h;
}

absl::StatusOr<Evaluation> Evaluate(TrainStep* step, const Batcher& batcher, const TokenTable& tokens,
                                    const LoadedExamples& part, LossConfig::Kind kind) {
  std::unordered_map<std::string, const std::string*> texts;
  for (int64_t i = 0; i < part.store.size(); ++i) texts[part.store.id(i)] = &part.texts[i];
  Evaluation result;
  Batch batch;
  std::vector<float> losses;
  TensorView<float, 2> logits;
  for (int64_t s = 0; s < batcher.StepsInEpoch(0); ++s) {
    RETURN_IF_ERROR(batcher.Get(0, s, &batch));
    RETURN_IF_ERROR(step->Evaluate(batch, &losses, &logits));
    for (int b = 0; b < batch.packing.batch(); ++b) {
      ++result.utterances;
      if (std::isfinite(losses[b])) {
        result.loss_sum += losses[b];
        result.loss_count += step->loss().Count(batch.packing.lengths()[b], batch.labels.row(b));
      } else {
        ++result.impossible;
      }
      const BestPath best = DecodeBestPath(kind, logits, batch.packing, b);
      Score(*texts[batch.ids[b]], tokens.Decode(best.tokens), &result);
    }
  }
  return result;
}

}  // namespace earshot
