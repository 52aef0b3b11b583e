#include "asr/features_run.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
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
  return absl::OkStatus();
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

// A whole table of ready features, read once from its beginning to its end. Behind an entry that cannot be read an
// archive cannot be read either.
absl::Status WriteTable(const std::string& rspecifier, const FeatureExtractor& extractor, FeatureSink* sink,
                        Counts* counts) {
  const size_t path = rspecifier.find(':') + 1;
  const absl::StatusOr<std::unique_ptr<KaldiTableReader>> opened =
      KaldiTableReader::Open(absl::StrCat(rspecifier.substr(0, path), UserPath(rspecifier.substr(path))));
  if (!opened.ok()) {
    ++counts->failed;
    ReportError(1, opened.status().message());
    return absl::OkStatus();
  }
  KaldiTableReader* const table = opened->get();
  UtteranceSource source;
  Utterance utterance;
  Tensor<float, 2> matrix, features;
  for (;;) {
    const absl::StatusOr<bool> more = table->Next(&source.id, &matrix);
    if (more.ok() && !*more) break;
    utterance.id = source.id;
    const absl::Status status = more.ok() ? ComputeEntry(matrix, extractor, &utterance, &features) : more.status();
    if (!status.ok()) {
      ++counts->failed;
      ReportError(1, absl::StrCat(rspecifier, ": ", status.message()));
      if (!more.ok() && !absl::StartsWith(rspecifier, "scp")) break;
      continue;
    }
    RETURN_IF_ERROR(sink->Write(source, extractor.config().precomputed_dims() == 0, features.view()));
    ++counts->written;
  }
  if (table->skipped() > 0) {
    ReportWarning(absl::StrCat(rspecifier, ": ", table->skipped(),
                               " entries skipped, the last: ", table->last_skipped().message()));
  }
  return absl::OkStatus();
}

absl::StatusOr<CorpusSources> ListParts(const std::string& path, const FeaturesRunOptions& options) {
  CorpusOptions corpus_options;
  corpus_options.allow_commands = options.allow_commands;
  absl::StatusOr<CorpusSources> corpus = ListCorpus(path, corpus_options);
  if (!corpus.ok()) return corpus;
  for (const std::string& warning : corpus->warnings) ReportWarning(warning);
  return corpus;
}

// The utterances of an input that is no table: a list, a recording, ...; of a folder that holds nothing else, all parts
// of a corpus.
absl::StatusOr<std::vector<UtteranceSource>> ListInput(const std::string& input, const FeaturesRunOptions& options) {
  InputOptions input_options;
  input_options.allow_commands = options.allow_commands;
  InputList list = ListInputs({input}, input_options);
  for (const std::string& warning : list.warnings) ReportWarning(warning);
  if (list.errors.empty()) return std::move(list.utterances);
  const std::string path = UserPath(input);
  if (!LooksLikeCorpus(path)) return list.errors[0];
  ASSIGN_OR_RETURN(CorpusSources corpus, ListParts(path, options));
  std::vector<UtteranceSource> all = std::move(corpus.train);
  for (auto* part : {&corpus.dev, &corpus.test}) std::move(part->begin(), part->end(), std::back_inserter(all));
  return all;
}

// A corpus as Kaldi data directories of its parts.
absl::Status WriteParts(const FeaturesRunOptions& options, const FeatureExtractor& extractor, int num_threads,
                        Counts* counts) {
  ASSIGN_OR_RETURN(const CorpusSources corpus, ListParts(UserPath(options.inputs[0]), options));
  const std::pair<const char*, const std::vector<UtteranceSource>*> parts[] = {
      {"train", &corpus.train}, {"dev", &corpus.dev}, {"test", &corpus.test}};
  for (const auto& [name, sources] : parts) {
    const std::string out = absl::StrCat("kaldi:", KaldiFolder(options.out), "/", name);
    ASSIGN_OR_RETURN(const std::unique_ptr<FeatureSink> sink,
                     FeatureSink::Create(out, options.compress, extractor.config()));
    RETURN_IF_ERROR(WriteList(*sources, extractor, num_threads, sink.get(), counts));
    RETURN_IF_ERROR(sink->Close());
  }
  return absl::OkStatus();
}

absl::Status WriteInputs(const FeaturesRunOptions& options, const FeatureExtractor& extractor, int num_threads,
                         Counts* counts) {
  ASSIGN_OR_RETURN(const std::unique_ptr<FeatureSink> sink,
                   FeatureSink::Create(options.out, options.compress, extractor.config()));
  for (const std::string& input : options.inputs) {
    if (LooksLikeKaldiTable(input)) {
      RETURN_IF_ERROR(WriteTable(input, extractor, sink.get(), counts));
      continue;
    }
    const absl::StatusOr<std::vector<UtteranceSource>> sources = ListInput(input, options);
    if (sources.ok()) {
      RETURN_IF_ERROR(WriteList(*sources, extractor, num_threads, sink.get(), counts));
    } else {
      ++counts->failed;
      ReportError(1, sources.status().message());
    }
  }
  return counts->written > 0 ? sink->Close() : absl::OkStatus();
}

}  // namespace

absl::Status RunFeatures(const FeaturesRunOptions& options) {
  ASSIGN_OR_RETURN(const FeatureConfig config, LoadConfig(options));
  ASSIGN_OR_RETURN(const FeatureExtractor extractor, FeatureExtractor::Create(config));
  const int num_threads = options.threads > 0 ? options.threads : AvailableCpus();
  const bool parts =
      options.inputs.size() == 1 && !KaldiFolder(options.out).empty() && LooksLikeCorpus(UserPath(options.inputs[0]));
  Counts counts;
  RETURN_IF_ERROR(parts ? WriteParts(options, extractor, num_threads, &counts)
                        : WriteInputs(options, extractor, num_threads, &counts));
  return Summary(counts);
}

}  // namespace earshot
