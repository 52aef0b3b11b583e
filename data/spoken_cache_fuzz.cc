#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "data/spoken_cache.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  ASSIGN_OR_RETURN(const SpokenCache cache, ParseSpokenCache(content, name, "key", ""));
  CHECK(cache.sample_rate() > 0);
  for (const SpokenUtterance& utterance : cache.train()) {
    CHECK(DecodePcm(utterance.pcm()).size() == utterance.pcm().size() / 2);
  }
  return absl::OkStatus();
}

}  // namespace

// The checksum is not repaired: what lies behind it is protobuf's own parser, which takes up to 50 MB on the word of a
// field's length. These files are this user's own.
const ReaderUnderTest kReaderUnderTest = {Read, 1.0};

}  // namespace earshot
