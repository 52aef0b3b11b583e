#include "base/check.h"
#include "base/status_macros.h"
#include "base/testing/reader_under_test.h"
#include "bench/json_message.h"
#include "bench/report_json.h"

namespace earshot {
namespace {

absl::Status Read(absl::string_view content, absl::string_view name) {
  BenchReport report, again;
  RETURN_IF_ERROR(ParseJsonMessage(content, name, &report));
  // Whatever was read can be judged, printed and read again.
  (void)CheckReport(report, name);
  const absl::StatusOr<std::string> printed = ReportJson(report);
  CHECK(printed.ok());
  const absl::Status status = ParseJsonMessage(*printed, "printed", &again);
  CHECK(status.ok());
  return absl::OkStatus();
}

}  // namespace

// Many changes make another number, or another text, of a number or a text.
const ReaderUnderTest kReaderUnderTest = {Read, 0.4};

}  // namespace earshot
