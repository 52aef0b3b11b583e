#include "base/status_macros.h"

#include <gtest/gtest.h>

#include <memory>

namespace earshot {
namespace {

absl::StatusOr<std::unique_ptr<int>> Half(int n) {
  if (n % 2 != 0) return absl::InvalidArgumentError("odd");
  return std::make_unique<int>(n / 2);
}

absl::StatusOr<int> Quarter(int n) {
  ASSIGN_OR_RETURN(const std::unique_ptr<int> half, Half(n));
  ASSIGN_OR_RETURN(const auto quarter, Half(*half));
  return *quarter;
}

absl::Status CheckQuarter(int n) {
  RETURN_IF_ERROR(Quarter(n).status());
  return absl::AlreadyExistsError("reached the end");
}

TEST(StatusMacrosTest, ValueOrTheFirstError) {
  EXPECT_EQ(Quarter(12).value(), 3);
  EXPECT_EQ(Quarter(6).status().message(), "odd");
  EXPECT_EQ(CheckQuarter(5).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CheckQuarter(4).code(), absl::StatusCode::kAlreadyExists);
}

TEST(StatusMacrosTest, AnnotateKeepsTheCode) {
  const absl::Status status = Annotate(absl::NotFoundError("no such token"), "train.textproto");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "train.textproto: no such token");
  EXPECT_TRUE(Annotate(absl::OkStatus(), "anything").ok());
}

}  // namespace
}  // namespace earshot
