#include "data/batcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/textproto.h"

namespace earshot {
namespace {

using ::testing::HasSubstr;

// Utterance i is named "u<i>", has the label i, and the value 1000 * i + 100 * version + t in frame t.
ExampleStore MakeStore(const std::vector<int>& lengths, int versions = 1, int dimensions = 3) {
  ExampleStore store(dimensions, versions);
  for (size_t i = 0; i < lengths.size(); ++i) {
    std::vector<Tensor<float, 2>> features;
    for (int v = 0; v < versions; ++v) {
      Tensor<float, 2> x({lengths[i] + v, dimensions});
      for (int64_t t = 0; t < x.dim(0); ++t) {
        for (float& value : x.view().row(t)) value = 1000.0f * i + 100 * v + t;
      }
      features.push_back(std::move(x));
    }
    store.Add("u" + std::to_string(i), {static_cast<int32_t>(i)}, std::move(features));
  }
  return store;
}

std::vector<int> SomeLengths(int n) {
  std::vector<int> lengths;
  for (int i = 0; i < n; ++i) lengths.push_back(5 + (i * 37) % 41);
  return lengths;
}

BatcherOptions Training(int max_frames, int max_utterances, uint64_t seed = 1) {
  BatcherOptions options;
  options.training = true;
  options.seed = seed;
  options.batch.set_max_frames(max_frames);
  options.batch.set_max_utterances(max_utterances);
  options.batch.set_bucket_batches(3);
  return options;
}

std::vector<std::string> Order(const Batcher& batcher, int64_t epoch) {
  std::vector<std::string> ids;
  Batch batch;
  for (int64_t step = 0; step < batcher.StepsInEpoch(epoch); ++step) {
    EXPECT_TRUE(batcher.Get(epoch, step, &batch).ok());
    ids.insert(ids.end(), batch.ids.begin(), batch.ids.end());
  }
  return ids;
}

TEST(Batcher, EveryEpochIsAnotherPermutation) {
  const ExampleStore store = MakeStore(SomeLengths(17));
  const auto batcher = Batcher::Create(&store, Training(90, 4, 5)).value();
  std::set<std::vector<std::string>> orders;
  for (int epoch = 0; epoch < 3; ++epoch) {
    const std::vector<std::string> order = Order(*batcher, epoch);
    EXPECT_EQ(order.size(), 17u);
    EXPECT_EQ(std::set<std::string>(order.begin(), order.end()).size(), 17u);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 3u);
  const auto other_seed = Batcher::Create(&store, Training(90, 4, 6)).value();
  EXPECT_NE(Order(*other_seed, 0), Order(*batcher, 0));
  const auto same = Batcher::Create(&store, Training(90, 4, 5)).value();
  EXPECT_EQ(Order(*same, 2), Order(*batcher, 2));  // without having seen epochs 0 and 1
}

TEST(Batcher, BatchesAreBoundedByRealFramesAndUtterances) {
  std::vector<int> lengths = SomeLengths(60);
  lengths.push_back(200);  // longer than max_frames
  const ExampleStore store = MakeStore(lengths);
  const auto batcher = Batcher::Create(&store, Training(100, 4)).value();
  Batch batch;
  int alone = 0;
  int64_t total = 0;
  for (int64_t step = 0; step < batcher->StepsInEpoch(0); ++step) {
    ASSERT_TRUE(batcher->Get(0, step, &batch).ok());
    EXPECT_LE(batch.packing.batch(), 4);
    if (batch.packing.rows() > 100) {
      EXPECT_EQ(batch.packing.batch(), 1);
      ++alone;
    }
    total += batch.packing.rows();
  }
  EXPECT_EQ(alone, 1);
  EXPECT_EQ(total, std::accumulate(lengths.begin(), lengths.end(), 0));
}

TEST(Batcher, TheCostOfABatchIsItsRealFrames) {
  // Seven utterances, limit 300 frames: packed, 114 + 110 fits beside nothing longer than 76.
  const ExampleStore store = MakeStore({114, 73, 74, 75, 80, 90, 110});
  BatcherOptions options = Training(300, 64);
  options.training = false;
  const auto batcher = Batcher::Create(&store, options).value();
  Batch batch;
  ASSERT_TRUE(batcher->Get(0, 0, &batch).ok());
  EXPECT_EQ(batch.packing.lengths(), (std::vector<int32_t>{114, 110}));  // + 90 would be 314
  ASSERT_TRUE(batcher->Get(0, 1, &batch).ok());
  EXPECT_EQ(batch.packing.lengths(), (std::vector<int32_t>{90, 80, 75}));  // + 74 would be 319
  EXPECT_EQ(batcher->StepsInEpoch(0), 3);
}

TEST(Batcher, RowsAndLabelsAreTheUtterancesOwn) {
  const std::vector<int> lengths = SomeLengths(20);
  const ExampleStore store = MakeStore(lengths);
  const auto batcher = Batcher::Create(&store, Training(150, 8)).value();
  Batch batch;  // reused: shrinking and growing must not leave old content
  for (int64_t step = 0; step < batcher->StepsInEpoch(0); ++step) {
    ASSERT_TRUE(batcher->Get(0, step, &batch).ok());
    ASSERT_EQ(batch.features.dim(0), batch.packing.rows());
    ASSERT_EQ(batch.labels.rows(), batch.packing.batch());
    for (int b = 0; b < batch.packing.batch(); ++b) {
      const int i = std::stoi(batch.ids[b].substr(1));
      EXPECT_EQ(batch.packing.lengths()[b], lengths[i]);
      ASSERT_EQ(batch.labels.row(b).size(), 1u);
      EXPECT_EQ(batch.labels.row(b)[0], i);
      for (int t = 0; t < lengths[i]; ++t) {
        for (const float x : batch.features.view().row(batch.packing.row(t, b))) EXPECT_EQ(x, 1000.0f * i + t);
      }
    }
  }
}

TEST(Batcher, AResumedRunContinuesExactly) {
  const ExampleStore store = MakeStore(SomeLengths(30), 3);
  BatcherOptions options = Training(120, 5);
  for (const float speed : {1.0f, 0.9f, 1.1f}) options.augment.add_speed(speed);
  options.augment.set_noise_deviation(0.5);
  options.layout = {1, false, 3};
  const auto whole = Batcher::Create(&store, options).value();
  std::vector<std::vector<float>> seen;
  Batch batch;
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (int64_t step = 0; step < whole->StepsInEpoch(epoch); ++step) {
      ASSERT_TRUE(whole->Get(epoch, step, &batch).ok());
      seen.emplace_back(batch.features.span().begin(), batch.features.span().end());
    }
  }
  const int64_t first_epoch = whole->StepsInEpoch(0);
  for (int64_t cut = 0; cut < static_cast<int64_t>(seen.size()); ++cut) {
    const auto resumed = Batcher::Create(&store, options).value();
    ASSERT_TRUE(resumed->Get(cut < first_epoch ? 0 : 1, cut < first_epoch ? cut : cut - first_epoch, &batch).ok());
    EXPECT_EQ(std::vector<float>(batch.features.span().begin(), batch.features.span().end()), seen[cut]);
  }
}

TEST(Batcher, EveryAugmentationReachesTheBatchAlone) {
  const ExampleStore store = MakeStore({40});
  for (const char* text : {"gain_deviation: 1", "equalizer_deviation: 1", "noise_deviation: 1", "max_band_mask: 3",
                           "max_time_mask: 0.9"}) {
    BatcherOptions options = Training(100, 4);
    ASSERT_TRUE(ParseTextproto(text, "test", &options.augment).ok());
    options.layout = {1, false, 3};
    options.statics_scale = {1, 1, 1};
    const auto batcher = Batcher::Create(&store, options).value();
    Batch batch;
    bool changed = false;
    for (int epoch = 0; epoch < 8; ++epoch) {  // a mask may be empty
      ASSERT_TRUE(batcher->Get(epoch, 0, &batch).ok());
      changed |= batch.features.span() != store.features(0).span();
    }
    EXPECT_TRUE(changed) << text;
  }
}

TEST(Batcher, SpeedsAreDrawnAnewEveryEpoch) {
  const ExampleStore store = MakeStore(std::vector<int>(300, 10), 3);
  BatcherOptions options = Training(400, 64);
  for (const float speed : {1.0f, 0.9f, 1.1f}) options.augment.add_speed(speed);
  const auto batcher = Batcher::Create(&store, options).value();
  std::map<int, int> count;
  int changed = 0;
  std::map<std::string, int> before;
  Batch batch;
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (int64_t step = 0; step < batcher->StepsInEpoch(epoch); ++step) {
      ASSERT_TRUE(batcher->Get(epoch, step, &batch).ok());
      for (int b = 0; b < batch.packing.batch(); ++b) {
        const int version = batch.packing.lengths()[b] - 10;
        ++count[version];
        if (epoch == 0) before[batch.ids[b]] = version;
        if (epoch == 1 && before[batch.ids[b]] != version) ++changed;
      }
    }
  }
  for (int version = 0; version < 3; ++version) EXPECT_NEAR(count[version], 200, 50);
  EXPECT_NEAR(changed, 200, 40);  // two thirds of 300
}

