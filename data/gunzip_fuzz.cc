#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "data/gunzip.h"
#include "data/limits.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  Gunzip gunzip(content, name);
  char block[4096];
  int64_t all = 0;
  while (true) {
    ASSIGN_OR_RETURN(const int64_t bytes, gunzip.Read(block, sizeof block));
    if (bytes == 0) break;
    CHECK(bytes > 0 && bytes <= static_cast<int64_t>(sizeof block));
    all += bytes;
  }
  CHECK(all <= (kMaxGzipExpansion + 1) * static_cast<int64_t>(content.size()) + static_cast<int64_t>(sizeof block));
  return absl::OkStatus();
}

}  // namespace

// Most of a packed file is its content, and the checksum sees all of that; not the time and the name in front.
const ReaderUnderTest kReaderUnderTest = {Read, 0.8};

}  // namespace earshot
