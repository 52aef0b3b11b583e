#include "data/example_loader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "base/thread_pool.h"
#include "data/feature_config.h"
#include "data/for_each.h"
#include "data/resample.h"

namespace earshot {
namespace {

constexpr size_t kSkippedShown = 5;

// What one utterance becomes, or why it does not.
struct Loaded {
  absl::Status status;
  std::string id, speaker, text;
  std::vector<int32_t> labels;
  std::vector<Tensor<float, 2>> versions;
};

absl::Status Encode(const TokenTable& tokens, const LoadOptions& options, Loaded* loaded) {
  auto labels = tokens.Encode(loaded->text, loaded->id);
  if (labels.ok()) {
    loaded->labels = *std::move(labels);
  } else if (options.keep_unknown_tokens && options.labels == LabelKind::kSequence) {
    loaded->labels = tokens.EncodeKnown(loaded->text);
  } else {
    return labels.status();
  }
  if (options.labels == LabelKind::kClass && loaded->labels.size() != 1) {
    return absl::InvalidArgumentError(absl::StrCat("utterance \"", loaded->id, "\": \"", loaded->text, "\" has ",
                                                   loaded->labels.size(), " tokens, expected one"));
  }
  return absl::OkStatus();
}

// `waveform` as if it were played at `speed`.
absl::StatusOr<std::vector<float>> ChangeSpeed(const std::vector<float>& waveform, float speed) {
  // The ratio in thousandths: 0.9 and 1.1 are exact.
  return Resample(waveform, static_cast<int>(std::lround(speed * 1000)), 1000);
}

// Features of at least one frame.
absl::Status Version(const Utterance& utterance, const FeatureExtractor& extractor, float speed,
                     Tensor<float, 2>* features) {
  if (speed == 1) {
    RETURN_IF_ERROR(extractor.Compute(utterance, features));
  } else {
    ASSIGN_OR_RETURN(const std::vector<float> waveform, ChangeSpeed(utterance.waveform, speed));
    RETURN_IF_ERROR(extractor.Compute(utterance.id, waveform, utterance.sample_rate, features));
  }
  if (features->dim(0) > 0) return absl::OkStatus();
  const std::string what = utterance.feature_dims > 0
                               ? "its features have no frame"
                               : absl::StrCat(utterance.waveform.size(), " samples are less than one window",
                                              speed == 1 ? "" : absl::StrCat(" at speed ", speed));
  return absl::InvalidArgumentError(absl::StrCat("utterance \"", utterance.id, "\": ", what));
}

absl::Status Load(const Dataset& dataset, const FeatureExtractor& extractor, const TokenTable& tokens,
                  const LoadOptions& options, int64_t i, Loaded* loaded) {
  Utterance known = dataset.Describe(i);
  loaded->id = std::move(known.id);
  loaded->speaker = std::move(known.speaker);
  loaded->text = std::move(known.text);
  ASSIGN_OR_RETURN(const Utterance utterance, dataset.Get(i));
  RETURN_IF_ERROR(Encode(tokens, options, loaded));
  const std::vector<float> speeds = options.speeds.empty() ? std::vector<float>{1} : options.speeds;
  for (const float speed : speeds) {
    loaded->versions.emplace_back();
    RETURN_IF_ERROR(Version(utterance, extractor, speed, &loaded->versions.back()));
  }
  return absl::OkStatus();
}

// In place, all that loaded well.
absl::Status NormalizeAll(const FeatureConfig& config, const NormalizationStats* global, NormalizationStats* made,
                          int num_threads, std::vector<Loaded>* all) {
  Normalizer normalizer(config);
  const bool is_global = config.normalization() == FeatureConfig::GLOBAL;
  if (is_global && global != nullptr) {
    normalizer.SetGlobal(*global);
  } else {
    for (const Loaded& loaded : *all) {
      if (!loaded.status.ok()) continue;
      for (const Tensor<float, 2>& features : loaded.versions) normalizer.Accumulate(loaded.speaker, features.view());
    }
  }
  if (is_global) {
    ASSIGN_OR_RETURN(NormalizationStats stats, normalizer.Global());
    if (made != nullptr) *made = stats;
    normalizer.SetGlobal(std::move(stats));  // computed once, not once an utterance
  }
  ForEach(static_cast<int64_t>(all->size()), num_threads, [&](int64_t i) {
    Loaded& loaded = (*all)[i];
    for (Tensor<float, 2>& features : loaded.versions) {
      if (loaded.status.ok()) loaded.status = normalizer.Apply(loaded.speaker, features.view());
    }
  });
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LoadedExamples> LoadExamples(const Dataset& dataset, const FeatureExtractor& extractor,
                                            const TokenTable& tokens, const NormalizationStats* global,
                                            NormalizationStats* made, const LoadOptions& options) {
  const int num_threads = options.num_threads > 0 ? options.num_threads : AvailableCpus();
  std::vector<Loaded> all(dataset.size());
  ForEach(dataset.size(), num_threads,
          [&](int64_t i) { all[i].status = Load(dataset, extractor, tokens, options, i, &all[i]); });
  LoadedExamples result;
  const auto good = std::count_if(all.begin(), all.end(), [](const Loaded& loaded) { return loaded.status.ok(); });
  if (good > 0) RETURN_IF_ERROR(NormalizeAll(extractor.config(), global, made, num_threads, &all));
  result.store = ExampleStore(extractor.dims(), std::max<int>(1, options.speeds.size()));
  for (Loaded& loaded : all) {
    if (!loaded.status.ok()) {
      result.skipped.push_back({std::move(loaded.id), std::move(loaded.text), std::string(loaded.status.message())});
      continue;
    }
    result.texts.push_back(std::move(loaded.text));
    result.store.Add(std::move(loaded.id), std::move(loaded.labels), std::move(loaded.versions));
  }
  if (result.store.size() == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("no utterance of ", all.size(), " can be used. ", DescribeSkipped(result.skipped)));
  }
  return result;
}

std::string DescribeSkipped(const std::vector<SkippedUtterance>& skipped) {
  if (skipped.empty()) return "";
  std::string text = absl::StrCat(skipped.size(), skipped.size() == 1 ? " utterance" : " utterances", " skipped:");
  for (size_t i = 0; i < std::min(skipped.size(), kSkippedShown); ++i) {
    absl::StrAppend(&text, i == 0 ? " " : "; ", skipped[i].id, " (", skipped[i].reason, ")");
  }
  if (skipped.size() > kSkippedShown) absl::StrAppend(&text, "; ...");
  return text;
}

std::vector<float> StaticsScale(const FeatureConfig& config, const NormalizationStats* stats) {
  const int statics = NumStatics(config);
  const bool has_energy = config.energy() != FeatureConfig::NO_ENERGY;
  std::vector<float> scale(statics, 0.0f);
  if (config.normalization() == FeatureConfig::UTTERANCE || config.normalization() == FeatureConfig::SPEAKER) {
    return scale;
  }
  for (int d = 0; d < statics; ++d) {
    const bool magnitude = !config.use_power() && !(has_energy && d == 0);
    scale[d] = magnitude ? 0.5f : 1.0f;
    if (config.normalization() == FeatureConfig::GLOBAL) {
      CHECK(stats != nullptr && static_cast<int>(stats->inverse_deviation.size()) == NumFeatures(config));
      scale[d] *= stats->inverse_deviation[d];
    }
  }
  return scale;
}

}  // namespace earshot
