#include "data/line_reader.h"

#include <algorithm>
#include <utility>

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

LineReader::LineReader(absl::string_view content, absl::string_view name, int64_t max_line_bytes)
    : rest_(content), name_(name), max_line_bytes_(max_line_bytes) {}

LineReader::LineReader(absl::string_view content, absl::string_view name) : LineReader(content, name, kMaxLineBytes) {
  if (!LooksLikeGzip(content)) return;
  gunzip_ = std::make_unique<Gunzip>(content, name);
  packed_bytes_ = content.size();
}

absl::StatusOr<std::unique_ptr<LineReader>> LineReader::Open(const std::string& path) {
  ASSIGN_OR_RETURN(std::unique_ptr<InputFile> file, InputFile::Open(path));
  if (file->size() > kMaxListBytes) {
    return ByteError(path, kMaxListBytes, "the end of the file", absl::StrCat(file->size() - kMaxListBytes, " more"));
  }
  char start[2] = {};
  RETURN_IF_ERROR(file->Read(0, std::min<int64_t>(file->size(), sizeof(start)), start));
  auto reader = std::make_unique<LineReader>(absl::string_view(), file->path());
  if (LooksLikeGzip(absl::string_view(start, sizeof(start)))) {
    reader->packed_.resize(file->size());
    RETURN_IF_ERROR(file->Read(0, file->size(), &reader->packed_[0]));
    reader->gunzip_ = std::make_unique<Gunzip>(reader->packed_, file->path());
    reader->packed_bytes_ = file->size();
  }
  reader->file_ = std::move(file);
  return reader;
}

absl::StatusOr<int64_t> LineReader::ReadPiece(char* out, int64_t capacity) {
  if (gunzip_ != nullptr) return gunzip_->Read(out, capacity);
  const int64_t bytes = std::min(capacity, file_->size() - position_);
  RETURN_IF_ERROR(file_->Read(position_, bytes, out));
  position_ += bytes;
  return bytes;
}

std::string LineReader::Place() const { return absl::StrCat(name_, ":", number_); }

absl::Status LineReader::Error(absl::string_view expected, absl::string_view found) const {
  return LineError(name_, number_, expected, found);
}

absl::StatusOr<bool> LineReader::Next(absl::string_view* line) {
  const bool buffered = gunzip_ != nullptr || file_ != nullptr;
  while (true) {
    ++number_;
    ASSIGN_OR_RETURN(const bool more, buffered ? TakeBufferedLine(line) : TakeLine(line));
    if (!more) return false;
    if (static_cast<int64_t>(line->size()) > max_line_bytes_) {
      return Error(absl::StrCat("at most ", max_line_bytes_, " bytes in a line"),
                   buffered ? "more" : absl::StrCat(line->size()));
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

absl::StatusOr<bool> LineReader::TakeBufferedLine(absl::string_view* line) {
  if (gunzip_ != nullptr && number_ - kLinesFree > packed_bytes_ / 2)
    return Error("at most one line for two packed bytes", "more");
  size_t searched = taken_;
  size_t end = buffer_.find('\n', searched);
  while (end == std::string::npos && !read_all_) {
    buffer_.erase(0, taken_);
    taken_ = 0;
    searched = buffer_.size();
    if (static_cast<int64_t>(searched) > max_line_bytes_) break;  // the caller says so
    buffer_.resize(searched + kPiece);
    ASSIGN_OR_RETURN(const int64_t bytes, ReadPiece(&buffer_[searched], kPiece));
    buffer_.resize(searched + bytes);
    read_all_ = bytes == 0;
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
