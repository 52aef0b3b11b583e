#include <set>
#include <string>

#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "data/kaldi_location.h"
#include "data/kaldi_scp.h"
#include "data/limits.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  ASSIGN_OR_RETURN(const std::vector<ScpEntry> entries, ReadScp(content, name));
  std::set<std::string> keys;
  for (const ScpEntry& entry : entries) {
    CHECK(!entry.key.empty() && entry.key.size() <= size_t{kMaxIdBytes});
    CHECK(keys.insert(entry.key).second);
    const auto location = ParseKaldiLocation(entry.location);
    if (!location.ok()) continue;
    CHECK(!location->path.empty());
    for (const int64_t rows : {0, 1, 100}) {
      const auto crop = CropFor(*location, entry.location, rows, 40, false);
      if (!crop.ok()) continue;
      CHECK(crop->first_row >= 0 && crop->rows >= 0 && crop->first_row + crop->rows <= rows);
      CHECK(crop->first_col >= 0 && crop->cols >= 0 && crop->first_col + crop->cols <= 40);
    }
  }
  return absl::OkStatus();
}

}  // namespace

// A changed name is a name.
const ReaderUnderTest kReaderUnderTest = {Read, 0.02};

}  // namespace earshot
