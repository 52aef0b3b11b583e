// Both lists of a part in one text, with an empty line between them.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "data/an4.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  const size_t middle = content.find("\n\n");
  const absl::string_view fileids = content.substr(0, middle);
  const absl::string_view transcription = middle == absl::string_view::npos ? "" : content.substr(middle + 2);
  ASSIGN_OR_RETURN(const std::vector<UtteranceSource> entries, ParseAn4Lists(fileids, name, transcription, name));
  for (const UtteranceSource& entry : entries) {
    CHECK(!entry.id.empty() && !absl::StrContains(entry.id, "/") && entry.id != "..") << entry.id;
    CHECK(!absl::StrContains(entry.text, "\n") && !absl::StrContains(entry.text, "  ")) << entry.text;
  }
  return absl::OkStatus();
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.4};

}  // namespace earshot
