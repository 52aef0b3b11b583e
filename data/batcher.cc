#include "data/batcher.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/random.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

absl::Status CheckAtLeast(const char* field, int64_t value, int64_t low) {
  if (value >= low) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("batch.", field, ": ", value, ", expected at least ", low));
}

}  // namespace

absl::Status ValidateBatchConfig(const BatchConfig& config) {
  RETURN_IF_ERROR(CheckAtLeast("max_frames", config.max_frames(), 1));
  RETURN_IF_ERROR(CheckAtLeast("max_utterances", config.max_utterances(), 1));
  return CheckAtLeast("bucket_batches", config.bucket_batches(), 0);
}

absl::StatusOr<std::unique_ptr<Batcher>> Batcher::Create(const ExampleStore* store, BatcherOptions options) {
  RETURN_IF_ERROR(ValidateBatchConfig(options.batch));
  RETURN_IF_ERROR(ValidateAugmentConfig(options.augment));
  if (store->size() == 0) return absl::InvalidArgumentError("there are no utterances to make batches of");
  if (options.training) CHECK_EQ(std::max(options.augment.speed_size(), 1), store->num_versions());
  return std::unique_ptr<Batcher>(new Batcher(store, std::move(options)));
}

void Batcher::CutWindow(std::vector<Item>* items, size_t begin, size_t end, Plan* plan) const {
  std::stable_sort(items->begin() + begin, items->begin() + end,
                   [](const Item& a, const Item& b) { return a.frames > b.frames; });
  std::vector<Item> batch;
  int64_t frames = 0;
  for (size_t i = begin; i < end; ++i) {
    const Item& item = (*items)[i];
    const bool full = static_cast<int>(batch.size()) == options_.batch.max_utterances() ||
                      frames + item.frames > options_.batch.max_frames();
    if (full && !batch.empty()) {
      plan->batches.push_back(std::move(batch));
      batch.clear();
      frames = 0;
    }
    batch.push_back(item);
    frames += item.frames;
  }
  if (!batch.empty()) plan->batches.push_back(std::move(batch));
}

Batcher::Plan Batcher::MakePlan(int64_t epoch) const {
  Plan plan;
  plan.epoch = epoch;
  std::vector<Item> items(store_->size());
  for (int64_t i = 0; i < store_->size(); ++i) {
    int version = 0;
    if (options_.training) {
      RandomStream stream(options_.seed, RandomPurpose::kAugmentation, epoch, static_cast<uint32_t>(i));
      version = DrawSpeed(options_.augment, &stream);
    }
    items[i] = {i, version, store_->frames(i, version)};
  }
  if (!options_.training) {
    CutWindow(&items, 0, items.size(), &plan);
    return plan;
  }
  RandomStream shuffle(options_.seed, RandomPurpose::kShuffle, epoch);
  shuffle.Shuffle(&items);
  const int64_t buckets = options_.batch.bucket_batches();
  size_t begin = 0;
  int64_t frames = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    const int64_t utterances = static_cast<int64_t>(i - begin);
    const bool full = buckets > 0 && (utterances == buckets * options_.batch.max_utterances() ||
                                      frames + items[i].frames > buckets * options_.batch.max_frames());
    if (full && utterances > 0) {
      CutWindow(&items, begin, i, &plan);
      begin = i;
      frames = 0;
    }
    frames += items[i].frames;
  }
  CutWindow(&items, begin, items.size(), &plan);
  shuffle.Shuffle(&plan.batches);
  return plan;
}

std::shared_ptr<const Batcher::Plan> Batcher::GetPlan(int64_t epoch) const {
  CHECK_GE(epoch, 0);
  if (!options_.training) epoch = 0;
  std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<const Plan>& plan = plans_[epoch % 2];
  if (plan == nullptr || plan->epoch != epoch) plan = std::make_shared<const Plan>(MakePlan(epoch));
  return plan;
}

int64_t Batcher::StepsInEpoch(int64_t epoch) const { return static_cast<int64_t>(GetPlan(epoch)->batches.size()); }

void Batcher::AugmentRows(int64_t epoch, const Item& item, TensorView<float, 2> features) const {
  RandomStream stream(options_.seed, RandomPurpose::kAugmentation, epoch, static_cast<uint32_t>(item.index));
  DrawSpeed(options_.augment, &stream);  // was drawn in the plan
  Augment(options_.augment, options_.layout, options_.statics_scale, &stream, features);
}

absl::Status Batcher::Get(int64_t epoch, int64_t step, Batch* batch) const {
  const std::shared_ptr<const Plan> plan = GetPlan(epoch);
  if (step < 0 || step >= static_cast<int64_t>(plan->batches.size())) {
    return absl::OutOfRangeError(absl::StrCat("epoch ", epoch, " has no step ", step, ", only ", plan->batches.size()));
  }
  const std::vector<Item>& items = plan->batches[step];  // longest first, as CutWindow left them
  std::vector<int32_t> lengths(items.size());
  for (size_t b = 0; b < items.size(); ++b) lengths[b] = static_cast<int32_t>(items[b].frames);
  batch->packing = Packing::CreateOrDie(lengths);
  const int dimensions = store_->dimensions();
  batch->features.Resize({batch->packing.rows(), dimensions});
  batch->labels.Clear();
  batch->ids.clear();
  Tensor<float, 2> changed;
  for (size_t b = 0; b < items.size(); ++b) {
    const Item& item = items[b];
    TensorView<const float, 2> source = store_->features(item.index, item.version);
    if (options_.training) {
      changed.Resize({item.frames, dimensions});
      std::memcpy(changed.data(), source.data(), source.size() * sizeof(float));
      AugmentRows(epoch, item, changed.view());
      source = changed.view();
    }
    for (int64_t t = 0; t < item.frames; ++t) {
      std::memcpy(batch->features.data() + batch->packing.row(static_cast<int>(t), static_cast<int>(b)) * dimensions,
                  source.data() + t * dimensions, dimensions * sizeof(float));
    }
    batch->labels.AddRow(store_->labels(item.index));
    batch->ids.push_back(store_->id(item.index));
  }
  return absl::OkStatus();
}

}  // namespace earshot
