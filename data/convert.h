// What //data:convert does: lists of utterances of any kind into any kind.
#ifndef EARSHOT_DATA_CONVERT_H_
#define EARSHOT_DATA_CONVERT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace earshot {

struct ConvertOptions {
  std::string to;  // one of ListKinds
  // A corpus (data/corpus.h: a folder of AN4, FSDD, Kaldi data directories or manifests), whose parts become those of
  // the output; or one list: a Kaldi data directory or a manifest.
  std::string input;
  // Of a corpus: a folder, with train, dev and test in it as Kaldi data directories, or as train.jsonl (nemo),
  // train.tsv, recordings_train.jsonl.gz and supervisions_train.jsonl.gz (lhotse), cuts_train.jsonl.gz (lhotse-cuts)
  // ... Of one list: a Kaldi data directory, or a file, packed if its name ends in ".gz"; for lhotse the supervisions
  // or the recordings, with that word in the name.
  std::string output;
  bool allow_commands = false;  // take over shell commands; none is run here
};

struct ConvertedList {
  std::string path;  // of what was written
  int64_t utterances = 0;
};

struct Conversion {
  std::string from;  // the input's kind
  std::vector<ConvertedList> lists;
  std::vector<std::string> warnings;  // one line each
};

absl::Span<const char* const> ListKinds();  // "kaldi", "nemo", "lhotse", "lhotse-cuts", "tsv"

// Nothing is overwritten: AlreadyExists, before anything is written, when one of the outputs is there. After an error
// none of the lists is left. Relative paths are the caller's (UserPath).
absl::StatusOr<Conversion> Convert(const ConvertOptions& options);

}  // namespace earshot

#endif  // EARSHOT_DATA_CONVERT_H_
