#include "data/corpus_sources.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/read_error.h"
#include "data/file_dataset.h"

namespace earshot {
namespace {

constexpr size_t kMaxHeldOut = 100;

}  // namespace

Corpus OpenSources(CorpusSources sources) {
  Corpus corpus;
  corpus.kind = std::move(sources.kind);
  corpus.train = std::make_unique<FileDataset>(std::move(sources.train));
  corpus.dev = std::make_unique<FileDataset>(std::move(sources.dev));
  corpus.test = std::make_unique<FileDataset>(std::move(sources.test));
  corpus.warnings = std::move(sources.warnings);
  return corpus;
}

absl::StatusOr<Corpus> OpenSources(absl::StatusOr<CorpusSources> sources) {
  if (!sources.ok()) return sources.status();
  return OpenSources(*std::move(sources));
}

void SortSources(std::vector<UtteranceSource>* sources) {
  std::sort(sources->begin(), sources->end(), [](const UtteranceSource& a, const UtteranceSource& b) {
    return std::tie(a.speaker, a.id) < std::tie(b.speaker, b.id);
  });
}

absl::Status HoldOutDev(absl::string_view name, CorpusSources* corpus) {
  std::vector<UtteranceSource>& train = corpus->train;
  const size_t count = std::min(kMaxHeldOut, train.size() / 10);
  if (count == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, ": expected a dev set, or at least 10 training utterances to take it from, found ", train.size()));
  }
  corpus->dev.assign(std::make_move_iterator(train.begin()), std::make_move_iterator(train.begin() + count));
  train.erase(train.begin(), train.begin() + count);
  return absl::OkStatus();
}

absl::Status CheckPartsApart(absl::string_view name, const CorpusSources& corpus) {
  std::vector<absl::string_view> ids;
  for (const auto* part : {&corpus.train, &corpus.dev, &corpus.test}) {
    for (const UtteranceSource& source : *part) ids.push_back(source.id);
  }
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice == ids.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": expected each utterance in one part, found ", Quoted(*twice), " in two"));
}

}  // namespace earshot
