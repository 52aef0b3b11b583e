// Loss and error rates of a set of utterances.
#ifndef EARSHOT_ASR_EVALUATE_H_
#define EARSHOT_ASR_EVALUATE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "asr/score/error_rate.h"
#include "asr/train_step.h"
#include "data/batcher.h"
#include "data/example_loader.h"
#include "data/tokens.h"

namespace earshot {

struct Evaluation {
  double loss = 0;         // the configured reduction over the whole set, NaN when nothing was judged
  int64_t impossible = 0;  // utterances without a finite loss: not in it, but decoded and scored
  ErrorRate errors;        // of the best paths
};

// Every utterance of `part`, of which `batcher` is made, with the parameters of `step`, which do not change. Those that
// were skipped when the part was loaded were not recognised either: all their words count as deletions.
absl::StatusOr<Evaluation> Evaluate(const LossConfig& config, const Batcher& batcher, const TokenTable& tokens,
                                    const LoadedExamples& part, TrainStep* step);

}  // namespace earshot

#endif  // EARSHOT_ASR_EVALUATE_H_
