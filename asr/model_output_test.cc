// The output layer of a training step over some of the rows.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

#include "asr/model.h"
#include "base/random.h"
#include "base/testing/near.h"

namespace earshot {
namespace {

constexpr int kInput = 5, kClasses = 4;

// Where the loss looks at last frames alone, the others' logits and their zero gradient make no difference.
TEST(ModelOutputTest, LastFramesAlone) {
  const Packing packing = Packing::CreateOrDie({9, 9, 6, 2, 1});
  Tensor<float, 2> features({packing.rows(), kInput});
  RandomStream random(1, RandomPurpose::kTest);
  for (float& x : features.span()) x = random.Normal();
  Tensor<float, 2> dlogits({packing.rows(), kClasses}), others({packing.rows(), kClasses});
  others.Fill(std::numeric_limits<float>::quiet_NaN());  // never looked at
  const DropoutPosition at = {3, 12};
  ThreadPool pool(2);
  for (int i = 0; i < 4; ++i) {
    const bool output_bias = i % 2 == 1;
    ModelConfig config;
    config.mutable_lstm()->set_num_levels(2);
    config.mutable_lstm()->set_hidden_size(5);
    config.mutable_lstm()->set_bidirectional(true);
    config.mutable_lstm()->set_dropout(0.5f);
    config.mutable_lstm()->set_implementation(i < 2 ? "reference" : "simd");
    config.set_output_dropout(0.125f);
    config.set_output_bias(output_bias);
    const std::unique_ptr<Model> all = *Model::Create(config, kInput, kClasses, &pool, nullptr),
                                 last = *Model::Create(config, kInput, kClasses, &pool, nullptr);
    all->Initialize(7);
    last->Initialize(7);
    const TensorView<float, 2> expected = all->Forward(features.view(), packing, &at);
    for (int repeat = 0; repeat < 2; ++repeat) {
      const TensorView<float, 2> logits = last->Forward(features.view(), packing, &at, OutputRows::kLastFrames);
      for (int b = 0; b < packing.batch(); ++b) {
        const int64_t row = packing.row(packing.lengths()[b] - 1, b);
        EXPECT_TRUE(SameBits(logits.row(row), expected.row(row))) << b;
        for (int c = 0; c < kClasses; ++c) dlogits.view()(row, c) = others.view()(row, c) = 0.1f * (c + b) - 0.2f;
      }
      last->Backward(features.view(), packing, others.view(), OutputRows::kLastFrames);
    }
    all->Backward(features.view(), packing, dlogits.view());
    const absl::Span<const float> grads = all->grads();
    EXPECT_TRUE(AllNear(last->grads(), std::vector<double>(grads.begin(), grads.end()), 5)) << i;
  }
}

}  // namespace
}  // namespace earshot
