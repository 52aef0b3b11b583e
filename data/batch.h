// A batch of utterances in the packed layout of base/packing.h.
#ifndef EARSHOT_DATA_BATCH_H_
#define EARSHOT_DATA_BATCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/packing.h"
#include "base/ragged.h"
#include "base/tensor.h"

namespace earshot {

struct Batch {
  Packing packing;               // longest utterance first
  Tensor<float, 2> features;     // [N, dimensions]
  Ragged<int32_t> labels;        // one row an utterance
  std::vector<std::string> ids;  // [B]
};

}  // namespace earshot

#endif  // EARSHOT_DATA_BATCH_H_
