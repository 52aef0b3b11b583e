#include "asr/train_config.h"

#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "asr/recipes/recipes.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "data/augment.h"
#include "data/batcher.h"
#include "data/feature_config.h"
#include "lstm/registry.h"

namespace earshot {
namespace {

constexpr int kMaxLevels = 64;
constexpr int kMaxHidden = 1 << 16;
// So that the parameters, gradients and moments of one level stay within what 64-bit sizes and real machines can hold.
constexpr int64_t kMaxParameters = int64_t{1} << 33;

absl::Status FieldError(absl::string_view field, double value, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat(field, ": ", value, ", expected ", expected));
}

// NaN is in no range.
absl::Status CheckProbability(absl::string_view field, double value) {
  return value >= 0 && value < 1 ? absl::OkStatus() : FieldError(field, value, "a number in [0, 1)");
}
absl::Status CheckPositive(absl::string_view field, double value) {
  return value > 0 && std::isfinite(value) ? absl::OkStatus() : FieldError(field, value, "a finite number above 0");
}
absl::Status CheckNotNegative(absl::string_view field, double value) {
  return value >= 0 && std::isfinite(value) ? absl::OkStatus() : FieldError(field, value, "a finite number, at least 0");
}
absl::Status CheckShare(absl::string_view field, double value) {
  return value > 0 && value <= 1 ? absl::OkStatus() : FieldError(field, value, "a number in (0, 1]");
}
absl::Status CheckOpenShare(absl::string_view field, double value) {
  return value > 0 && value < 1 ? absl::OkStatus() : FieldError(field, value, "a number in (0, 1)");
}
absl::Status CheckInteger(absl::string_view field, int64_t value, int64_t low, int64_t high) {
  return value >= low && value <= high
             ? absl::OkStatus()
             : absl::InvalidArgumentError(absl::StrCat(field, ": ", value, ", expected ", low, " to ", high));
}

absl::Status ValidateLstmConfig(const LstmConfig& config) {
  if (config.level_size() == 0) {
    RETURN_IF_ERROR(CheckInteger("model.lstm.num_levels", config.num_levels(), 1, kMaxLevels));
    RETURN_IF_ERROR(CheckInteger("model.lstm.hidden_size", config.hidden_size(), 1, kMaxHidden));
  }
  RETURN_IF_ERROR(CheckInteger("model.lstm.level (how many)", config.level_size(), 0, kMaxLevels));
  for (int i = 0; i < config.level_size(); ++i) {
    RETURN_IF_ERROR(CheckInteger(absl::StrCat("model.lstm.level[", i, "].hidden_size"), config.level(i).hidden_size(),
                                 1, kMaxHidden));
  }
  RETURN_IF_ERROR(CheckProbability("model.lstm.dropout", config.dropout()));
  RETURN_IF_ERROR(CheckProbability("model.lstm.recurrent_dropout", config.recurrent_dropout()));
  const absl::Status known = FindLstmImplementation(config.implementation()).status();
  return Annotate(known, "model.lstm.implementation");
}

absl::Status ValidateCorpusConfig(const CorpusConfig& config) {
  RETURN_IF_ERROR(CheckInteger("corpus.train_utterances", config.train_utterances(), 1, 1000000));
  RETURN_IF_ERROR(CheckInteger("corpus.dev_utterances", config.dev_utterances(), 1, 1000000));
  RETURN_IF_ERROR(CheckInteger("corpus.test_utterances", config.test_utterances(), 1, 1000000));
  return CheckInteger("corpus.max_words", config.max_words(), 1, 50);
}

}  // namespace

absl::Status ValidateModelConfig(const ModelConfig& config) {
  RETURN_IF_ERROR(ValidateLstmConfig(config.lstm()));
  RETURN_IF_ERROR(CheckProbability("model.output_dropout", config.output_dropout()));
  if (!std::isfinite(config.forget_bias())) return FieldError("model.forget_bias", config.forget_bias(), "a number");
  double parameters = 0;
  const int sizes = config.lstm().level_size() > 0 ? config.lstm().level_size() : config.lstm().num_levels();
  for (int i = 0; i < sizes; ++i) {
    const double h = config.lstm().level_size() > 0 ? config.lstm().level(i).hidden_size() : config.lstm().hidden_size();
    parameters += 24 * h * h;  // two directions, their outputs below, four gates
  }
  if (parameters > kMaxParameters) {
    return FieldError("model.lstm", parameters, absl::StrCat("at most ", kMaxParameters, " parameters"));
  }
  return absl::OkStatus();
}

