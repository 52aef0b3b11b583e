#include "bench/html/table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "bench/html/escape.h"

namespace earshot {

void HtmlTable::AddColumn(absl::string_view title, Column kind) {
  CHECK(rows_.empty());
  columns_.push_back({Escape(title), kind});
}

void HtmlTable::AddRow(std::vector<std::string> cells) {
  CHECK(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::string HtmlTable::Html() const {
  if (rows_.empty()) return "";
  // The roles stay when the style sheet makes blocks of a table's parts.
  std::string out = "<table role=\"table\">\n";
  if (!caption_.empty()) absl::StrAppend(&out, "<caption>", caption_, "</caption>\n");
  absl::StrAppend(&out, "<thead role=\"rowgroup\"><tr role=\"row\">");
  for (const Head& column : columns_) {
    absl::StrAppend(&out, "<th role=\"columnheader\" scope=\"col\"",
                    column.kind == Column::kNumber ? " class=\"number\"" : "", ">", column.title, "</th>");
  }
  absl::StrAppend(&out, "</tr></thead>\n<tbody role=\"rowgroup\">\n");
  for (const std::vector<std::string>& row : rows_) {
    absl::StrAppend(&out, "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">", row[0], "</th>");
    for (size_t i = 1; i < row.size(); ++i) {
      absl::StrAppend(&out, "<td role=\"cell\" class=\"", columns_[i].kind == Column::kNumber ? "number" : "text",
                      "\" data-label=\"", columns_[i].title, "\">", row[i], "</td>");
    }
    absl::StrAppend(&out, "</tr>\n");
  }
  return out + "</tbody>\n</table>\n";
}

}  // namespace earshot
