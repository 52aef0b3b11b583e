#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "data/kaldi_archive.h"
#include "data/limits.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  KaldiArchiveReader reader(content, name);
  std::string key;
  Tensor<float, 2> matrix;
  size_t left = content.size();
  while (true) {
    ASSIGN_OR_RETURN(const bool more, reader.Next(&key, &matrix));
    if (!more) return absl::OkStatus();
    CHECK(!key.empty() && key.size() <= size_t{kMaxIdBytes});
    // A key, a space and at least "[]" or a byte an element.
    CHECK(key.size() + 3 + static_cast<size_t>(matrix.size()) <= left);
    left -= key.size() + 3;
    volatile float sum = 0;  // every element is there to be read
    for (float value : matrix.span()) sum = sum + value;
  }
}

}  // namespace

// Most bytes of an archive are elements, which may be any bits.
const ReaderUnderTest kReaderUnderTest = {Read, 0.1};

}  // namespace earshot
