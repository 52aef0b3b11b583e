#include "base/packing.h"

#include "absl/strings/str_cat.h"
#include "base/check.h"

namespace earshot {

absl::StatusOr<Packing> Packing::Create(absl::Span<const int32_t> lengths) {
  Packing p;
  p.lengths_.assign(lengths.begin(), lengths.end());
  for (size_t b = 0; b < lengths.size(); ++b) {
    if (lengths[b] < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("utterance ", b, " of the batch: length ", lengths[b], ", expected at least 1 frame"));
    }
    if (b > 0 && lengths[b] > lengths[b - 1]) {
      return absl::InvalidArgumentError(absl::StrCat("utterance ", b, " of the batch: length ", lengths[b],
                                                     " after length ", lengths[b - 1], ", expected longest first"));
    }
  }
  if (lengths.empty()) return p;
  const int steps = lengths[0];
  p.batch_sizes_.resize(steps);
  p.offsets_.resize(steps);
  int alive = static_cast<int>(lengths.size());
  for (int t = 0; t < steps; ++t) {
    while (lengths[alive - 1] <= t) --alive;
    p.batch_sizes_[t] = alive;
    p.offsets_[t] = p.rows_;
    p.rows_ += alive;
  }
  return p;
}

Packing Packing::CreateOrDie(absl::Span<const int32_t> lengths) {
  absl::StatusOr<Packing> packing = Create(lengths);
  CHECK(packing.ok()) << packing.status();
  return *std::move(packing);
}

}  // namespace earshot
