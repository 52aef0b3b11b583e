#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "data/npy.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  ASSIGN_OR_RETURN(const auto matrix, DecodeNpy(content, name));
  CHECK(matrix.size() <= static_cast<int64_t>(content.size()));
  volatile float sum = 0;  // every element is there to be read
  for (float value : matrix.span()) sum = sum + value;
  return absl::OkStatus();
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.1};

}  // namespace earshot
