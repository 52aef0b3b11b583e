// Tables that a screen reader understands and a phone shows as cards.
#ifndef EARSHOT_BENCH_HTML_TABLE_H_
#define EARSHOT_BENCH_HTML_TABLE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace earshot {

enum class Column { kText, kNumber };

class HtmlTable {
 public:
  // `caption` is HTML, may be empty.
  explicit HtmlTable(absl::string_view caption) : caption_(caption) {}
  void AddColumn(absl::string_view title, Column kind);  // the first names the row
  void AddRow(std::vector<std::string> cells);           // HTML; as many as there are columns
  bool empty() const { return rows_.empty(); }
  std::string Html() const;  // nothing without rows

 private:
  struct Head {
    std::string title;  // escaped
    Column kind;
  };
  std::string caption_;
  std::vector<Head> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_TABLE_H_
