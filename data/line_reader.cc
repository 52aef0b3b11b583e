#include "data/line_reader.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/limits.h"

namespace earshot {
namespace {

constexpr absl::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr size_t kPiece = 64 << 10;
constexpr int64_t kLinesFree = 1024;  // before they are compared with the packed bytes

bool IsBlank(absl::string_view line) { return line.find_first_not_of(" \t") == absl::string_view::npos; }

}  // namespace

LineReader::LineReader(absl::string_view content, absl::string_view name)
    : rest_(content), name_(name), packed_bytes_(content.size()) {
  if (LooksLikeGzip(content)) gunzip_ = std::make_unique<Gunzip>(content, name);
}

std::string LineReader::Place() const { return absl::StrCat(name_, ":", number_); }

absl::Status LineReader::Error(absl::string_view expected, absl::string_view found) const {
  return LineError(name_, number_, expected, found);
}

absl::StatusOr<bool> LineReader::Next(absl::string_view* line) {
  while (true) {
    ++number_;
    ASSIGN_OR_RETURN(const bool more, gunzip_ != nullptr ? TakeUnpackedLine(line) : TakeLine(line));
    if (!more) return false;
    if (static_cast<int64_t>(line->size()) > kMaxLineBytes) {
      return Error(absl::StrCat("at most ", kMaxLineBytes, " bytes in a line"), "more");
    }
    if (number_ == 1 && absl::ConsumePrefix(line, kByteOrderMark)) byte_order_mark_ = true;
    if (absl::ConsumeSuffix(line, "\r") && first_windows_ == 0) first_windows_ = number_;
    if (!IsBlank(*line)) return true;
    if (first_empty_ == 0) first_empty_ = number_;
  }
}

absl::StatusOr<bool> LineReader::TakeLine(absl::string_view* line) {
  if (rest_.empty()) return false;
  const size_t end = rest_.find('\n');
  no_line_end_ = end == absl::string_view::npos;
  *line = rest_.substr(0, end);
  rest_.remove_prefix(no_line_end_ ? rest_.size() : end + 1);
  return true;
}

absl::StatusOr<bool> LineReader::TakeUnpackedLine(absl::string_view* line) {
  if (number_ - kLinesFree > packed_bytes_ / 2) return Error("at most one line for two packed bytes", "more");
  size_t searched = taken_;
  size_t end = buffer_.find('\n', searched);
  while (end == std::string::npos && !unpacked_all_) {
    buffer_.erase(0, taken_);
    taken_ = 0;
    searched = buffer_.size();
    if (static_cast<int64_t>(searched) > kMaxLineBytes) break;  // the caller says so
    buffer_.resize(searched + kPiece);
    ASSIGN_OR_RETURN(const int64_t bytes, gunzip_->Read(&buffer_[searched], kPiece));
    buffer_.resize(searched + bytes);
    unpacked_all_ = bytes == 0;
    end = buffer_.find('\n', searched);
  }
  if (end == std::string::npos && taken_ == buffer_.size()) return false;
  no_line_end_ = end == std::string::npos;
  *line = absl::string_view(buffer_).substr(taken_, no_line_end_ ? absl::string_view::npos : end - taken_);
  taken_ += line->size() + (no_line_end_ ? 0 : 1);
  return true;
}

void LineReader::AppendWarnings(bool want_line_end, std::vector<std::string>* warnings) const {
  const auto warn = [&](int64_t line, absl::string_view what) {
    if (line > 0) warnings->push_back(absl::StrCat(name_, ":", line, ": ", what));
  };
  warn(byte_order_mark_ ? 1 : 0, "a byte order mark (BOM) is skipped");
  warn(first_windows_, "Windows line ends (CR LF) are read as line ends");
  warn(first_empty_, "empty lines are skipped");
  if (want_line_end && no_line_end_) {
    warn(number_ - 1, "expected a line end at the end of the file, found none: is the file cut short?");
  }
}

}  // namespace earshot
