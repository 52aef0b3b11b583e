// The rows of the registry that tests iterate.
#ifndef EARSHOT_LSTM_ROWS_HERE_H_
#define EARSHOT_LSTM_ROWS_HERE_H_

#include <ostream>
#include <string>
#include <vector>

#include "lstm/registry.h"

namespace earshot {

inline void PrintTo(const LstmImplementation& row, std::ostream* out) { *out << row.name; }  // for gtest's messages

// All rows for the CPU, whatever they say of themselves: one that is not available fails its tests, it is never skipped.
// And those of a GPU that is there; registry_test prints which are not, and why.
inline std::vector<LstmImplementation> RowsHere() {
  std::vector<LstmImplementation> rows;
  for (const LstmImplementation& row : LstmImplementations()) {
    if (row.device == Device::kCpu || row.available().ok()) rows.push_back(row);
  }
  return rows;
}

// Names the cases of a test that gtest runs for each row.
struct RowName {
  template <typename TestParamInfo>
  std::string operator()(const TestParamInfo& info) const {
    return std::string(info.param.name);
  }
};

}  // namespace earshot

#endif  // EARSHOT_LSTM_ROWS_HERE_H_
