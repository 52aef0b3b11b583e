// A corpus: a list of utterances whose audio is read on demand.
#ifndef EARSHOT_DATA_DATASET_H_
#define EARSHOT_DATA_DATASET_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/utterance.h"

namespace earshot {

class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual int64_t size() const = 0;
  // What is known of an utterance without its audio: id, speaker and text.
  virtual Utterance Describe(int64_t i) const = 0;
  // The whole of it. Thread-safe. Errors name the file.
  virtual absl::StatusOr<Utterance> Get(int64_t i) const = 0;
};

// The three parts of a corpus. No utterance is in two of them.
struct Corpus {
  std::string kind;  // "fsdd", "an4", "spoken_digits", ...
  std::unique_ptr<Dataset> train, dev, test;
  std::vector<std::string> warnings;  // one line each: what was odd, where, and what was made of it
};

}  // namespace earshot

#endif  // EARSHOT_DATA_DATASET_H_
