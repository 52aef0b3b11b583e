// Batches of random features for the tests of //asr.
#ifndef EARSHOT_ASR_TESTING_BATCHES_H_
#define EARSHOT_ASR_TESTING_BATCHES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/batch.h"

namespace earshot {

// Utterances "utt-0", "utt-1", ... of these lengths (longest first) and labels; features are N(0, 1), a function of
// `position`.
inline Batch RandomBatch(const std::vector<int32_t>& lengths, int dimensions,
                         const std::vector<std::vector<int32_t>>& labels, uint64_t position) {
  Batch batch;
  batch.packing = Packing::CreateOrDie(lengths);
  batch.features.Resize({batch.packing.rows(), dimensions});
  RandomStream random(1, RandomPurpose::kTest, position);
  for (float& x : batch.features.span()) x = random.Normal();
  for (size_t b = 0; b < lengths.size(); ++b) {
    batch.labels.AddRow(labels[b]);
    batch.ids.push_back("utt-" + std::to_string(b));
  }
  return batch;
}

}  // namespace earshot

#endif  // EARSHOT_ASR_TESTING_BATCHES_H_
