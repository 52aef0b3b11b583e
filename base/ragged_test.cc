#include "base/ragged.h"

#include <gtest/gtest.h>

namespace earshot {
namespace {

TEST(RaggedTest, RowsOfDifferentLengths) {
  Ragged<int32_t> labels;
  EXPECT_EQ(labels.rows(), 0);
  labels.AddRow({3, 1});
  labels.AddRow({});
  labels.AddRow({4, 1, 5});
  EXPECT_EQ(labels.rows(), 3);
  EXPECT_EQ(labels.row(0), (std::vector<int32_t>{3, 1}));
  EXPECT_TRUE(labels.row(1).empty());
  EXPECT_EQ(labels.row(2), (std::vector<int32_t>{4, 1, 5}));
  EXPECT_EQ(labels.values(), (std::vector<int32_t>{3, 1, 4, 1, 5}));
}

TEST(RaggedTest, ClearForgetsEverything) {
  Ragged<int32_t> labels;
  labels.AddRow({3, 1});
  labels.Clear();
  EXPECT_EQ(labels.rows(), 0);
  EXPECT_TRUE(labels.values().empty());
  labels.AddRow({9});
  EXPECT_EQ(labels.row(0), (std::vector<int32_t>{9}));
}

}  // namespace
}  // namespace earshot
