// Recipes and the resolved configuration of a run.
#ifndef EARSHOT_ASR_TRAIN_CONFIG_H_
#define EARSHOT_ASR_TRAIN_CONFIG_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "asr/train.pb.h"

namespace earshot {


// `recipe` is the name of a built-in recipe (asr/recipes) or the path of a textproto (relative to where the user typed the command); then each
// of `overrides`, textprotos, is merged over it in turn. Validated.
absl::StatusOr<TrainConfig> LoadTrainConfig(const std::string& recipe, const std::vector<std::string>& overrides);

// InvalidArgument naming the field, its value and what is expected.
absl::Status ValidateTrainConfig(const TrainConfig& config);
absl::Status ValidateModelConfig(const ModelConfig& config);
absl::Status ValidateOptimizerConfig(const OptimizerConfig& config);
absl::Status ValidateScheduleConfig(const ScheduleConfig& config);

}  // namespace earshot

#endif  // EARSHOT_ASR_TRAIN_CONFIG_H_
