// Reads testdata/two_sample_cases.txt: what scipy.stats says of pairs of samples (tools/golden/two_sample_tests.py).
#ifndef EARSHOT_BENCH_TESTING_TWO_SAMPLE_CASES_H_
#define EARSHOT_BENCH_TESTING_TWO_SAMPLE_CASES_H_

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "base/check.h"

namespace earshot {

struct TwoSampleCase {
  std::vector<double> a, b;
  double statistic = 0, p = 0;
};

inline std::vector<TwoSampleCase> ReadTwoSampleCases(const std::string& test) {
  const auto numbers = [](const std::string& text) {
    std::vector<double> values;
    for (absl::string_view word : absl::StrSplit(text, ' ')) values.push_back(std::stod(std::string(word)));
    return values;
  };
  std::ifstream file("bench/testdata/two_sample_cases.txt");
  std::vector<TwoSampleCase> cases;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> fields = absl::StrSplit(line, '\t');
    CHECK_EQ(fields.size(), 5u) << line;
    if (fields[0] != test) continue;
    cases.push_back({numbers(fields[1]), numbers(fields[2]), std::stod(fields[3]), std::stod(fields[4])});
  }
  return cases;
}

}  // namespace earshot

#endif  // EARSHOT_BENCH_TESTING_TWO_SAMPLE_CASES_H_
