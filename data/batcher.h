// Cuts the examples of an epoch into batches of similar length. What step s of epoch e holds is a pure function of
// (seed, e, s), so a resumed run only needs its position.
#ifndef EARSHOT_DATA_BATCHER_H_
#define EARSHOT_DATA_BATCHER_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/augment.h"
#include "data/batch.h"
#include "data/data.pb.h"
#include "data/example_store.h"

namespace earshot {

// InvalidArgument names the field and its value.
absl::Status ValidateBatchConfig(const BatchConfig& config);

struct BatcherOptions {
  BatchConfig batch;
  uint64_t seed = 1;
  // Training: every epoch is another permutation of all utterances, augmented anew. Evaluation (false): longest first,
  // the first version of the features, nothing drawn, every epoch the same.
  bool training = false;
  AugmentConfig augment;             // `speed` must have as many entries as the store has versions (or none for one)
  FeatureLayout layout;              // needed for augment
  std::vector<float> statics_scale;  // [layout.block()], needed for augment's gain and equaliser: see augment.h
};

class Batcher {
 public:
  // `store` must outlive the batcher. InvalidArgument for an empty store or options outside their range.
  static absl::StatusOr<std::unique_ptr<Batcher>> Create(const ExampleStore* store, BatcherOptions options);

  // A batch holds at most max_utterances utterances and at most max_frames *real* frames: batches are packed, so real
  // frames are what memory and time grow with (for a padded layout it would be utterances x longest). An utterance
  // longer than max_frames is a batch of its own. Which utterances share a batch may differ between epochs, and with
  // it the number of steps.
  int64_t StepsInEpoch(int64_t epoch) const;

  // Fills `batch`; reuses its memory. OutOfRange past the end of the epoch. Thread-safe and free of side effects.
  absl::Status Get(int64_t epoch, int64_t step, Batch* batch) const;

 private:
  struct Item {
    int64_t index;  // into the store
    int version;
    int64_t frames;
  };
  struct Plan {
    int64_t epoch;
    std::vector<std::vector<Item>> batches;
  };

  Batcher(const ExampleStore* store, BatcherOptions options) : store_(store), options_(std::move(options)) {}
  std::shared_ptr<const Plan> GetPlan(int64_t epoch) const;
  Plan MakePlan(int64_t epoch) const;
  // Sorts items[begin, end) by length and appends them as batches.
  void CutWindow(std::vector<Item>* items, size_t begin, size_t end, Plan* plan) const;
  void AugmentRows(int64_t epoch, const Item& item, TensorView<float, 2> features) const;

  const ExampleStore* store_;
  BatcherOptions options_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Plan> plans_[2];  // of the last even and odd epoch
};

}  // namespace earshot

#endif  // EARSHOT_DATA_BATCHER_H_