TEST(Batcher, EvaluationIsLongestFirstAndUnchanged) {
  const ExampleStore store = MakeStore(SomeLengths(25), 3);
  BatcherOptions options = Training(150, 8);
  for (const float speed : {1.0f, 0.9f, 1.1f}) options.augment.add_speed(speed);
  options.augment.set_noise_deviation(1);
  options.layout = {1, false, 3};
  options.training = false;
  const auto batcher = Batcher::Create(&store, options).value();
  EXPECT_EQ(Order(*batcher, 0), Order(*batcher, 7));
  Batch batch;
  int32_t previous = 1000;
  for (int64_t step = 0; step < batcher->StepsInEpoch(0); ++step) {
    ASSERT_TRUE(batcher->Get(0, step, &batch).ok());
    for (int b = 0; b < batch.packing.batch(); ++b) {
      EXPECT_LE(batch.packing.lengths()[b], previous);
      previous = batch.packing.lengths()[b];
      EXPECT_EQ(batch.features.view()(b, 0), 1000.0f * batch.labels.row(b)[0]);
    }
  }
}

TEST(Batcher, LengthsWithinABatchAreSimilar) {
  const ExampleStore store = MakeStore(SomeLengths(400));
  BatcherOptions options = Training(400, 16);
  options.batch.set_bucket_batches(20);
  const auto batcher = Batcher::Create(&store, options).value();
  Batch batch;
  int64_t padded = 0, real = 0;
  for (int64_t step = 0; step < batcher->StepsInEpoch(0); ++step) {
    ASSERT_TRUE(batcher->Get(0, step, &batch).ok());
    padded += int64_t{batch.packing.batch()} * batch.packing.steps();
    real += batch.packing.rows();
  }
  EXPECT_LT(padded, real * 1.1);
}

