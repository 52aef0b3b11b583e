// Prints the table of LSTM implementations: what each is, what it stands for, and whether it can run here.
#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "lstm/registry.h"

namespace earshot {
namespace {

using Line = std::array<std::string, 6>;

Line TableLine(const LstmImplementation& row) {
  const absl::Status available = row.available();
  std::string tolerance = absl::StrCat(row.tolerance_factor);
  if (!row.tolerance_reason.empty()) absl::StrAppend(&tolerance, " (", row.tolerance_reason, ")");
  return {std::string(row.name),
          std::string(row.summary),
          row.stands_for.empty() ? "-" : std::string(row.stands_for),
          DeviceName(row.device),
          available.ok() ? "yes" : absl::StrCat("no: ", available.message()),
          tolerance};
}

void PrintTable() {
  std::vector<Line> lines = {{"name", "summary", "stands for", "device", "available", "tolerance"}, {}};
  for (const LstmImplementation& row : LstmImplementations()) lines.push_back(TableLine(row));
  for (size_t column = 0; column < lines[0].size(); ++column) {
    size_t width = 0;
    for (const Line& line : lines) width = std::max(width, line[column].size());
    lines[1][column] = std::string(width, '-');
    for (Line& line : lines) line[column].resize(width, ' ');
  }
  for (const Line& line : lines) {
    for (const std::string& cell : line) std::cout << "| " << cell << " ";
    std::cout << "|\n";
  }
}

}  // namespace
}  // namespace earshot

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) != "--help") {
    std::cerr << "error: unexpected argument '" << argv[1] << "'; the program takes none\n";
    return 2;
  }
  earshot::PrintTable();
  if (std::cout.flush()) return 0;
  std::cerr << "error: cannot write the table to stdout\n";
  return 1;
}
