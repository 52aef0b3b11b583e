// Loss and error rates of a set of utterances.
#ifndef EARSHOT_ASR_EVALUATE_H_
#define EARSHOT_ASR_EVALUATE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "asr/train_step.h"
#include "data/batcher.h"
#include "data/example_loader.h"
#include "data/tokens.h"

namespace earshot {

struct Evaluation {
  double loss_sum = 0, loss_count = 0;
  int64_t impossible = 0;  // utterances without a finite loss: not in the sum, but decoded and scored
  int64_t utterances = 0;
  int64_t sub = 0, del = 0, ins = 0, ref = 0, wrong = 0;
  double loss() const { return loss_sum / loss_count; }
  int64_t words() const { return ref; }
  double wer() const { return 100.0 * (sub + del + ins) / ref; }
  double cer() const { return 0; }
  double sentence_error() const { return 100.0 * wrong / utterances; }
  std::string WerLine() const;
  std::string SerLine() const { return ""; }
  std::string ScoredLine() const { return ""; }
  std::string WorstAlignments(int) const { return ""; }
};

// Every utterance of `part` (of which `batcher` is made), with its best path.
absl::StatusOr<Evaluation> Evaluate(TrainStep* step, const Batcher& batcher, const TokenTable& tokens,
                                    const LoadedExamples& part, LossConfig::Kind kind);

}  // namespace earshot

#endif  // EARSHOT_ASR_EVALUATE_H_
