#include "asr/recogniser.h"

#include "asr/decode/greedy.h"
#include "asr/train_checkpoint.h"
#include "asr/train_config.h"
#include "asr/training_data.h"
#include "base/packing.h"
#include "base/status_macros.h"

namespace earshot {

absl::StatusOr<std::unique_ptr<Recogniser>> Recogniser::Load(const std::string& path, const std::string& implementation,
                                                             ThreadPool* pool) {
  ASSIGN_OR_RETURN(const Checkpoint checkpoint, LoadCheckpoint(path));
  const absl::StatusOr<TrainConfig> loaded = CheckpointConfig(checkpoint);
  RETURN_IF_ERROR(Annotate(loaded.status(), path));
  TrainConfig config = *loaded;
  config.mutable_features()->set_resample(true);
  if (!implementation.empty()) config.mutable_model()->mutable_lstm()->set_implementation(implementation);
  RETURN_IF_ERROR(Annotate(ValidateTrainConfig(config), path));

  std::unique_ptr<Recogniser> r(new Recogniser(config));
  ASSIGN_OR_RETURN(r->extractor_, FeatureExtractor::Create(config.features()));
  if (config.features().normalization() == FeatureConfig::GLOBAL) {
    const absl::StatusOr<NormalizationStats> stats = CheckpointStats(checkpoint, r->extractor_->dims());
    RETURN_IF_ERROR(Annotate(stats.status(), path));
    r->normalizer_.SetGlobal(*stats);
  }
  const absl::StatusOr<TokenTable> tokens = CreateTokens(config);
  RETURN_IF_ERROR(Annotate(tokens.status(), path));
  r->tokens_ = *tokens;
  const int num_classes = r->tokens_->num_classes();
  RETURN_IF_ERROR(Annotate(CheckParameters(checkpoint, config.model(), r->extractor_->dims(), num_classes), path));
  ASSIGN_OR_RETURN(r->model_, Model::Create(config.model(), r->extractor_->dims(), num_classes, pool,
                                            /*phases=*/nullptr));
  RETURN_IF_ERROR(Annotate(RestoreParameters(checkpoint, r->model_.get()), path));
  return r;
}

absl::StatusOr<Recogniser::Result> Recogniser::Recognise(const Utterance& utterance) {
  Tensor<float, 2> features;
  RETURN_IF_ERROR(extractor_->Compute(utterance, &features));
  Result result;
  result.frames = features.dim(0);
  if (result.frames == 0) return result;
  if (config_.features().normalization() == FeatureConfig::SPEAKER) {
    // Alone, an utterance is all that is known of its speaker.
    Normalizer own(config_.features());
    own.Accumulate(utterance.speaker, features.view());
    RETURN_IF_ERROR(own.Apply(utterance.speaker, features.view()));
  } else {
    RETURN_IF_ERROR(Annotate(normalizer_.Apply(utterance.speaker, features.view()), utterance.id));
  }
  const Packing packing = Packing::CreateOrDie({static_cast<int32_t>(result.frames)});
  const TensorView<float, 2> logits = model_->Forward(features.view(), packing, nullptr);
  const BestPath best = DecodeBestPath(config_.loss().kind(), logits, packing, 0);
  result.text = tokens_->Decode(best.tokens);
  result.confidence = best.confidence;
  return result;
}

}  // namespace earshot
