#include "data/byte_window.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/ascii.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace earshot {

ByteWindow::ByteWindow(absl::string_view content, absl::string_view name)
    : name_(name), size_(static_cast<int64_t>(content.size())), window_(content) {}

ByteWindow::ByteWindow(const InputFile* file, int64_t chunk)
    : file_(file), name_(file->path()), size_(file->size()), chunk_(chunk) {}

void ByteWindow::Seek(int64_t position) {
  CHECK_GE(position, 0);
  CHECK_LE(position, size_);
  position_ = position;
}

absl::StatusOr<absl::string_view> ByteWindow::Peek(int64_t bytes) {
  const int64_t wanted = std::min(bytes, remaining());
  const int64_t window_end = window_begin_ + static_cast<int64_t>(window_.size());
  if (position_ < window_begin_ || position_ + wanted > window_end) {
    // Keeps what is there of the wanted bytes and reads on.
    const bool inside = position_ >= window_begin_ && position_ < window_end;
    buffer_.erase(0, inside ? position_ - window_begin_ : buffer_.size());
    const int64_t kept = static_cast<int64_t>(buffer_.size());
    buffer_.resize(std::min(std::max(wanted, chunk_), remaining()));
    window_begin_ = position_;
    const absl::Status status =
        file_->Read(position_ + kept, static_cast<int64_t>(buffer_.size()) - kept, &buffer_[kept]);
    if (!status.ok()) buffer_.clear();
    window_ = buffer_;
    RETURN_IF_ERROR(status);
  }
  return window_.substr(position_ - window_begin_);
}

absl::Status ByteWindow::Read(int64_t bytes, char* out) {
  CHECK_LE(bytes, remaining());
  const int64_t window_end = window_begin_ + static_cast<int64_t>(window_.size());
  int64_t here = 0;
  if (position_ >= window_begin_ && position_ < window_end) {
    here = std::min(bytes, window_end - position_);
    std::memcpy(out, window_.data() + (position_ - window_begin_), here);
  }
  if (here < bytes) RETURN_IF_ERROR(file_->Read(position_ + here, bytes - here, out + here));
  position_ += bytes;
  return absl::OkStatus();
}

absl::Status SkipSpace(ByteWindow* window) {
  while (window->remaining() > 0) {
    ASSIGN_OR_RETURN(const absl::string_view next, window->Peek(1));
    const auto end = std::find_if_not(next.begin(), next.end(), absl::ascii_isspace);
    window->Skip(end - next.begin());
    if (end != next.end()) break;
  }
  return absl::OkStatus();
}

}  // namespace earshot
