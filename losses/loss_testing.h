// Runs a loss on a packed batch given as plain vectors, for tests.
#ifndef EARSHOT_LOSSES_LOSS_TESTING_H_
#define EARSHOT_LOSSES_LOSS_TESTING_H_

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/random.h"
#include "losses/loss.h"

namespace earshot {

using LabelRows = std::vector<std::vector<int32_t>>;

inline LossConfig Config(LossConfig::Kind kind, LossConfig::Reduction reduction = LossConfig::MEAN_UTTERANCE) {
  LossConfig config;
  config.set_kind(kind);
  config.set_reduction(reduction);
  return config;
}

inline Ragged<int32_t> ToRagged(const LabelRows& rows) {
  Ragged<int32_t> labels;
  for (const auto& row : rows) labels.AddRow(row);
  return labels;
}

struct LossResult {
  absl::Status status;
  std::vector<float> losses;
  Tensor<float, 2> dlogits;
};

inline LossResult ComputeLoss(const LossConfig& config, const std::vector<int32_t>& lengths,
                              const std::vector<float>& logits, const LabelRows& labels, float scale = 1,
                              ThreadPool* pool = nullptr) {
  const Packing packing = Packing::CreateOrDie(lengths);
  const int64_t classes = static_cast<int64_t>(logits.size()) / packing.rows();
  LossResult r;
  r.losses.assign(packing.batch(), 77);
  r.dlogits.Resize({packing.rows(), classes});
  r.dlogits.Fill(77);
  absl::StatusOr<std::unique_ptr<Loss>> loss = CreateLoss(config, static_cast<int>(classes), pool);
  EXPECT_TRUE(loss.ok()) << loss.status();
  r.status = (*loss)->Compute(TensorView<const float, 2>(logits.data(), {packing.rows(), classes}), packing,
                              ToRagged(labels), scale, absl::MakeSpan(r.losses), r.dlogits.view());
  return r;
}

inline std::vector<double> Doubles(absl::Span<const float> x) { return {x.begin(), x.end()}; }

inline std::vector<float> RandomLogits(int n) {
  RandomStream random(1, RandomPurpose::kTest);
  std::vector<float> x(n);
  for (float& v : x) v = random.Uniform(-3, 3);
  return x;
}

}  // namespace earshot

#endif  // EARSHOT_LOSSES_LOSS_TESTING_H_
