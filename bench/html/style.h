// Style sheets: of the figures, which also stand alone as files, and of the page around them.
#ifndef EARSHOT_BENCH_HTML_STYLE_H_
#define EARSHOT_BENCH_HTML_STYLE_H_

#include <string>

#include "bench/html/svg.h"

namespace earshot {

std::string PageStyle();  // of the page and the figures on it

// The wide drawing as a file of its own.
std::string StandaloneSvg(const Figure& figure);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_STYLE_H_
