// The claims of the two works, each answered by one line from the records at hand and the figure that shows it.
#ifndef EARSHOT_BENCH_HTML_CLAIMS_H_
#define EARSHOT_BENCH_HTML_CLAIMS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "bench/html/records.h"

namespace earshot {

struct ClaimAnswer {
  std::string text;    // plain; empty: the records at hand do not answer it, `needs` says what would
  std::string figure;  // id of the figure on the page that shows it; may be empty
  std::string needs;   // "torch:basic and tf:while on B-C2"
};

// `id` as in coverage.textproto: "B-O1". CHECKs that the claim is one that this program knows.
ClaimAnswer AnswerClaim(absl::string_view id, const Records& records);
bool KnowsClaim(absl::string_view id);

}  // namespace earshot

#endif  // EARSHOT_BENCH_HTML_CLAIMS_H_
