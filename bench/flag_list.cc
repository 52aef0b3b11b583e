#include "bench/flag_list.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace earshot {

std::vector<std::string> FlagList(absl::string_view value) { return absl::StrSplit(value, ',', absl::SkipEmpty()); }

absl::Status CheckNames(absl::string_view flag, absl::Span<const std::string> names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    return absl::InvalidArgumentError(absl::StrCat("flag --", flag, " names ", name, " twice"));
  }
  return absl::OkStatus();
}

}  // namespace earshot
