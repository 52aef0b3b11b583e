// A corpus part in memory, for tests.
#ifndef EARSHOT_DATA_TESTING_MEMORY_DATASET_H_
#define EARSHOT_DATA_TESTING_MEMORY_DATASET_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "data/dataset.h"

namespace earshot {

class MemoryDataset : public Dataset {
 public:
  explicit MemoryDataset(std::vector<Utterance> utterances) : utterances_(std::move(utterances)) {}
  int64_t size() const override { return static_cast<int64_t>(utterances_.size()); }
  absl::StatusOr<Utterance> Get(int64_t i) const override { return utterances_[i]; }

 private:
  const std::vector<Utterance> utterances_;
};

}  // namespace earshot

#endif  // EARSHOT_DATA_TESTING_MEMORY_DATASET_H_
