// Any number of benchmark reports as one HTML page that needs nothing else: no script, no network, no other file.
#ifndef EARSHOT_BENCH_HTML_PAGE_H_
#define EARSHOT_BENCH_HTML_PAGE_H_

#include <string>
#include <vector>

#include "bench/html/records.h"
#include "bench/html/svg.h"
#include "bench/published/published.h"

namespace earshot {

struct Page {
  std::string html;
  std::vector<Figure> figures;  // that are on it, in their order
};

// Of at least one record. Where several are of one configuration, each has a part of its own, and the answers to the
// claims are those of the last.
Page RenderPage(const Records& records, const Published& published);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_PAGE_H_
