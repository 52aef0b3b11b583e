#include "asr/testing/toy_task.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/random.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

constexpr const char* kWords[] = {"ay", "bee", "sea"};

void AddFrames(int frames, int dimension, RandomStream* random, std::vector<float>* features) {
  for (int t = 0; t < frames; ++t) {
    for (int d = 0; d < kToyDimensions; ++d)
      features->push_back((d == dimension ? 2.0f : 0.0f) + 0.3f * random->Normal());
  }
}

LoadedExamples MakePart(const std::string& name, int utterances, bool one_word, uint32_t part) {
  LoadedExamples examples;
  examples.store = ExampleStore(kToyDimensions);
  for (int i = 0; i < utterances; ++i) {
    RandomStream random(77, RandomPurpose::kTest, i, part);
    std::vector<float> features;
    std::vector<std::string> words;
    std::vector<int32_t> labels;
    const int count = one_word ? 1 : 1 + static_cast<int>(random.Below(3));
    for (int w = 0; w < count; ++w) {
      const int word = static_cast<int>(random.Below(3));
      AddFrames(1 + random.Below(2), kToyDimensions - 1, &random, &features);
      AddFrames(3 + random.Below(3), word, &random, &features);
      words.push_back(kWords[word]);
      labels.push_back(one_word ? word : word + 1);  // 0 is CTC's blank
    }
    AddFrames(1, kToyDimensions - 1, &random, &features);
    std::vector<Tensor<float, 2>> versions(1);
    versions[0].Resize({static_cast<int64_t>(features.size()) / kToyDimensions, kToyDimensions});
    std::copy(features.begin(), features.end(), versions[0].data());
    examples.store.Add(absl::StrCat(name, "-", i), labels, std::move(versions));
    examples.texts.push_back(absl::StrJoin(words, " "));
  }
  return examples;
}

}  // namespace

std::unique_ptr<TrainingData> MakeToyData(LossConfig::Kind kind, int train_utterances) {
  const bool one_word = kind == LossConfig::CROSS_ENTROPY_LAST_FRAME;
  auto data = std::make_unique<TrainingData>();
  data->tokens = *TokenTable::Create(TokenUnit::kWord, !one_word, {std::begin(kWords), std::end(kWords)});
  data->train = MakePart("train", train_utterances, one_word, 0);
  data->dev = MakePart("dev", 12, one_word, 1);
  data->test = MakePart("test", 30, one_word, 2);
  return data;
}

TrainConfig MakeToyConfig(LossConfig::Kind kind, const std::string& implementation) {
  TrainConfig config;
  config.set_name("toy");
  config.mutable_features()->set_normalization(FeatureConfig::NONE);
  config.mutable_batch()->set_max_utterances(4);
  config.mutable_batch()->set_bucket_batches(2);
  LstmConfig* lstm = config.mutable_model()->mutable_lstm();
  lstm->add_level()->set_hidden_size(8);
  lstm->add_level()->set_hidden_size(9);
  lstm->set_bidirectional(true);
  lstm->set_dropout(0.1f);
  lstm->set_implementation(implementation);
  config.mutable_loss()->set_kind(kind);
  config.mutable_optimizer()->set_learning_rate(0.03f);
  config.set_epochs(4);
  config.set_log_steps(1);
  return config;
}

absl::StatusOr<bool> TrainToy(const TrainConfig& config, const TrainingData& data, const std::string& directory,
                              bool resume, int threads, absl::FunctionRef<bool()> stop,
                              absl::FunctionRef<void(Trainer*)> then, FILE* log) {
  const std::unique_ptr<FILE, int (*)(FILE*)> nothing(std::fopen("/dev/null", "w"), std::fclose);
  Progress progress(log != nullptr ? log : nothing.get());
  ThreadPool pool(threads);
  ASSIGN_OR_RETURN(const std::unique_ptr<RunDirectory> run, RunDirectory::Open(directory));
  ASSIGN_OR_RETURN(const std::unique_ptr<Trainer> trainer, Trainer::Create(config, &data, run.get(), &pool, &progress));
  if (resume) {
    ASSIGN_OR_RETURN(const RunDirectory::Newest newest, run->LoadNewest());
    RETURN_IF_ERROR(trainer->Resume(newest.checkpoint, ""));
  } else {
    RETURN_IF_ERROR(trainer->StartFresh(""));
  }
  const absl::StatusOr<bool> finished = trainer->Run(stop);
  if (finished.ok()) then(trainer.get());
  return finished;
}

}  // namespace earshot
