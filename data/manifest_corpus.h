// A corpus as a folder with a manifest for each of its parts.
#ifndef EARSHOT_DATA_MANIFEST_CORPUS_H_
#define EARSHOT_DATA_MANIFEST_CORPUS_H_

#include <string>

#include "absl/status/statusor.h"
#include "data/corpus_sources.h"
#include "data/manifest.h"

namespace earshot {

// The folder holds manifests (data/manifest.h) whose names say the part: one of the words train; dev, valid, validation
// or val; test, between characters of "-_." and the ends of the name ("an4_train_manifest.json", "cuts_dev.jsonl.gz",
// "test.tsv"). All other files are ignored, and so are files that are no manifests. Lhotse's recordings and
// supervisions of a part are one manifest. All parts are of one kind, which is CorpusSources::kind: "nemo", "lhotse" or
// "tsv". train and test must be there; without dev it is held out of train (HoldOutDev). The utterances of a part are
// in the order of SortSources. InvalidArgument: two manifests for one part, a name with the words of two parts (both
// list what there is), kinds that differ, an utterance in two parts. Where a manifest gives no ids, one that an earlier
// part has too gets "-2" ... .
absl::StatusOr<CorpusSources> ListManifests(const std::string& folder, const ManifestOptions& options = {});

// True for a folder with a manifest whose name has the word train.
bool LooksLikeManifests(const std::string& folder);

}  // namespace earshot

#endif  // EARSHOT_DATA_MANIFEST_CORPUS_H_
