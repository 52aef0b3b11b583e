#include "losses/loss.h"

#include "absl/strings/str_cat.h"
#include "losses/cross_entropy.h"
#include "losses/ctc.h"

namespace earshot {

absl::StatusOr<std::unique_ptr<Loss>> CreateLoss(const LossConfig& config, int num_classes, ThreadPool* pool) {
  const int fewest = config.kind() == LossConfig::CTC ? 2 : 1;  // the blank and a label
  if (num_classes < fewest) {
    return absl::InvalidArgumentError(
        absl::StrCat(LossConfig::Kind_Name(config.kind()), ": ", num_classes, " classes, expected at least ", fewest));
  }
  if (config.kind() == LossConfig::CTC) return CreateCtc(config.reduction(), num_classes, pool);
  return CreateCrossEntropy(config.kind(), config.reduction(), num_classes, pool);
}

double Denominator(const LossConfig& config, double count) { return config.reduction() == LossConfig::SUM ? 1 : count; }

}  // namespace earshot
