#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "data/htk_file.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  ASSIGN_OR_RETURN(const HtkFeatures htk, DecodeHtk(content, name));
  CHECK(2 * htk.features.size() <= static_cast<int64_t>(content.size()));
  CHECK(htk.features.dim(1) > 0);
  volatile float sum = 0;  // every element is there to be read
  for (float value : htk.features.span()) sum = sum + value;
  return absl::OkStatus();
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.1};

}  // namespace earshot
