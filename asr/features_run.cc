#include "asr/features_run.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "asr/feature_sink.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "base/thread_pool.h"
#include "data/corpus.h"
#include "data/features.h"
#include "data/file_dataset.h"
#include "data/for_each.h"
#include "data/input_list.h"

namespace earshot {
namespace {

constexpr int64_t kChunk = 256;  // utterances whose features are held at once

absl::StatusOr<FeatureConfig> LoadConfig(const FeaturesRunOptions& options) {
  FeatureConfig config;
  if (!options.config.empty()) RETURN_IF_ERROR(ReadTextproto(UserPath(options.config), &config));
  for (size_t i = 0; i < options.sets.size(); ++i) {
    RETURN_IF_ERROR(MergeTextproto(options.sets[i], absl::StrCat("--set (number ", i + 1, ")"), &config));
  }
  if (config.has_normalization() && config.normalization() != FeatureConfig::NONE) {
    return absl::InvalidArgumentError(
        absl::StrCat("features.normalization: ", FeatureConfig::Normalization_Name(config.normalization()),
                     "; NONE expected: training normalises, with statistics of its own"));
  }
  config.set_normalization(FeatureConfig::NONE);
  return config;
}

struct Counts {
  int64_t written = 0, failed = 0;
};

// Features that come ready are taken as they are, unless the configuration counts on them.
absl::Status ComputeFeatures(const Utterance& utterance, const FeatureExtractor& extractor,
                             Tensor<float, 2>* features) {
  if (utterance.feature_dims > 0 && extractor.config().precomputed_dims() == 0) {
    const int64_t columns = utterance.feature_dims;
    features->Resize({static_cast<int64_t>(utterance.features.size()) / columns, columns});
    std::copy(utterance.features.begin(), utterance.features.end(), features->data());
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(extractor.Compute(utterance, features));
  if (features->dim(0) > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(utterance.id, ": ", utterance.waveform.size(), " samples are less than one window"));
}

struct Computed {
  absl::Status status;
  bool ready = false;
  Tensor<float, 2> features;
};

// One list of utterances into one sink, in its order.
absl::Status WriteList(const std::vector<UtteranceSource>& sources, const FeatureExtractor& extractor, int num_threads,
                       FeatureSink* sink, Counts* counts) {
  const FileDataset dataset(sources);
  std::vector<Computed> chunk(kChunk);
  for (int64_t begin = 0; begin < dataset.size(); begin += kChunk) {
    const int64_t count = std::min(kChunk, dataset.size() - begin);
    ForEach(count, num_threads, [&](int64_t i) {
      const absl::StatusOr<Utterance> utterance = dataset.Get(begin + i);
      chunk[i].ready = utterance.ok() && utterance->feature_dims > 0 && extractor.config().precomputed_dims() == 0;
      chunk[i].status =
          utterance.ok() ? ComputeFeatures(*utterance, extractor, &chunk[i].features) : utterance.status();
    });
    for (int64_t i = 0; i < count; ++i) {
      if (!chunk[i].status.ok()) {
        ++counts->failed;
        std::fprintf(stderr, "error: %s\n", std::string(chunk[i].status.message()).c_str());
        continue;
      }
      RETURN_IF_ERROR(sink->Write(sources[begin + i], chunk[i].ready, chunk[i].features.view()));
      ++counts->written;
    }
  }
  return sink->Close();
}

// The lists of utterances and where each goes: one, or the parts of a corpus into folders of their names.
struct Job {
  std::vector<UtteranceSource> sources;
  std::string out;
};

absl::StatusOr<std::vector<Job>> ListJobs(const FeaturesRunOptions& options) {
  std::vector<Job> jobs;
  const std::string path = options.inputs.size() == 1 ? UserPath(options.inputs[0]) : "";
  if (LooksLikeCorpus(path)) {
    const std::string folder = KaldiFolder(options.out);
    if (folder.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("--out=", options.out, ": ", path,
                                                     " is a corpus with parts; expected kaldi:FOLDER"));
    }
    ASSIGN_OR_RETURN(CorpusSources corpus, ListCorpus(path, options.allow_commands));
    for (const std::string& warning : corpus.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
    jobs.push_back({std::move(corpus.train), absl::StrCat("kaldi:", folder, "/train")});
    jobs.push_back({std::move(corpus.dev), absl::StrCat("kaldi:", folder, "/dev")});
    jobs.push_back({std::move(corpus.test), absl::StrCat("kaldi:", folder, "/test")});
    return jobs;
  }
  InputOptions input_options;
  input_options.allow_commands = options.allow_commands;
  ASSIGN_OR_RETURN(InputList list, ListInputs(options.inputs, input_options));
  for (const std::string& warning : list.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
  jobs.push_back({std::move(list.utterances), options.out});
  return jobs;
}

}  // namespace

absl::Status RunFeatures(const FeaturesRunOptions& options) {
  ASSIGN_OR_RETURN(const FeatureConfig config, LoadConfig(options));
  ASSIGN_OR_RETURN(const FeatureExtractor extractor, FeatureExtractor::Create(config));
  ASSIGN_OR_RETURN(const std::vector<Job> jobs, ListJobs(options));
  const int num_threads = options.threads > 0 ? options.threads : AvailableCpus();
  Counts counts;
  for (const Job& job : jobs) {
    ASSIGN_OR_RETURN(const std::unique_ptr<FeatureSink> sink, FeatureSink::Create(job.out, options.compress, config));
    RETURN_IF_ERROR(WriteList(job.sources, extractor, num_threads, sink.get(), &counts));
  }
  if (counts.failed == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("no features of ", counts.failed, " of ",
                                                 counts.failed + counts.written, " utterances; the others are written"));
}

}  // namespace earshot
