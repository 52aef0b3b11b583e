#include "data/kaldi_corpus.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/file_dataset.h"

namespace earshot {
namespace {

constexpr size_t kMaxHeldOut = 100;

using Sources = std::vector<UtteranceSource>;

absl::StatusOr<Sources> ReadPart(const std::string& folder, const KaldiOptions& options,
                                 std::vector<std::string>* warnings) {
  if (!IsRegularFile(absl::StrCat(folder, "/text"))) {
    return absl::NotFoundError(absl::StrCat(folder, "/text: no such file; it has the words of the utterances"));
  }
  ASSIGN_OR_RETURN(KaldiDirectory directory, ReadKaldiDirectory(folder, options));
  if (warnings != nullptr)
    std::move(directory.warnings.begin(), directory.warnings.end(), std::back_inserter(*warnings));
  std::sort(directory.utterances.begin(), directory.utterances.end(),
            [](const UtteranceSource& a, const UtteranceSource& b) {
              return std::tie(a.speaker, a.id) < std::tie(b.speaker, b.id);
            });
  return std::move(directory.utterances);
}

// The first tenth of `train`, which is taken off it.
absl::StatusOr<Sources> HoldOut(const std::string& folder, Sources* train) {
  const size_t count = std::min(kMaxHeldOut, train->size() / 10);
  if (count == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(folder, ": expected a folder dev, or at least 10 utterances in train,", " found ", train->size()));
  }
  Sources dev(std::make_move_iterator(train->begin()), std::make_move_iterator(train->begin() + count));
  train->erase(train->begin(), train->begin() + count);
  return dev;
}

absl::Status CheckApart(const std::string& folder, const std::vector<const Sources*>& parts) {
  std::vector<absl::string_view> ids;
  for (const Sources* part : parts) {
    for (const UtteranceSource& source : *part) ids.push_back(source.id);
  }
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice == ids.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(folder, ": expected each utterance in one part, found ", Quoted(*twice), " in two"));
}

}  // namespace

absl::StatusOr<Corpus> OpenKaldi(const std::string& folder, const KaldiOptions& options,
                                 std::vector<std::string>* warnings) {
  const auto inner = [&folder](const char* name) { return absl::StrCat(folder, "/", name); };
  ASSIGN_OR_RETURN(Sources train, ReadPart(inner("train"), options, warnings));
  ASSIGN_OR_RETURN(Sources test, ReadPart(inner("test"), options, warnings));
  Sources dev;
  for (const char* name : {"dev", "valid", "validation", "train_dev"}) {
    if (!dev.empty() || !LooksLikeKaldiDirectory(inner(name))) continue;
    ASSIGN_OR_RETURN(dev, ReadPart(inner(name), options, warnings));
  }
  if (dev.empty()) {
    ASSIGN_OR_RETURN(dev, HoldOut(folder, &train));
  }
  RETURN_IF_ERROR(CheckApart(folder, {&train, &dev, &test}));
  Corpus corpus;
  corpus.kind = "kaldi";
  corpus.train = std::make_unique<FileDataset>(std::move(train));
  corpus.dev = std::make_unique<FileDataset>(std::move(dev));
  corpus.test = std::make_unique<FileDataset>(std::move(test));
  return corpus;
}

bool LooksLikeKaldiCorpus(const std::string& folder) { return LooksLikeKaldiDirectory(absl::StrCat(folder, "/train")); }

}  // namespace earshot
