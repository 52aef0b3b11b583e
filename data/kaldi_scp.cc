#include "data/kaldi_scp.h"

#include <algorithm>
#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/kaldi_text.h"
#include "data/limits.h"

namespace earshot {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

absl::Status ParseLine(absl::string_view line, absl::string_view name, int64_t number, absl::string_view* key,
                       absl::string_view* location) {
  const auto error = [&](absl::string_view expected, absl::string_view found) {
    return LineError(name, number, expected, found);
  };
  const auto key_end = std::find_if(line.begin(), line.end(), IsBlank);
  *key = line.substr(0, key_end - line.begin());
  *location = absl::StripAsciiWhitespace(line.substr(key->size()));
  if (std::any_of(line.begin(), line.end(), [](char c) { return absl::ascii_iscntrl(c) && c != '\t'; })) {
    return error("a key and a location", absl::StrCat("control characters in ", Quoted(line)));
  }
  if (key->empty() || location->empty()) return error("a key and a location", Quoted(line));
  const std::string problem = IdProblem(*key);
  if (!problem.empty()) return error(absl::StrCat("a key of at most ", kMaxIdBytes, " bytes"), problem);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<ScpEntry>> ReadScp(absl::string_view content, absl::string_view name) {
  absl::ConsumePrefix(&content, "\xef\xbb\xbf");
  std::vector<ScpEntry> entries;
  absl::flat_hash_map<absl::string_view, int64_t> lines;  // of the keys
  for (int64_t number = 1; !content.empty(); ++number) {
    const size_t end = std::min(content.find('\n'), content.size());
    absl::string_view line = content.substr(0, end);
    content.remove_prefix(std::min(end + 1, content.size()));
    absl::ConsumeSuffix(&line, "\r");
    absl::string_view key, location;
    RETURN_IF_ERROR(ParseLine(line, name, number, &key, &location));
    const auto inserted = lines.emplace(key, number);
    if (!inserted.second) {
      return LineError(name, number, "each key once",
                       absl::StrCat(Quoted(key), " again, as in line ", inserted.first->second));
    }
    entries.push_back({std::string(key), std::string(location)});
  }
  return entries;
}

}  // namespace earshot
