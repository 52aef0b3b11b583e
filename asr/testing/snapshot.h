// Everything that an update changes, for tests that it did, or did not.
#ifndef EARSHOT_ASR_TESTING_SNAPSHOT_H_
#define EARSHOT_ASR_TESTING_SNAPSHOT_H_

#include <cstdint>
#include <vector>

#include "asr/train_step.h"
#include "base/testing/near.h"

namespace earshot {

struct Snapshot {
  explicit Snapshot(TrainStep* step)
      : params(step->model().params().begin(), step->model().params().end()), updates(step->optimizer().updates()) {
    for (const Optimizer::NamedState& s : step->optimizer().state()) {
      state.insert(state.end(), s.values.begin(), s.values.end());
    }
  }
  std::vector<float> params, state;
  int64_t updates;
};

inline testing::AssertionResult SameBits(const Snapshot& actual, const Snapshot& expected) {
  if (actual.updates != expected.updates) {
    return testing::AssertionFailure() << actual.updates << " updates, expected " << expected.updates;
  }
  const testing::AssertionResult params = SameBits(actual.params, expected.params);
  return params ? SameBits(actual.state, expected.state) : params;
}

}  // namespace earshot

#endif  // EARSHOT_ASR_TESTING_SNAPSHOT_H_