TEST(Batcher, ThreadsGetTheSameBatches) {
  const ExampleStore store = MakeStore(SomeLengths(50));
  BatcherOptions options = Training(100, 8);
  options.augment.set_noise_deviation(0.1);
  options.layout = {1, false, 3};
  const auto batcher = Batcher::Create(&store, options).value();
  const auto sum = [&](int64_t epoch) {
    double total = 0;
    Batch batch;
    for (int64_t step = 0; step < batcher->StepsInEpoch(epoch); ++step) {
      EXPECT_TRUE(batcher->Get(epoch, step, &batch).ok());
      for (const float x : batch.features.span()) total += x;
    }
    return total;
  };
  double expected[4], found[4];
  for (int epoch = 0; epoch < 4; ++epoch) expected[epoch] = sum(epoch);
  std::vector<std::thread> threads;
  for (int epoch = 0; epoch < 4; ++epoch) threads.emplace_back([&, epoch] { found[epoch] = sum(epoch); });
  for (std::thread& thread : threads) thread.join();
  for (int epoch = 0; epoch < 4; ++epoch) EXPECT_EQ(found[epoch], expected[epoch]);
}

TEST(Batcher, WrongOptionsNameTheField) {
  const ExampleStore store = MakeStore({3});
  const auto message = [&](BatcherOptions options) {
    return std::string(Batcher::Create(&store, options).status().message());
  };
  EXPECT_THAT(message(Training(0, 4)), HasSubstr("batch.max_frames: 0, expected at least 1"));
  EXPECT_THAT(message(Training(10, -2)), HasSubstr("batch.max_utterances: -2, expected at least 1"));
  BatcherOptions options = Training(10, 4);
  options.augment.set_max_time_mask(1.5);
  EXPECT_THAT(message(options), HasSubstr("augment.max_time_mask: 1.5, expected 0 to 1"));
  const ExampleStore empty(3);
  EXPECT_THAT(std::string(Batcher::Create(&empty, Training(10, 4)).status().message()), HasSubstr("no utterances"));
  const auto batcher = Batcher::Create(&store, Training(10, 4)).value();
  Batch batch;
  EXPECT_EQ(batcher->Get(0, 1, &batch).code(), absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace earshot
