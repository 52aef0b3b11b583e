// Features beside HTK's own output.
#ifndef EARSHOT_DATA_TESTING_HTK_H_
#define EARSHOT_DATA_TESTING_HTK_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>

#include "base/tensor.h"
#include "data/htk_file.h"

namespace earshot {

// `features` are those in the HTK file at `path` within `tolerance`; prints the largest difference.
inline void ExpectHtkFile(const std::string& path, const Tensor<float, 2>& features, double tolerance) {
  const absl::StatusOr<HtkFeatures> htk = ReadHtk(path);
  ASSERT_TRUE(htk.ok()) << htk.status();
  ASSERT_EQ(htk->features.dim(0), features.dim(0));
  ASSERT_EQ(htk->features.dim(1), features.dim(1));
  double worst = 0;
  for (int64_t i = 0; i < features.size(); ++i) {
    const double difference = std::abs(features.span()[i] - htk->features.span()[i]);
    ASSERT_FALSE(std::isnan(difference)) << "element " << i;
    worst = std::max(worst, difference);
  }
  std::cout << path << ": largest difference " << worst << "\n";
  EXPECT_LT(worst, tolerance);
}

}  // namespace earshot

#endif  // EARSHOT_DATA_TESTING_HTK_H_
