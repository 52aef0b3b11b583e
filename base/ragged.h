// A list of lists of different lengths in two flat vectors: the labels of a batch.
#ifndef EARSHOT_BASE_RAGGED_H_
#define EARSHOT_BASE_RAGGED_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace earshot {

template <typename T>
class Ragged {
 public:
  int rows() const { return static_cast<int>(offsets_.size()) - 1; }
  absl::Span<const T> row(int i) const {
    return absl::MakeConstSpan(values_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  absl::Span<const T> values() const { return values_; }

  void AddRow(absl::Span<const T> row) {
    values_.insert(values_.end(), row.begin(), row.end());
    offsets_.push_back(static_cast<int64_t>(values_.size()));
  }
  void Clear() {  // keeps the memory
    values_.clear();
    offsets_.resize(1);
  }

 private:
  std::vector<T> values_;
  std::vector<int64_t> offsets_ = {0};
};

}  // namespace earshot

#endif  // EARSHOT_BASE_RAGGED_H_
