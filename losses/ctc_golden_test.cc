// CTC against PyTorch in float64 on 200 random cases (tools/golden/ctc_cases.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "losses/ctc_testing.h"

namespace earshot {
namespace {

// tools/golden/ctc_cases.py draws the same numbers.
std::vector<uint64_t> SplitMix(uint64_t seed, int n) {
  std::vector<uint64_t> words;
  for (int i = 1; i <= n; ++i) {
    uint64_t z = ((seed << 32) + i) * 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    words.push_back(z ^ (z >> 31));
  }
  return words;
}

struct GoldenCase {
  int seed = 0, frames = 0, classes = 0, labels = 0, repeat_percent = 0, range = 0;
  std::string loss;  // "inf" is no number to a stream
  double sum_of_squares = 0;
  std::map<int, double> gradient;  // some elements, all of small cases
};

std::vector<GoldenCase> ReadGoldenCases() {
  std::vector<GoldenCase> cases;
  std::ifstream file("losses/testdata/ctc_cases.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    GoldenCase c;
    int count = 0, index = 0;
    fields >> c.seed >> c.frames >> c.classes >> c.labels >> c.repeat_percent >> c.range >> c.loss >> c.sum_of_squares;
    fields >> count;
    for (int i = 0; i < count; ++i) fields >> index >> c.gradient[index];
    EXPECT_TRUE(fields) << line;
    cases.push_back(c);
  }
  return cases;
}

template <typename T>
void CompareWithGolden(const GoldenCase& c, double loss_tolerance, double gradient_tolerance) {
  CtcLabels labels;
  for (uint64_t word : SplitMix(2 * c.seed, c.labels)) {
    const bool repeat = !labels.empty() && static_cast<int>((word >> 40) % 100) < c.repeat_percent;
    labels.push_back(repeat ? labels.back() : 1 + static_cast<int>((word & 0xFFFFFFFF) % (c.classes - 1)));
  }
  std::vector<double> logits;
  for (uint64_t word : SplitMix(2 * c.seed + 1, c.frames * c.classes)) {
    logits.push_back((static_cast<float>(word >> 40) * 0x1p-23f - 1.0f) * static_cast<float>(c.range));
  }
  const CtcResult r = RunCtc<T>(logits, c.classes, labels);
  const double loss = std::stod(c.loss);
  if (loss == kInfinity) {
    EXPECT_EQ(r.loss, kInfinity);
  } else {
    EXPECT_NEAR(r.loss, loss, loss_tolerance * loss);
  }
  for (const auto& [index, value] : c.gradient) EXPECT_NEAR(r.gradient[index], value, gradient_tolerance) << index;
  double sum_of_squares = 0;
  for (double g : r.gradient) sum_of_squares += g * g;
  EXPECT_NEAR(sum_of_squares, c.sum_of_squares, gradient_tolerance * std::max(c.sum_of_squares, 1.0));
}

TEST(CtcGoldenTest, EqualsPyTorch) {
  const std::vector<GoldenCase> cases = ReadGoldenCases();
  ASSERT_EQ(cases.size(), 200u);
  for (const GoldenCase& c : cases) {
    SCOPED_TRACE(c.seed);
    CompareWithGolden<double>(c, 1e-10, 1e-8);
    CompareWithGolden<float>(c, 1e-5, 1e-5);
  }
}

}  // namespace
}  // namespace earshot
