// Sums and checks over long vectors by all threads: the same bits for any number of them (on one instruction set).
#ifndef EARSHOT_BASE_REDUCE_H_
#define EARSHOT_BASE_REDUCE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "base/thread_pool.h"

namespace earshot {

// In double; infinity or NaN when x holds such a number. `pool` null: the calling thread does it all.
double SumOfSquares(absl::Span<const float> x, ThreadPool* pool);

// Position of the first number of x that is infinite or NaN; the size of x where there is none.
int64_t FindNotFinite(absl::Span<const float> x, ThreadPool* pool);

}  // namespace earshot

#endif  // EARSHOT_BASE_REDUCE_H_
