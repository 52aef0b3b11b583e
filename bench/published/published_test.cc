#include "bench/published/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace earshot {
namespace {

using testing::HasSubstr;

Published Read() {
  const absl::StatusOr<Published> published = ReadPublished();
  EXPECT_TRUE(published.ok()) << published.status().ToString();
  return published.ok() ? *published : Published();
}

// The time of a result, 0 when there is none.
double Seconds(const std::string& config, const std::string& implementation, const std::string& version) {
  double found = 0;
  const Published published = Read();
  for (const PublishedWork& work : published.works) {
    for (const PublishedResult& result : work.result()) {
      if (result.config() == config && result.implementation() == implementation && result.version() == version) {
        EXPECT_EQ(found, 0) << "twice";
        found = result.seconds();
      }
    }
  }
  return found;
}

TEST(PublishedTest, FiguresOfTheWorks) {
  EXPECT_DOUBLE_EQ(Seconds("B-C2", "TF cuDNN", "1.8.0"), 0.075);
  EXPECT_DOUBLE_EQ(Seconds("B-C2", "PyTorch LSTMCell-basic", "0.2.0_4"), 0.67667);
  EXPECT_DOUBLE_EQ(Seconds("B-C4", "Lasagne LSTMLayer", "0.2.1dev on Theano 1.0.1"), 2.921);
  EXPECT_DOUBLE_EQ(Seconds("B-C4", "TF cuDNN", "1.8.0"), 0);
  EXPECT_DOUBLE_EQ(Seconds("R-N", "CURRENNT", "2014"), 32);
}

// The claims that the paper's own bars hold (ratios rounded as printed there).
TEST(PublishedTest, RatiosOfThePaper) {
  EXPECT_NEAR(Seconds("B-C2", "Keras-TF LSTM", "2.1.6 on 1.8.0") / Seconds("B-C2", "TF cuDNN", "1.8.0"), 7.2, 0.05);
  EXPECT_NEAR(Seconds("B-C4", "PyTorch cuDNN", "0.2.0_4") / Seconds("B-C4", "PyTorch cuDNN", "0.3.1.post2"), 4.0, 0.05);
  EXPECT_NEAR(Seconds("B-C2", "PyTorch LSTMCell-basic", "0.2.0_4") / Seconds("B-C2", "PyTorch LSTMCell-basic", "0.4.0"),
              2.2, 0.05);
}

TEST(PublishedTest, ElevenImplementationsOnFourConfigurations) {
  std::set<std::string> cells;
  const Published published = Read();
  for (const PublishedWork& work : published.works) {
    for (const PublishedResult& result : work.result()) {
      if (work.name() == "Braun 2018" && !result.versions_only()) {
        EXPECT_TRUE(result.has_seconds() || result.has_absent());
        cells.insert(absl::StrCat(result.config(), " ", result.row()));
      }
    }
  }
  EXPECT_EQ(cells.size(), 44u);
}

TEST(PublishedTest, EveryRowOfTheWorksIsCovered) {
  std::set<std::string> ids;
  const Published published = Read();
  for (const CoverageRow& row : published.coverage.row()) ids.insert(row.id());
  const auto expect = [&](const std::string& prefix, int first, int last) {
    for (int i = first; i <= last; ++i) EXPECT_EQ(ids.count(absl::StrCat(prefix, i)), 1u) << prefix << i;
  };
  expect("B-V", 1, 7);
  expect("B-L", 1, 11);
  expect("B-C", 0, 4);
  expect("B-O", 1, 13);
  expect("B-RQ", 1, 5);
  expect("B-T", 1, 3);
  expect("B-F", 1, 8);
  expect("B-X", 1, 6);
  expect("R-S", 1, 3);
  expect("R-M", 1, 3);
  expect("R-O", 1, 3);
  expect("E", 1, 15);
  for (const char* id : {"B-H", "B-P", "R-T", "R-N", "R-F1", "R-Q"}) EXPECT_EQ(ids.count(id), 1u) << id;
}

TEST(PublishedTest, WhatIsIncompleteIsRefused) {
  const auto refused = [](Published published) { return std::string(CheckPublished(published).message()); };
  Published published = Read();
  *published.coverage.add_row() = published.coverage.row(0);
  EXPECT_THAT(refused(published), HasSubstr("row \"B-V1\": expected an id of its own"));
  published = Read();
  published.coverage.mutable_row(0)->clear_how();
  EXPECT_THAT(refused(published), HasSubstr("row \"B-V1\": expected how, found nothing"));
  published = Read();
  published.works[0].mutable_result(0)->set_config("B-C9");
  EXPECT_THAT(refused(published), HasSubstr("expected ids of coverage.textproto, found B-C9"));
  published = Read();
  published.works[0].mutable_result(0)->set_seconds(0);
  EXPECT_THAT(refused(published), HasSubstr("expected seconds above 0, found 0"));
}

}  // namespace
}  // namespace earshot
