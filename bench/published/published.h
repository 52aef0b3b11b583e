// The figures of the two works and the table of what stands for them, built into the program.
#ifndef EARSHOT_BENCH_PUBLISHED_PUBLISHED_H_
#define EARSHOT_BENCH_PUBLISHED_PUBLISHED_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bench/published/published.pb.h"

namespace earshot {

struct Published {
  std::vector<PublishedWork> works;  // sorted by the names of their files
  Coverage coverage;
};

// An error names file and line: the files are checked when they are read, not when they are compiled.
absl::StatusOr<Published> ReadPublished();

// Names, times above 0 or a reason for their absence; every id once, a rule or a claim in full, `row` and `config` of a
// result among the ids of the coverage.
absl::Status CheckPublished(const Published& published);

}  // namespace earshot

#endif  // EARSHOT_BENCH_PUBLISHED_PUBLISHED_H_
