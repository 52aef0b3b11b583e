// How the utterances of a batch lie in packed tensors [N, *]: time-major, only real frames, longest utterance first
// (the layout of PyTorch's PackedSequence and of cuDNN's packed sequences).
#ifndef EARSHOT_BASE_PACKING_H_
#define EARSHOT_BASE_PACKING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace earshot {

class Packing {
 public:
  Packing() = default;  // no utterances
  // `lengths` [B] in frames, each at least 1, none longer than the one before it; InvalidArgument otherwise.
  static absl::StatusOr<Packing> Create(absl::Span<const int32_t> lengths);
  // The same, for lengths that the program itself made: a wrong one is a CHECK failure.
  static Packing CreateOrDie(absl::Span<const int32_t> lengths);

  int batch() const { return static_cast<int>(lengths_.size()); }      // B
  int steps() const { return static_cast<int>(batch_sizes_.size()); }  // T, the longest utterance
  int64_t rows() const { return rows_; }                               // N, the sum of the lengths
  const std::vector<int32_t>& lengths() const { return lengths_; }          // [B]
  const std::vector<int32_t>& batch_sizes() const { return batch_sizes_; }  // [T] utterances alive at step t
  const std::vector<int64_t>& offsets() const { return offsets_; }          // [T] first row of step t

  // Row of frame t of utterance b; b < batch_sizes()[t].
  int64_t row(int t, int b) const { return offsets_[t] + b; }
  // Row of the frame that a right-to-left recurrence reads at its step s: it starts at each utterance's own last frame.
  int64_t reversed_row(int s, int b) const { return row(lengths_[b] - 1 - s, b); }

 private:
  std::vector<int32_t> lengths_;
  std::vector<int32_t> batch_sizes_;
  std::vector<int64_t> offsets_;
  int64_t rows_ = 0;
};

}  // namespace earshot

#endif  // EARSHOT_BASE_PACKING_H_
