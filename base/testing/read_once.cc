#include "base/testing/read_once.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/testing/allocations.h"

namespace earshot {
namespace {

constexpr absl::string_view kName = "dir/file";

// Takes "DIGITS" and the separator off the front.
bool ConsumeNumber(absl::string_view* text, absl::string_view separator) {
  const size_t digits = std::find_if_not(text->begin(), text->end(), absl::ascii_isdigit) - text->begin();
  text->remove_prefix(digits);
  return digits > 0 && absl::ConsumePrefix(text, separator);
}

// Of this thread, so that other programs do not count.
double CpuMilliseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace

bool IsReadError(absl::string_view message, absl::string_view name) {
  if (!std::all_of(message.begin(), message.end(), absl::ascii_isprint)) return false;
  if (!absl::ConsumePrefix(&message, name)) return false;
  if (absl::ConsumePrefix(&message, ": byte ")) {
    if (!ConsumeNumber(&message, ": ")) return false;
  } else if (!absl::ConsumePrefix(&message, ":") || !ConsumeNumber(&message, ":")) {
    return false;
  } else if (!absl::ConsumePrefix(&message, " ")) {
    return ConsumeNumber(&message, ": ") && !message.empty();
  }
  // What stands in front of it may quote the file.
  const size_t expected = absl::StartsWith(message, "expected ") ? 0 : message.find(": expected ");
  const size_t found = message.rfind(", found ");
  if (expected == absl::string_view::npos || found == absl::string_view::npos) return false;
  return expected < found && found < message.size() - 8;
}

ReadOutcome ReadOnce(absl::string_view content, Reader read) {
  const std::unique_ptr<char[]> block(new char[content.size() + 1]);
  if (!content.empty()) std::memcpy(block.get() + 1, content.data(), content.size());
  const double most_milliseconds = 10 + 0.01 * static_cast<double>(content.size());
  ReadOutcome outcome;
  double milliseconds = 0;
  // What is slow three times is slow; what is slow once was disturbed.
  for (int attempt = 0; attempt < 3 && (attempt == 0 || milliseconds > most_milliseconds); ++attempt) {
    const int64_t before = AllocatedBytes();
    ResetPeakAllocatedBytes();
    const double start = CpuMilliseconds();
    const absl::Status status = read({block.get() + 1, content.size()}, kName);
    milliseconds = CpuMilliseconds() - start;
    const int64_t bytes = PeakAllocatedBytes() - before;
    outcome = {!status.ok(), std::string(status.message()), ""};
    if (bytes > 4 * static_cast<int64_t>(content.size()) + (1 << 20)) {
      outcome.broken = absl::StrCat("took ", bytes, " bytes of memory for a file of ", content.size());
    } else if (outcome.refused && !IsReadError(outcome.message, kName)) {
      outcome.broken = absl::StrCat("the message is not in the form of base/read_error.h: ", outcome.message);
    }
    if (!outcome.broken.empty()) return outcome;
  }
  if (milliseconds > most_milliseconds) {
    outcome.broken = absl::StrCat("took ", milliseconds, " ms for a file of ", content.size(), " bytes");
  }
  return outcome;
}

}  // namespace earshot
