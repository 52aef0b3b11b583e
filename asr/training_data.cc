#include "asr/training_data.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "data/augment.h"
#include "data/features.h"

namespace earshot {
namespace {

TokenUnit Unit(const TrainConfig& config) {
  return config.tokens().unit() == TokenConfig::CHARACTER ? TokenUnit::kCharacter : TokenUnit::kWord;
}

bool WithBlank(const TrainConfig& config) { return config.loss().kind() == LossConfig::CTC; }

// Names the tokens in the configuration when it leaves them to the training text.
absl::Status ResolveTokens(const Dataset& train, TrainConfig* config) {
  if (config->tokens().token_size() > 0) return absl::OkStatus();
  std::vector<std::string> texts;
  for (int64_t i = 0; i < train.size(); ++i) texts.push_back(train.Describe(i).text);
  ASSIGN_OR_RETURN(const TokenTable table, TokenTable::FromTexts(Unit(*config), WithBlank(*config), texts));
  for (const std::string& token : table.tokens()) config->mutable_tokens()->add_token(token);
  return absl::OkStatus();
}

// A corpus that brings features has its say on the configuration, once: a checkpoint's is resolved.
void ResolveFeatures(const Dataset& train, TrainConfig* config, const std::function<void(const std::string&)>& report) {
  FeatureConfig* features = config->mutable_features();
  if (features->precomputed_dims() > 0) return;
  for (int64_t i = 0; i < train.size(); ++i) {
    const absl::StatusOr<Utterance> utterance = train.Get(i);
    if (!utterance.ok()) continue;  // reported, and left out, when its features are made
    if (utterance->feature_dims == 0) return;
    features->set_precomputed_dims(utterance->feature_dims);
    features->set_delta_order(0);
    report(absl::StrCat("features of ", utterance->feature_dims, " columns come with the corpus: taken as they are"));
    return;
  }
}

// Recipes augment what they can.
void ResolveAugment(TrainConfig* config, const std::function<void(const std::string&)>& report) {
  const std::vector<std::string> dropped = DropUnfitAugment(config->features(), config->mutable_augment());
  if (dropped.empty()) return;
  report(absl::StrCat(config->features().precomputed_dims() > 0 ? "precomputed features" : "MFCC",
                      " cannot be augmented by ", absl::StrJoin(dropped, ", "), ": left out"));
}

int64_t NumFrames(const LoadedExamples& part) {
  int64_t frames = 0;
  for (int64_t i = 0; i < part.store.size(); ++i) frames += part.store.frames(i);
  return frames;
}

void Report(const std::string& name, const LoadedExamples& part,
            const std::function<void(const std::string&)>& report) {
  report(absl::StrFormat("%-5s %6d utterances %9d frames", name, part.store.size(), NumFrames(part)));
  if (!part.skipped.empty()) report(absl::StrCat(name, " set: ", DescribeSkipped(part.skipped)));
}

}  // namespace

absl::StatusOr<TokenTable> CreateTokens(const TrainConfig& config) {
  return TokenTable::Create(Unit(config), WithBlank(config),
                            {config.tokens().token().begin(), config.tokens().token().end()});
}

absl::StatusOr<std::unique_ptr<TrainingData>> PrepareTrainingData(
    const Corpus& corpus, const NormalizationStats* stats, int num_threads, TrainConfig* config,
    const std::function<void(const std::string&)>& report) {
  auto data = std::make_unique<TrainingData>();
  ResolveFeatures(*corpus.train, config, report);
  ResolveAugment(config, report);
  ASSIGN_OR_RETURN(const FeatureExtractor extractor, FeatureExtractor::Create(config->features()));
  RETURN_IF_ERROR(ResolveTokens(*corpus.train, config));
  ASSIGN_OR_RETURN(data->tokens, CreateTokens(*config));

  LoadOptions options;
  options.labels =
      config->loss().kind() == LossConfig::CROSS_ENTROPY_LAST_FRAME ? LabelKind::kClass : LabelKind::kSequence;
  options.num_threads = num_threads;
  const auto load = [&](const char* name, const Dataset& set, NormalizationStats* made) {
    absl::StatusOr<LoadedExamples> part = LoadExamples(set, extractor, *data->tokens, stats, made, options);
    if (part.ok()) Report(name, *part, report);
    if (!part.ok()) part = Annotate(part.status(), absl::StrCat(name, " set"));
    return part;
  };
  options.speeds.assign(config->augment().speed().begin(), config->augment().speed().end());
  NormalizationStats made;
  ASSIGN_OR_RETURN(data->train, load("train", *corpus.train, &made));
  if (config->features().normalization() == FeatureConfig::GLOBAL) {
    if (stats == nullptr) stats = &made;
    data->stats = *stats;
  }
  if (!config->has_epochs()) {
    const int64_t frames = NumFrames(data->train);
    config->set_epochs(static_cast<int>(std::max<int64_t>(1, (config->train_frames() + frames / 2) / frames)));
  }
  options.speeds.clear();
  options.keep_unknown_tokens = true;  // what the network cannot say counts as an error
  ASSIGN_OR_RETURN(data->dev, load("dev", *corpus.dev, nullptr));
  ASSIGN_OR_RETURN(data->test, load("test", *corpus.test, nullptr));
  return data;
}

absl::StatusOr<std::unique_ptr<Batcher>> TrainingData::TrainBatcher(const TrainConfig& config) const {
  BatcherOptions options;
  options.batch = config.batch();
  options.seed = config.seed();
  options.training = true;
  options.augment = config.augment();
  options.layout = FeatureLayout::FromConfig(config.features());
  options.statics_scale = StaticsScale(config.features(), stats.has_value() ? &*stats : nullptr);
  return Batcher::Create(&train.store, std::move(options));
}

absl::StatusOr<std::unique_ptr<Batcher>> TrainingData::EvaluationBatcher(const TrainConfig& config,
                                                                         const LoadedExamples& part) const {
  BatcherOptions options;
  options.batch = config.batch();
  return Batcher::Create(&part.store, std::move(options));
}

}  // namespace earshot
