#include "bench/testing/wrong_subjects.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/check.h"

namespace earshot {

const LstmImplementation* ImplementationOrDie(absl::string_view name) {
  const auto found = FindLstmImplementation(name);
  CHECK(found.ok()) << found.status().ToString();
  return *found;
}

absl::Span<const float> ScaledGradientSubject::gradients() {
  const absl::Span<const float> right = TrainerSubject::gradients();
  scaled_.assign(right.begin(), right.end());
  for (int64_t i = begin_; i < std::min<int64_t>(end_, scaled_.size()); ++i) scaled_[i] *= factor_;
  return scaled_;
}

absl::Status SlowSubject::Load(const BenchConfig& config, absl::Span<const float> params) {
  log_->push_back("load");
  return TrainerSubject::Load(config, params);
}

absl::StatusOr<double> SlowSubject::Step(const Batch& batch) {
  log_->push_back(name_);
  std::this_thread::sleep_for(
      std::chrono::duration<double>(seconds_per_frame_ * static_cast<double>(batch.packing.rows())));
  return TrainerSubject::Step(batch);
}

}  // namespace earshot
