// CTC in log space: exact for any logits, one exp and one log a term. The fast path falls back to it where linear space
// would lose paths, and the tests take it as the definition.
#ifndef EARSHOT_LOSSES_CTC_LOG_SPACE_H_
#define EARSHOT_LOSSES_CTC_LOG_SPACE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace earshot {

// log_emissions [frames, 2L+1] row-major: log-probability of the symbol of state s (blank, label 0, blank, label 1,
// ..., blank) at frame t. Returns -log of the sum over all paths (Graves et al. 2006, equations 5 to 8), +infinity when
// there is none. Writes occupancies [frames, 2L+1], the posterior probability of each state (equation 14's numerator
// over p(l|x)); zeros when there is no path.
double CtcLogSpace(absl::Span<const double> log_emissions, int frames, absl::Span<const int32_t> labels,
                   std::vector<double>* occupancies);

}  // namespace earshot

#endif  // EARSHOT_LOSSES_CTC_LOG_SPACE_H_
