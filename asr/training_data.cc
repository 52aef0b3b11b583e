#include "asr/training_data.h"

#include <atomic>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "data/augment.h"
#include "data/features.h"
#include "data/resample.h"

namespace earshot {
namespace {

constexpr size_t kNamesShown = 5;

// What is known of one utterance before its normalisation.
struct Prepared {
  absl::Status status;
  Utterance utterance;  // without its waveform
  std::vector<Tensor<float, 2>> versions;
};

// Features of `utterance` as if it were spoken `speed` times as fast.
absl::Status FeaturesAtSpeed(const FeatureExtractor& extractor, const Utterance& utterance, float speed,
                             Tensor<float, 2>* features) {
  if (speed == 1) return extractor.Compute(utterance, features);
  // Fewer samples, read at the old rate: shorter, and higher in pitch, as with a tape that runs faster.
  const int slower_rate = static_cast<int>(std::lround(utterance.sample_rate / speed));
  ASSIGN_OR_RETURN(const std::vector<float> waveform,
                   Resample(utterance.waveform, utterance.sample_rate, slower_rate));
  return extractor.Compute(utterance.id, waveform, utterance.sample_rate, features);
}

Prepared Prepare(const Dataset& dataset, int64_t i, const FeatureExtractor& extractor,
                 const std::vector<float>& speeds) {
  Prepared p;
  absl::StatusOr<Utterance> utterance = dataset.Get(i);
  p.status = utterance.status();
  if (!p.status.ok()) return p;
  p.utterance = *std::move(utterance);
  p.versions.resize(speeds.size());
  for (size_t s = 0; s < speeds.size() && p.status.ok(); ++s) {
    p.status = FeaturesAtSpeed(extractor, p.utterance, speeds[s], &p.versions[s]);
  }
  p.utterance.waveform = {};
  return p;
}

// All utterances of a part, in the dataset's order whatever the number of threads.
absl::StatusOr<std::vector<Prepared>> PrepareAll(const Dataset& dataset, const FeatureExtractor& extractor,
                                                 const std::vector<float>& speeds, ThreadPool* pool) {
  std::vector<Prepared> all(dataset.size());
  std::atomic<int64_t> next{0};
  pool->Run([&](int) {
    for (int64_t i = next.fetch_add(1); i < dataset.size(); i = next.fetch_add(1)) {
      all[i] = Prepare(dataset, i, extractor, speeds);
    }
  });
  for (const Prepared& p : all) RETURN_IF_ERROR(p.status);
  return all;
}

absl::StatusOr<std::vector<int32_t>> Labels(const TrainConfig& config, const TokenTable& tokens,
                                            const Utterance& utterance) {
  ASSIGN_OR_RETURN(std::vector<int32_t> labels, tokens.Encode(utterance.text, utterance.id));
  if (config.loss().kind() == LossConfig::CROSS_ENTROPY_LAST_FRAME && labels.size() != 1) {
    return absl::InvalidArgumentError(absl::StrCat("utterance ", utterance.id, ": ", labels.size(), " tokens in \"",
                                                   utterance.text, "\", expected 1: the loss judges one class"));
  }
  return labels;
}

absl::Status FillPart(const TrainConfig& config, const TokenTable& tokens, const Normalizer& normalizer, int dims,
                      std::vector<Prepared> all, const std::string& name, DataPart* part) {
  part->store = ExampleStore(dims, all.empty() ? 1 : static_cast<int>(all[0].versions.size()));
  for (Prepared& p : all) {
    bool too_short = false;
    for (const Tensor<float, 2>& features : p.versions) too_short |= features.dim(0) == 0;
    if (too_short) {
      part->too_short.push_back(p.utterance.id);
      continue;
    }
    ASSIGN_OR_RETURN(std::vector<int32_t> labels, Labels(config, tokens, p.utterance));
    for (Tensor<float, 2>& features : p.versions) {
      RETURN_IF_ERROR(Annotate(normalizer.Apply(p.utterance.speaker, features.view()), p.utterance.id));
    }
    if (!part->texts.emplace(p.utterance.id, p.utterance.text).second) {
      return absl::InvalidArgumentError(absl::StrCat("utterance ", p.utterance.id, ": the id occurs twice in ", name));
    }
    part->store.Add(p.utterance.id, std::move(labels), std::move(p.versions));
  }
  if (part->store.size() == 0) return absl::InvalidArgumentError(absl::StrCat(name, " set: no utterance to use"));
  return absl::OkStatus();
}

std::string Describe(const std::string& name, const DataPart& part) {
  int64_t frames = 0;
  for (int64_t i = 0; i < part.store.size(); ++i) frames += part.store.frames(i);
  std::string line = absl::StrFormat("%-5s %6d utterances %9d frames", name, part.store.size(), frames);
  if (!part.too_short.empty()) {
    const size_t shown = std::min(part.too_short.size(), kNamesShown);
    absl::StrAppend(&line, "; left out, shorter than one window: ", part.too_short.size(), " (",
                    absl::StrJoin(part.too_short.begin(), part.too_short.begin() + shown, " "),
                    shown < part.too_short.size() ? " ...)" : ")");
  }
  return line;
}

TokenUnit Unit(const TrainConfig& config) {
  return config.tokens().unit() == TokenConfig::CHARACTER ? TokenUnit::kCharacter : TokenUnit::kWord;
}

bool WithBlank(const TrainConfig& config) { return config.loss().kind() == LossConfig::CTC; }

// Names the tokens in the configuration when it leaves them to the training text.
absl::Status ResolveTokens(const std::vector<Prepared>& train, TrainConfig* config) {
  if (config->tokens().token_size() > 0) return absl::OkStatus();
  std::vector<std::string> texts;
  for (const Prepared& p : train) texts.push_back(p.utterance.text);
  ASSIGN_OR_RETURN(const TokenTable table, TokenTable::FromTexts(Unit(*config), WithBlank(*config), texts));
  for (const std::string& token : table.tokens()) config->mutable_tokens()->add_token(token);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TokenTable> CreateTokens(const TrainConfig& config) {
  return TokenTable::Create(Unit(config), WithBlank(config),
                            {config.tokens().token().begin(), config.tokens().token().end()});
}

absl::StatusOr<std::unique_ptr<TrainingData>> PrepareTrainingData(
    const Corpus& corpus, const NormalizationStats* stats, ThreadPool* pool, TrainConfig* config,
    const std::function<void(const std::string&)>& report) {
  auto data = std::make_unique<TrainingData>();
  data->kind = corpus.kind;
  ASSIGN_OR_RETURN(const FeatureExtractor extractor, FeatureExtractor::Create(config->features()));
  std::vector<float> speeds(config->augment().speed().begin(), config->augment().speed().end());
  if (speeds.empty()) speeds = {1};
  ASSIGN_OR_RETURN(std::vector<Prepared> train, PrepareAll(*corpus.train, extractor, speeds, pool));
  ASSIGN_OR_RETURN(std::vector<Prepared> dev, PrepareAll(*corpus.dev, extractor, {1}, pool));
  ASSIGN_OR_RETURN(std::vector<Prepared> test, PrepareAll(*corpus.test, extractor, {1}, pool));
  RETURN_IF_ERROR(ResolveTokens(train, config));
  ASSIGN_OR_RETURN(data->tokens, CreateTokens(*config));

  Normalizer normalizer(config->features());
  const bool global = config->features().normalization() == FeatureConfig::GLOBAL;
  const bool by_speaker = config->features().normalization() == FeatureConfig::SPEAKER;
  const auto accumulate = [&](const std::vector<Prepared>& part) {
    for (const Prepared& p : part) {
      for (const Tensor<float, 2>& features : p.versions) normalizer.Accumulate(p.utterance.speaker, features.view());
    }
  };
  if (global && stats != nullptr) {
    normalizer.SetGlobal(*stats);
  } else if (global || by_speaker) {
    accumulate(train);
  }
  if (by_speaker) {
    accumulate(dev);
    accumulate(test);
  }
  if (global) {
    data->stats.emplace();
    RETURN_IF_ERROR(normalizer.GetGlobal(&*data->stats));
  }
  const int dims = extractor.dims();
  RETURN_IF_ERROR(FillPart(*config, *data->tokens, normalizer, dims, std::move(train), "train", &data->train));
  RETURN_IF_ERROR(FillPart(*config, *data->tokens, normalizer, dims, std::move(dev), "dev", &data->dev));
  RETURN_IF_ERROR(FillPart(*config, *data->tokens, normalizer, dims, std::move(test), "test", &data->test));
  report(Describe("train", data->train));
  report(Describe("dev", data->dev));
  report(Describe("test", data->test));
  return data;
}

absl::StatusOr<std::unique_ptr<Batcher>> TrainingData::TrainBatcher(const TrainConfig& config) const {
  BatcherOptions options;
  options.batch = config.batch();
  options.seed = config.seed();
  options.training = true;
  options.augment = config.augment();
  options.layout = FeatureLayout::FromConfig(config.features());
  options.statics_scale.assign(options.layout.block(), 1.0f);
  if (stats.has_value()) {
    options.statics_scale.assign(stats->inverse_deviation.begin(),
                                 stats->inverse_deviation.begin() + options.layout.block());
  }
  return Batcher::Create(&train.store, std::move(options));
}

absl::StatusOr<std::unique_ptr<Batcher>> TrainingData::EvaluationBatcher(const TrainConfig& config,
                                                                         const DataPart& part) const {
  BatcherOptions options;
  options.batch = config.batch();
  return Batcher::Create(&part.store, std::move(options));
}

}  // namespace earshot
