#include "lstm/registry.h"

#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/testing/near.h"
#include "base/thread_pool.h"

namespace earshot {
namespace {

TEST(Registry, RowZeroIsTheDefinitionAndNamesAreFound) {
  ASSERT_FALSE(LstmImplementations().empty());
  EXPECT_EQ(LstmImplementations()[0].name, "reference");
  for (const LstmImplementation& row : LstmImplementations()) {
    const absl::StatusOr<const LstmImplementation*> found = FindLstmImplementation(row.name);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(*found, &row);
    EXPECT_FALSE(row.summary.empty()) << row.name;
    EXPECT_EQ(row.tolerance_factor == kDefaultToleranceFactor, row.tolerance_reason.empty()) << row.name;
  }
  const absl::Status unknown = FindLstmImplementation("nosuch").status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_NE(unknown.message().find("reference, "), absl::string_view::npos) << unknown;
}

TEST(Registry, ARowThatCannotRunIsRefusedWithItsReasonAndThoseThatCan) {
  for (const LstmImplementation& row : LstmImplementations()) {
    const auto found = FindAvailableLstmImplementation(row.name);
    EXPECT_EQ(found.ok(), row.available().ok()) << row.name;
    if (found.ok()) {
      EXPECT_EQ(*found, &row);
      continue;
    }
    EXPECT_EQ(found.status().code(), absl::StatusCode::kUnavailable);
    const std::string message(found.status().message());
    EXPECT_NE(message.find(absl::StrCat("'", row.name, "' is not available here: ", row.available().message(),
                                        "; expected one of reference, basic, ")),
              std::string::npos)
        << message;
    EXPECT_EQ(message.rfind(std::string(row.name)), message.find(std::string(row.name))) << message;
  }
}

TEST(Registry, EveryCpuRowIsAvailable) {
  for (const LstmImplementation& row : LstmImplementations()) {
    const absl::Status available = row.available();
    if (row.device == Device::kCpu) {
      EXPECT_TRUE(available.ok()) << row.name << ": " << available;
    } else if (!available.ok()) {
      std::cout << "SKIPPED: conformance of " << row.name << ": " << available.message() << "\n";
    }
  }
}

TEST(Registry, ALevelWithoutMeaningIsRefused) {
  ThreadPool pool(1);
  for (const LstmLevelConfig& config : {LstmLevelConfig{0, 3, 1}, LstmLevelConfig{3, 0, 1}, LstmLevelConfig{3, 3, 3}}) {
    EXPECT_EQ(CreateLstm("reference", config, {&pool, nullptr}).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace earshot
