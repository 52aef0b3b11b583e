#include "data/kaldi_location.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/read_error.h"
#include "base/status_macros.h"

namespace earshot {
namespace {

constexpr int64_t kRowTolerance = 3;

absl::Status Error(absl::string_view location, absl::string_view expected, absl::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat(location, ": expected ", expected, ", found ", found));
}

// Digits only: no sign and no spaces, within int64.
bool ParseCount(absl::string_view text, int64_t* value) {
  return !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_isdigit) && absl::SimpleAtoi(text, value);
}

bool ParseInterval(absl::string_view text, KaldiInterval* interval) {
  if (text.empty() || text == ":") return true;
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  return parts.size() == 2 && ParseCount(parts[0], &interval->first) && ParseCount(parts[1], &interval->last) &&
         interval->first <= interval->last;
}

// Cuts `interval` to the `size` that there are; false when it does not fit.
bool Fit(const KaldiInterval& interval, int64_t size, int64_t tolerance, int64_t* first, int64_t* count) {
  *first = interval.first;
  *count = size - interval.first;
  if (interval.last < 0) return true;
  if (interval.first >= size || interval.last >= size + tolerance) return false;
  *count = std::min(interval.last, size - 1) - interval.first + 1;
  return true;
}

std::string Text(const KaldiInterval& interval) { return absl::StrCat(interval.first, ":", interval.last); }

}  // namespace

absl::StatusOr<KaldiLocation> ParseKaldiLocation(absl::string_view text) {
  KaldiLocation location;
  text = absl::StripAsciiWhitespace(text);
  if (std::any_of(text.begin(), text.end(), absl::ascii_iscntrl)) {
    return Error(Quoted(text), "a file", "control characters in its name");
  }
  absl::string_view rest = text;
  if (rest.empty()) return Error(Quoted(text), "a file", "nothing");
  if (rest.front() == '|' || rest.back() == '|') return Error(text, "a file", "a command");
  if (rest == "-") return Error(text, "a file", "the standard input");
  if (rest.back() == ']' && rest.rfind('[') != rest.npos) {
    const size_t open = rest.rfind('[');
    const absl::string_view range = rest.substr(open + 1, rest.size() - open - 2);
    const std::vector<absl::string_view> parts = absl::StrSplit(range, ',');
    location.has_range = true;
    if (range.empty() || parts.size() > 2 || !ParseInterval(parts[0], &location.rows) ||
        (parts.size() == 2 && !ParseInterval(parts[1], &location.cols))) {
      return Error(text, "a range like [0:9] or [0:9,2:5]", Quoted(rest.substr(open)));
    }
    rest = rest.substr(0, open);
  }
  const size_t colon = rest.rfind(':');
  if (colon != rest.npos && colon > 0 && absl::ascii_isdigit(rest.back()) &&
      std::all_of(rest.begin() + colon + 1, rest.end(), absl::ascii_isdigit)) {
    if (!ParseCount(rest.substr(colon + 1), &location.offset)) {
      return Error(text, "an offset below 2^63", Quoted(rest.substr(colon + 1)));
    }
    rest = rest.substr(0, colon);
  }
  if (rest.empty()) return Error(Quoted(text), "a file", "nothing");
  location.path = std::string(rest);
  return location;
}

absl::StatusOr<KaldiCrop> CropFor(const KaldiLocation& location, absl::string_view text, int64_t rows, int64_t cols,
                                  bool is_vector) {
  KaldiCrop crop;
  KaldiInterval row_range = location.rows, col_range = location.cols;
  if (is_vector) {
    if (col_range.last >= 0) return Error(text, "one range, of elements, for a vector", "rows and columns");
    std::swap(row_range, col_range);
  }
  if (!Fit(row_range, rows, kRowTolerance, &crop.first_row, &crop.rows)) {
    return Error(text, absl::StrCat("rows within 0:", rows - 1), Text(row_range));
  }
  if (!Fit(col_range, cols, is_vector ? kRowTolerance : 0, &crop.first_col, &crop.cols)) {
    return Error(text, absl::StrCat(is_vector ? "elements" : "columns", " within 0:", cols - 1), Text(col_range));
  }
  return crop;
}

}  // namespace earshot
