#include "asr/score/transcripts.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  ASSIGN_OR_RETURN(const Transcripts transcripts, Transcripts::Parse(content, name));
  const auto texts = transcripts.texts();
  CHECK(static_cast<int64_t>(texts.size()) == transcripts.size());
  for (const auto& text : texts) {
    CHECK(!text.first.empty() && transcripts.Has(text.first));
    CHECK(text.first.find_first_of(std::string(" \t\r\n\0", 5)) == std::string::npos) << text.first;
    CHECK(text.second.find_first_of(std::string("\r\n\0", 3)) == std::string::npos) << text.second;
  }
  return absl::OkStatus();
}

}  // namespace

// Nearly everything is a text.
const ReaderUnderTest kReaderUnderTest = {Read, 0.2};

}  // namespace earshot
