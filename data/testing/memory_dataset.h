// A corpus part in memory, for tests.
#ifndef EARSHOT_DATA_TESTING_MEMORY_DATASET_H_
#define EARSHOT_DATA_TESTING_MEMORY_DATASET_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/dataset.h"

namespace earshot {

// An utterance without a waveform cannot be read.
class MemoryDataset : public Dataset {
 public:
  explicit MemoryDataset(std::vector<Utterance> utterances) : utterances_(std::move(utterances)) {}
  int64_t size() const override { return static_cast<int64_t>(utterances_.size()); }
  Utterance Describe(int64_t i) const override {
    Utterance utterance = utterances_[i];
    utterance.waveform.clear();
    return utterance;
  }
  absl::StatusOr<Utterance> Get(int64_t i) const override {
    if (utterances_[i].waveform.empty()) return absl::DataLossError(utterances_[i].id + ": no waveform");
    return utterances_[i];
  }

 private:
  const std::vector<Utterance> utterances_;
};

}  // namespace earshot

#endif  // EARSHOT_DATA_TESTING_MEMORY_DATASET_H_
