#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "base/textproto.h"
#include "base/textproto_test.pb.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  TextprotoTestMessage message, again;
  RETURN_IF_ERROR(ParseTextproto(content, name, &message));
  // What was read can be printed and read again. (A printed text may be longer than a text may be.)
  const std::string printed = PrintTextproto(message);
  if (static_cast<int64_t>(printed.size()) > kTextprotoMaxBytes) return absl::OkStatus();
  const absl::Status status = ParseTextproto(printed, "printed", &again);
  CHECK(status.ok()) << status;
  CHECK(PrintTextproto(again) == printed);
  return absl::OkStatus();
}

}  // namespace

const ReaderUnderTest kReaderUnderTest = {Read, 0.5};

}  // namespace earshot
