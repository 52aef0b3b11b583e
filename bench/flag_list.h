// Flags that are lists of names.
#ifndef EARSHOT_BENCH_FLAG_LIST_H_
#define EARSHOT_BENCH_FLAG_LIST_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace earshot {

// The names in `value`, which are separated by commas.
std::vector<std::string> FlagList(absl::string_view value);

// InvalidArgument when one of the names that --`flag` gives is there twice: it would be measured, or counted, twice.
absl::Status CheckNames(absl::string_view flag, absl::Span<const std::string> names);

}  // namespace earshot

#endif  // EARSHOT_BENCH_FLAG_LIST_H_
