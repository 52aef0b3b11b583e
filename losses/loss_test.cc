#include "losses/loss.h"

#include <gtest/gtest.h>

#include <vector>

namespace earshot {
namespace {

TEST(LossTest, BlankInsideTranscriptIsNamed) {
  auto loss = CreateLoss(LossConfig(), 3, nullptr);
  ASSERT_TRUE(loss.ok()) << loss.status();
  const Packing packing = Packing::CreateOrDie({6, 6});
  const Tensor<float, 2> logits({12, 3});
  Tensor<float, 2> dlogits({12, 3});
  std::vector<float> losses(2);
  Ragged<int32_t> labels;
  labels.AddRow({1, 2});
  labels.AddRow({1, 0, 1});
  const absl::Status status =
      (*loss)->Compute(logits.view(), packing, labels, 1, absl::MakeSpan(losses), dlogits.view());
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "utterance 1 of the batch: label 1 is 0, the blank, expected 1 to 2 (the blank is 0)");
}

}  // namespace
}  // namespace earshot