absl::Status ValidateOptimizerConfig(const OptimizerConfig& config) {
  RETURN_IF_ERROR(CheckPositive("optimizer.learning_rate", config.learning_rate()));
  RETURN_IF_ERROR(CheckProbability("optimizer.momentum", config.momentum()));
  RETURN_IF_ERROR(CheckProbability("optimizer.beta1", config.beta1()));
  RETURN_IF_ERROR(CheckProbability("optimizer.beta2", config.beta2()));
  RETURN_IF_ERROR(CheckPositive("optimizer.epsilon", config.epsilon()));
  RETURN_IF_ERROR(CheckNotNegative("optimizer.weight_decay", config.weight_decay()));
  return CheckNotNegative("optimizer.max_grad_norm", config.max_grad_norm());
}

absl::Status ValidateScheduleConfig(const ScheduleConfig& config) {
  RETURN_IF_ERROR(CheckOpenShare("schedule.warmup_fraction", config.warmup_fraction()));
  RETURN_IF_ERROR(CheckShare("schedule.start_fraction", config.start_fraction()));
  RETURN_IF_ERROR(CheckShare("schedule.final_fraction", config.final_fraction()));
  RETURN_IF_ERROR(CheckOpenShare("schedule.factor", config.factor()));
  RETURN_IF_ERROR(CheckProbability("schedule.min_improvement", config.min_improvement()));
  for (int i = 0; i < config.milestone_size(); ++i) {
    RETURN_IF_ERROR(CheckInteger(absl::StrCat("schedule.milestone[", i, "]"), config.milestone(i),
                                 i == 0 ? 1 : config.milestone(i - 1) + 1, 1000000));
  }
  return absl::OkStatus();
}

absl::Status ValidateTrainConfig(const TrainConfig& config) {
  RETURN_IF_ERROR(ValidateCorpusConfig(config.corpus()));
  RETURN_IF_ERROR(ValidateFeatureConfig(config.features()));
  RETURN_IF_ERROR(ValidateAugmentConfig(config.augment()));
  RETURN_IF_ERROR(ValidateBatchConfig(config.batch()));
  RETURN_IF_ERROR(ValidateModelConfig(config.model()));
  RETURN_IF_ERROR(ValidateOptimizerConfig(config.optimizer()));
  RETURN_IF_ERROR(ValidateScheduleConfig(config.schedule()));
  RETURN_IF_ERROR(CheckInteger("epochs", config.epochs(), 1, 1000000));
  RETURN_IF_ERROR(CheckInteger("train_frames", config.train_frames(), 1, int64_t{1} << 40));
  RETURN_IF_ERROR(CheckInteger("patience", config.patience(), 0, 1000000));
  RETURN_IF_ERROR(CheckInteger("threads", config.threads(), 0, 1024));
  RETURN_IF_ERROR(CheckInteger("checkpoint_steps", config.checkpoint_steps(), 0, 1 << 30));
  return CheckInteger("log_steps", config.log_steps(), 1, 1 << 30);
}

absl::StatusOr<TrainConfig> LoadTrainConfig(const std::string& recipe, const std::vector<std::string>& overrides) {
  TrainConfig config;
  if (const char* text = FindRecipe(recipe)) {
    RETURN_IF_ERROR(ParseTextproto(text, absl::StrCat("recipe ", recipe), &config));
  } else if (absl::StrContains(recipe, '/') || absl::EndsWith(recipe, ".textproto")) {
    RETURN_IF_ERROR(ReadTextproto(UserPath(recipe), &config));
  } else {
    return absl::NotFoundError(absl::StrCat("--recipe=", recipe, ": expected one of ",
                                            absl::StrJoin(RecipeNames(), ", "), ", or the path of a .textproto file"));
  }
  for (size_t i = 0; i < overrides.size(); ++i) {
    RETURN_IF_ERROR(MergeTextproto(overrides[i], absl::StrCat("--set (number ", i + 1, ")"), &config));
  }
  RETURN_IF_ERROR(ValidateTrainConfig(config));
  return config;
}

}  // namespace earshot
