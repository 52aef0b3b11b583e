#include "bench/assemble.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"
#include "bench/bench_config.h"
#include "bench/stats.h"
#include "data/batcher.h"
#include "data/example_store.h"

namespace earshot {
namespace {

// The batch's utterances as the trainer keeps them.
ExampleStore Utterances(const BenchConfig& config) {
  const Batch batch = MakeBatch(config);
  const int64_t width = batch.features.dim(1);
  ExampleStore store(static_cast<int>(width));
  for (int b = 0; b < batch.packing.batch(); ++b) {
    const int frames = batch.packing.lengths()[b];
    std::vector<Tensor<float, 2>> features(1);
    features[0].Resize({frames, width});
    for (int t = 0; t < frames; ++t) {
      const auto row = batch.features.view().row(batch.packing.row(t, b));
      std::copy(row.begin(), row.end(), features[0].view().row(t).begin());
    }
    const auto labels = batch.labels.row(b);
    store.Add(batch.ids[b], std::vector<int32_t>(labels.begin(), labels.end()), std::move(features));
  }
  return store;
}

}  // namespace

double AssembleSeconds(const BenchConfig& config) {
  constexpr int kTimes = 7;
  const ExampleStore store = Utterances(config);
  BatcherOptions options;
  options.batch.set_max_utterances(config.batch().utterances());
  options.batch.set_max_frames(static_cast<int>(ValidFrames(config.batch())));
  const auto batcher = Batcher::Create(&store, options);
  CHECK(batcher.ok()) << batcher.status().ToString();
  CHECK_EQ((*batcher)->StepsInEpoch(0), 1);
  Batch batch;
  std::vector<double> seconds;
  for (int i = 0; i < kTimes; ++i) {
    const auto start = std::chrono::steady_clock::now();
    CHECK((*batcher)->Get(0, 0, &batch).ok());
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return Quantile(seconds, 0.5);
}

}  // namespace earshot
