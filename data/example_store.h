// The examples of one part of a corpus, in memory, as the batcher draws from them.
#ifndef EARSHOT_DATA_EXAMPLE_STORE_H_
#define EARSHOT_DATA_EXAMPLE_STORE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/check.h"
#include "base/tensor.h"

namespace earshot {

// Every utterance has the same number of versions of its features, for instance one a speed.
class ExampleStore {
 public:
  explicit ExampleStore(int dimensions = 0, int num_versions = 1)
      : dimensions_(dimensions), num_versions_(num_versions) {}

  int64_t size() const { return static_cast<int64_t>(items_.size()); }
  int dimensions() const { return dimensions_; }
  int num_versions() const { return num_versions_; }

  const std::string& id(int64_t i) const { return items_[i].id; }
  absl::Span<const int32_t> labels(int64_t i) const { return items_[i].labels; }
  int64_t frames(int64_t i, int version = 0) const { return items_[i].versions[version].dim(0); }  // at least 1
  // [frames, dimensions]
  TensorView<const float, 2> features(int64_t i, int version = 0) const { return items_[i].versions[version].view(); }
  TensorView<float, 2> mutable_features(int64_t i, int version) { return items_[i].versions[version].view(); }

  // Appends an utterance: `versions` [num_versions] of [frames >= 1, dimensions].
  void Add(std::string id, std::vector<int32_t> labels, std::vector<Tensor<float, 2>> versions) {
    CHECK_EQ(static_cast<int>(versions.size()), num_versions_);
    for (const Tensor<float, 2>& features : versions) {
      CHECK_EQ(features.dim(1), dimensions_) << id;
      CHECK_GE(features.dim(0), 1) << id;
    }
    items_.push_back({std::move(id), std::move(labels), std::move(versions)});
  }

 private:
  struct Item {
    std::string id;
    std::vector<int32_t> labels;
    std::vector<Tensor<float, 2>> versions;
  };

  int dimensions_;
  int num_versions_;
  std::vector<Item> items_;
};

}  // namespace earshot

#endif  // EARSHOT_DATA_EXAMPLE_STORE_H_
