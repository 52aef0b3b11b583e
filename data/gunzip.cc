#include "data/gunzip.h"

#include <zlib.h>

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/read_error.h"
#include "base/status_macros.h"
#include "data/limits.h"

namespace earshot {
namespace {

constexpr absl::string_view kMagic = "\x1f\x8b";
constexpr int kGzipWindow = 16 + MAX_WBITS;      // zlib's way to ask for gzip's header
constexpr int64_t kExpansionFree = 64 << 10;     // a short file may be all header
constexpr int64_t kMaxChunk = int64_t{1} << 30;  // zlib counts in 32 bits

Bytef* Bytes(const char* data) { return reinterpret_cast<Bytef*>(const_cast<char*>(data)); }

}  // namespace

struct Gunzip::Stream : z_stream {};

bool LooksLikeGzip(absl::string_view content) { return absl::StartsWith(content, kMagic); }

Gunzip::Gunzip(absl::string_view content, absl::string_view name)
    : content_(content), name_(name), stream_(new Stream()) {
  CHECK(inflateInit2(stream_.get(), kGzipWindow) == Z_OK) << "zlib cannot start";
}

Gunzip::~Gunzip() { inflateEnd(stream_.get()); }

absl::Status Gunzip::NextMember() {
  if (!LooksLikeGzip(content_.substr(at_))) {
    return ByteError(name_, at_, "the end of the file or another gzip member", Quoted(content_.substr(at_, 8)));
  }
  CHECK(inflateReset(stream_.get()) == Z_OK);
  member_ended_ = false;
  return absl::OkStatus();
}

absl::Status Gunzip::CheckExpansion() const {
  if (unpacked_ > kMaxListBytes) {
    return ByteError(name_, at_, absl::StrCat("at most ", kMaxListBytes, " unpacked bytes"), "more");
  }
  if (unpacked_ - kExpansionFree > kMaxGzipExpansion * at_) {
    return ByteError(name_, at_, absl::StrCat("at most ", kMaxGzipExpansion, " unpacked bytes a packed one"), "more");
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Gunzip::Read(char* out, int64_t capacity) {
  Stream& z = *stream_;
  const int64_t size = content_.size();
  int64_t written = 0;
  while (written == 0) {
    if (member_ended_) {
      if (at_ == size) return 0;
      RETURN_IF_ERROR(NextMember());
    }
    z.next_in = Bytes(content_.data() + at_);
    z.avail_in = static_cast<uInt>(std::min(size - at_, kMaxChunk));
    z.next_out = Bytes(out);
    z.avail_out = static_cast<uInt>(std::min(capacity, kMaxChunk));
    const uInt in = z.avail_in, room = z.avail_out;
    const int result = inflate(&z, Z_NO_FLUSH);
    at_ += in - z.avail_in;
    written = room - z.avail_out;
    unpacked_ += written;
    if (result == Z_MEM_ERROR) return absl::ResourceExhaustedError(absl::StrCat(name_, ": no memory to unpack it"));
    if (result == Z_BUF_ERROR || (result == Z_OK && written == 0 && at_ == size)) {
      return ByteError(name_, at_, "more gzip data", "the end of the file");
    }
    if (result != Z_OK && result != Z_STREAM_END) {
      return ByteError(name_, at_, "gzip data", z.msg != nullptr ? z.msg : "something else");
    }
    member_ended_ = result == Z_STREAM_END;
    RETURN_IF_ERROR(CheckExpansion());
  }
  return written;
}

std::string Gzip(absl::string_view content) {
  z_stream z = {};
  CHECK(deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed;
  int64_t at = 0;
  int result = Z_OK;
  std::string chunk(64 << 10, '\0');
  while (result != Z_STREAM_END) {
    if (z.avail_in == 0) {
      z.next_in = Bytes(content.data() + at);
      z.avail_in = static_cast<uInt>(std::min<int64_t>(content.size() - at, kMaxChunk));
      at += z.avail_in;
    }
    z.next_out = Bytes(chunk.data());
    z.avail_out = static_cast<uInt>(chunk.size());
    result = deflate(&z, at == static_cast<int64_t>(content.size()) ? Z_FINISH : Z_NO_FLUSH);
    CHECK(result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) << result;
    packed.append(chunk, 0, chunk.size() - z.avail_out);
  }
  deflateEnd(&z);
  return packed;
}

}  // namespace earshot
