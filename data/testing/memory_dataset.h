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

// An utterance without a waveform and without features cannot be read.
class MemoryDataset : public Dataset {
 public:
  explicit MemoryDataset(std::vector<Utterance> utterances) : utterances_(std::move(utterances)) {}
  int64_t size() const override { return static_cast<int64_t>(utterances_.size()); }
  Utterance Describe(int64_t i) const override {
    Utterance utterance = utterances_[i];
    utterance.waveform.clear();
    utterance.features.clear();
    utterance.feature_dims = 0;
    return utterance;
  }
  absl::StatusOr<Utterance> Get(int64_t i) const override {
    const Utterance& utterance = utterances_[i];
    if (utterance.waveform.empty() && utterance.feature_dims == 0) {
      return absl::DataLossError(utterance.id + ": no waveform");
    }
    return utterance;
  }

 private:
  const std::vector<Utterance> utterances_;
};

}  // namespace earshot

#endif  // EARSHOT_DATA_TESTING_MEMORY_DATASET_H_
