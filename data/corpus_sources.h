// A corpus in files as three lists, and what its readers share. The recordings are opened on demand.
#ifndef EARSHOT_DATA_CORPUS_SOURCES_H_
#define EARSHOT_DATA_CORPUS_SOURCES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/dataset.h"
#include "data/utterance_source.h"

namespace earshot {

struct CorpusSources {
  std::string kind;  // "an4", "fsdd", "kaldi", ...
  std::vector<UtteranceSource> train, dev, test;
  std::vector<std::string> warnings;  // one line each: what was odd, where, and what was made of it
};

Corpus OpenSources(CorpusSources sources);
absl::StatusOr<Corpus> OpenSources(absl::StatusOr<CorpusSources> sources);  // or the error

// By speaker, then id: the same for a corpus however its lists are kept.
void SortSources(std::vector<UtteranceSource>* sources);

// For a corpus without a dev set: moves the first tenth of corpus->train, at most 100 utterances, into corpus->dev.
// InvalidArgument, with `name` in front, for fewer than 10 utterances.
absl::Status HoldOutDev(absl::string_view name, CorpusSources* corpus);

// InvalidArgument, with `name` in front, when an utterance is in two parts.
absl::Status CheckPartsApart(absl::string_view name, const CorpusSources& corpus);

}  // namespace earshot

#endif  // EARSHOT_DATA_CORPUS_SOURCES_H_
