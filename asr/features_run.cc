#include "asr/features_run.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "asr/feature_sink.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "base/textproto.h"
#include "base/thread_pool.h"
#include "data/corpus.h"
#include "data/features.h"
#include "data/file_dataset.h"
#include "data/for_each.h"
#include "data/input_list.h"
#include "data/kaldi_table.h"

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

absl::Status Summary(const Counts& counts) {
  if (counts.failed > 0) {
    return absl::InvalidArgumentError(absl::StrCat("no features of ", counts.failed, " of ",
                                                   counts.failed + counts.written, " inputs",
                                                   counts.written > 0 ? "; the others are written" : ""));
  }
  if (counts.written == 0) return absl::InvalidArgumentError("the inputs have no utterance that can be read");
  return absl::OkStatus();
}

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
      chunk[i].status = utterance.status();
      if (!utterance.ok()) return;
      const UtteranceSource& source = sources[begin + i];
      chunk[i].status = Annotate(ComputeFeatures(*utterance, extractor, &chunk[i].features),
                                 source.features.empty() ? source.audio : source.features);
    });
    for (int64_t i = 0; i < count; ++i) {
      if (!chunk[i].status.ok()) {
        ++counts->failed;
        ReportError(1, chunk[i].status.message());
        continue;
      }
      RETURN_IF_ERROR(sink->Write(sources[begin + i], chunk[i].ready, chunk[i].features.view()));
      ++counts->written;
    }
  }
  return sink->Close();
}

// Features of a table's entry, of which `utterance` has the id.
absl::Status ComputeEntry(const Tensor<float, 2>& matrix, const FeatureExtractor& extractor, Utterance* utterance,
                          Tensor<float, 2>* features) {
  if (matrix.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(utterance->id, ": expected frames of features, found a matrix of ",
                                                   matrix.dim(0), " x ", matrix.dim(1)));
  }
  utterance->features.assign(matrix.span().begin(), matrix.span().end());
  utterance->feature_dims = static_cast<int>(matrix.dim(1));
  return ComputeFeatures(*utterance, extractor, features);
}

// A whole table of ready features, read once from its beginning to its end.
absl::Status WriteTable(const std::string& rspecifier, const FeatureExtractor& extractor, FeatureSink* sink,
                        Counts* counts) {
  const size_t path = rspecifier.find(':') + 1;
  ASSIGN_OR_RETURN(const std::unique_ptr<KaldiTableReader> table,
                   KaldiTableReader::Open(absl::StrCat(rspecifier.substr(0, path), UserPath(rspecifier.substr(path)))));
  UtteranceSource source;
  Utterance utterance;
  Tensor<float, 2> matrix, features;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, table->Next(&source.id, &matrix));
    if (!more) break;
    utterance.id = source.id;
    const absl::Status status = ComputeEntry(matrix, extractor, &utterance, &features);
    if (!status.ok()) {
      ++counts->failed;
      ReportError(1, absl::StrCat(rspecifier, ": ", status.message()));
      continue;
    }
    RETURN_IF_ERROR(sink->Write(source, extractor.config().precomputed_dims() == 0, features.view()));
    ++counts->written;
  }
  if (table->skipped() > 0) {
    ReportWarning(absl::StrCat(rspecifier, ": ", table->skipped(),
                               " entries skipped, the last: ", table->last_skipped().message()));
  }
  return sink->Close();
}

// The lists of utterances and where each goes: one, or into Kaldi folders the parts of a corpus by their names.
struct Job {
  std::vector<UtteranceSource> sources;
  std::string out;
};

absl::StatusOr<std::vector<Job>> ListJobs(const FeaturesRunOptions& options, Counts* counts) {
  std::vector<Job> jobs;
  const std::string path = options.inputs.size() == 1 ? UserPath(options.inputs[0]) : "";
  if (LooksLikeCorpus(path)) {
    CorpusOptions corpus_options;
    corpus_options.allow_commands = options.allow_commands;
    ASSIGN_OR_RETURN(CorpusSources corpus, ListCorpus(path, corpus_options));
    for (const std::string& warning : corpus.warnings) ReportWarning(warning);
    const std::string folder = KaldiFolder(options.out);
    if (folder.empty()) {
      jobs.push_back({std::move(corpus.train), options.out});
      for (auto* part : {&corpus.dev, &corpus.test}) {
        std::move(part->begin(), part->end(), std::back_inserter(jobs[0].sources));
      }
      return jobs;
    }
    jobs.push_back({std::move(corpus.train), absl::StrCat("kaldi:", folder, "/train")});
    jobs.push_back({std::move(corpus.dev), absl::StrCat("kaldi:", folder, "/dev")});
    jobs.push_back({std::move(corpus.test), absl::StrCat("kaldi:", folder, "/test")});
    return jobs;
  }
  InputOptions input_options;
  input_options.allow_commands = options.allow_commands;
  InputList list = ListInputs(options.inputs, input_options);
  for (const std::string& warning : list.warnings) ReportWarning(warning);
  for (const absl::Status& error : list.errors) ReportError(1, error.message());
  counts->failed += static_cast<int64_t>(list.errors.size());
  if (list.utterances.empty()) return jobs;
  jobs.push_back({std::move(list.utterances), options.out});
  return jobs;
}

}  // namespace

absl::Status RunFeatures(const FeaturesRunOptions& options) {
  ASSIGN_OR_RETURN(const FeatureConfig config, LoadConfig(options));
  ASSIGN_OR_RETURN(const FeatureExtractor extractor, FeatureExtractor::Create(config));
  Counts counts;
  if (options.inputs.size() == 1 && LooksLikeKaldiTable(options.inputs[0])) {
    ASSIGN_OR_RETURN(const std::unique_ptr<FeatureSink> sink,
                     FeatureSink::Create(options.out, options.compress, config));
    RETURN_IF_ERROR(WriteTable(options.inputs[0], extractor, sink.get(), &counts));
    return Summary(counts);
  }
  ASSIGN_OR_RETURN(const std::vector<Job> jobs, ListJobs(options, &counts));
  const int num_threads = options.threads > 0 ? options.threads : AvailableCpus();
  for (const Job& job : jobs) {
    ASSIGN_OR_RETURN(const std::unique_ptr<FeatureSink> sink, FeatureSink::Create(job.out, options.compress, config));
    RETURN_IF_ERROR(WriteList(job.sources, extractor, num_threads, sink.get(), &counts));
  }
  return Summary(counts);
}

}  // namespace earshot
