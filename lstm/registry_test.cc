#include "lstm/registry.h"

#include <iostream>

#include <gtest/gtest.h>

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
